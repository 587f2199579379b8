/* A plugin that has MAi for itself. */
#include <mai.h>

enum { N = 4096 };

int run(void);

int run(void) {
  static const char *const policy = "block";
  int *named = mai_alloc(N, sizeof *named, policy, "of_plugin");
  int *cyclic = mai_alloc_cyclic(N, sizeof *cyclic);
  for (int i = 0; i < N; i++)
    named[i] = cyclic[i] = i;
  int last = named[N - 1] + cyclic[N - 1];
  return last + mai_free(named) + mai_free(cyclic);
}
