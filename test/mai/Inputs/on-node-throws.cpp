/*===-- on-node-throws.cpp - leaves mai_on_node() by an exception -*- C++ -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
// Says before, within and after how many CPUs the thread has, and how many threads its teams.
#include <cstdio>
#include <mai.h>
#include <omp.h>
#include <sched.h>
#include <stdexcept>

namespace {

void say(const char *when) {
  cpu_set_t mask;
  int threads = 0;
  sched_getaffinity(0, sizeof mask, &mask);
  int cpus = CPU_COUNT(&mask);
#pragma omp parallel reduction(+ : threads)
  threads++;
  std::printf("%s: %d CPUs, %d threads of %d\n", when, cpus, threads, omp_get_max_threads());
}

void fail(void *) {
  say("there");
  throw std::runtime_error("lost");
}

void try_it() {
  try {
    mai_on_node(3, fail, nullptr);
  } catch (const std::exception &error) {
    std::printf("%s\n", error.what());
  }
}

} // namespace

int main() {
  try_it();
  say("back");
  try_it();
  say("back again");
}
