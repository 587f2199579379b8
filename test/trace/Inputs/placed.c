/* Arrays of MAi, one of them freed. */
#include <mai.h>

enum { N = 4096 };

int main(void) {
  const char *block = "block";
  double *named = mai_alloc(N, sizeof *named, block, "temperature");
  double *cyclic = mai_alloc_cyclic(N, sizeof *cyclic);
#pragma omp parallel for num_threads(2) schedule(static)
  for (int i = 0; i < N; i++)
    named[i] = cyclic[i] = i;
  double last = named[N - 1];
  mai_free(named);
  return last != N - 1;
}
