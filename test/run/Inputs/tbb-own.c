/*===-- tbb-own.c - a plugin with a libtbb of its own -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: tbb-own PLUGIN.  With LIBRARY, two functions of libtbb, which count; with PLUGIN, what calls them. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *allocate(size_t bytes) __asm__("_ZN3tbb6detail2r122cache_aligned_allocateEm");
void deallocate(void *block) __asm__("_ZN3tbb6detail2r124cache_aligned_deallocateEPv");

#if defined LIBRARY

int allocated, freed;

void *allocate(size_t bytes) {
  allocated++;
  return aligned_alloc(128, bytes);
}

void deallocate(void *block) {
  freed++;
  free(block);
}

#elif defined PLUGIN

extern int allocated, freed;

void work(void) {
  deallocate(allocate(1 << 20));
  printf("%d allocated, %d freed\n", allocated, freed);
}

#else

int main(int count, char **arguments) {
  void *plugin = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void (*work)(void) = plugin ? (void (*)(void))dlsym(plugin, "work") : NULL;
  if (!work)
    return 1;
  work();
  return 0;
}

#endif
