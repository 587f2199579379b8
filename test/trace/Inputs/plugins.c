/* Runs a plugin twice, whose libraries only itself sees, and unloads it in between. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The program does without it where it is not there. */
__attribute__((weak)) void *mai_alloc_cyclic(size_t count, size_t size);

static int run(void) {
  void *plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
  int (*function)(void) = plugin ? (int (*)(void))dlsym(plugin, "run") : NULL;
  int result = function ? function() : -1;
  if (!plugin || dlclose(plugin) != 0)
    puts(dlerror());
  return result;
}

int main(void) {
  double *memory = mai_alloc_cyclic ? mai_alloc_cyclic(1000, sizeof *memory) : NULL;
  if (!memory)
    memory = malloc(1000 * sizeof *memory);
  for (int i = 0; i < 1000; i++)
    memory[i] = i;
  printf("%d %d %g\n", run(), run(), memory[999]);
  free(memory);
  return 0;
}
