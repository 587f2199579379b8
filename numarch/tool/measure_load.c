/*===-- measure_load.c - who uses the CPUs ----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The kernel counts each CPU's time, also what a hypervisor took away, in /proc/stat; what this
 * process had of it is known more exactly.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

static double seconds_of(const struct timeval *time) {
  return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

static double own_seconds(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0)
    return 0;
  return seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
}

/* @return whether the kernel tells it */
static bool busy_seconds(double *busy) {
  unsigned long long user = 0, nice = 0, system = 0, interrupts = 0, softirqs = 0, stolen = 0;
  FILE *file = fopen("/proc/stat", "re");
  if (!file)
    return false;
  /* NOLINTNEXTLINE(cert-err34-c): the kernel wrote it */
  int count = fscanf(file, "cpu %llu %llu %llu %*u %*u %llu %llu %llu", &user, &nice, &system,
                     &interrupts, &softirqs, &stolen);
  fclose(file);
  *busy = (double)(user + nice + system + interrupts + softirqs + stolen) /
          (double)sysconf(_SC_CLK_TCK);
  return count == 6;
}

struct measure_load measure_read_load(void) {
  struct measure_load load = {.own = own_seconds()};
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  load.seconds = (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
  load.known = busy_seconds(&load.busy);
  return load;
}

void measure_watch(void) {
  const struct timespec moment = {.tv_nsec = 300L * 1000 * 1000};
  nanosleep(&moment, NULL);
}
