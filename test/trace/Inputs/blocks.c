/* Memory from malloc() and its like, some of it freed and used again. */
#include <stdlib.h>

enum { N = 1024 };

/* Compilers leave out blocks that nobody sees. */
double *volatile seen;

static void fill(double *array, double value) {
  for (int i = 0; i < N; i++)
    array[i] = value;
}

int main(int count, char **arguments) {
  for (int i = 1; i < count; i++)
    seen = malloc((size_t)atoi(arguments[i]));
  double *kept = malloc(N * sizeof *kept);
  double *cleared = calloc(N, sizeof *cleared);
  void *aligned = NULL;
  fill(kept, 1);
  fill(cleared, 2);
  if (posix_memalign(&aligned, 4096, N * sizeof(double)) != 0)
    return 1;
  fill(aligned, 3);
  for (int i = 0; i < 5; i++) {
    double *passing = malloc(N * sizeof *passing);
    seen = passing;
    fill(passing, i);
    free(passing);
  }
  double *later = malloc(N * sizeof *later);
  seen = later;
  fill(later, 9);
  later[0] = kept[1] + cleared[2];
  double *grown = malloc(N * sizeof *grown);
  fill(grown, 1);
  grown = realloc(grown, 2 * N * sizeof *grown);
  fill(grown + N, 2);
  double *one = malloc(N * sizeof *one), *other = malloc(N * sizeof *other);
  fill(one, 1);
  fill(other, 2);
  fill(other, one[0]);
  return later[0] != 3 || grown[0] != other[5];
}
