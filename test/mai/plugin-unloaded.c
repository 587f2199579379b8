/* A plugin with arrays of MAi is unloaded, and another one comes where it was: nothing is read of what is gone.

   RUN: %{gcc} -DVALUE=1 -shared -fPIC %S/Inputs/plugin-arrays.c -o %t.1.so %{mai}
   RUN: %{gcc} -DVALUE=2 -shared -fPIC %S/Inputs/plugin-arrays.c -o %t.2.so %{mai}
   RUN: %{gcc} %s -o %t %{mai}
   RUN: env MAI_REPORT=1 %t %t.1.so %t.2.so 2>&1 | FileCheck %s
   CHECK: unloaded
   CHECK: MAi report
*/
#include <dlfcn.h>
#include <mai.h>
#include <string.h>

int main(int argc, char **argv) {
  mai_init();
  for (int i = 1; i < argc; i++)
    for (int times = 0; times < 3; times++) {
      void *plugin = dlopen(argv[i], RTLD_NOW);
      double *(*array)(void);
      *(void **)&array = dlsym(plugin, "array_of_plugin");
      memset(array(), 1, 100000 * sizeof(double));
      if (dlclose(plugin) != 0)
        return 1;
      mai_replace_all(NULL);
    }
  puts("unloaded");
  fflush(stdout);
}
