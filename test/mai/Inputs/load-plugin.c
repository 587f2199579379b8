/*===-- load-plugin.c - runs a program that is a shared library --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: load-plugin LIBRARY ARGUMENT... calls the library's plugin_main(). */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*plugin_main)(int, char **);
  if (!library || !(*(void **)&plugin_main = dlsym(library, "plugin_main"))) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  return plugin_main(argc - 1, argv + 1);
}
