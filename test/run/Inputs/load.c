/* Loads the library that is named. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = dlopen(argv[argc - 1], RTLD_NOW);
  puts(library ? "loaded" : dlerror());
}
