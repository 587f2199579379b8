/*===-- plugin-in-region.c - a library opens teams within another's -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: plugin-in-region LIBRARY THREADS ARGUMENT...
   Opens a team of THREADS, whose threads call the library's plugin_main() in turn. */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*plugin_main)(int, char **);
  if (!library || !(*(void **)&plugin_main = dlsym(library, "plugin_main")))
    return 2;
  int threads = atoi(argv[2]);
  int failed = 0;
#pragma omp parallel for ordered num_threads(threads) schedule(static, 1) reduction(+ : failed)
  for (int i = 0; i < threads; i++) {
#pragma omp ordered
    failed += plugin_main(argc - 2, argv + 2) != 0;
  }
  return failed;
}
