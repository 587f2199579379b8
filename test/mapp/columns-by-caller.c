/* One function allocates arrays of which loops go over rows and over columns, and how long rows are is not told there. So
   it distributes pages in turn; but what each core's cache holds it divides, as that makes more of it local.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plate {
  int rows, columns;
  void *heat, *spare, *across;
};

static void *field(size_t cells, size_t item) {
  void *p = NULL;
  // CHECK: {{^\+}}  if (MAI_PLACED_AT(p, posix_memalign({{.*}}), 1, MAI_UNLESS_CACHED("cyclic on threads", "block") /* mapp: index j of the parallel loop in smooth() drives dimension 2; that outweighs rows
  if (posix_memalign(&p, 64, cells * item + 64))
    exit(1);
  memset(p, 0, cells * item + 64);
  return p;
}

/* Each cell becomes the mean of itself and of those beside it in its row; then in its column. */
static void smooth(int rows, int columns, double to[rows][columns], double from[rows][columns],
                   double sums[rows][columns]) {
#pragma omp parallel for
  for (int i = 0; i < rows; i++)
    for (int j = 1; j < columns - 1; j++)
      to[i][j] = (from[i][j - 1] + from[i][j] + from[i][j + 1]) / 3;
#pragma omp parallel for
  for (int j = 0; j < columns; j++) {
    for (int i = 1; i < rows; i++)
      sums[i][j] = sums[i - 1][j] + to[i][j];
    for (int i = 1; i < rows - 1; i++)
      from[i][j] = (sums[i + 1][j] - sums[i - 1][j]) / 3;
  }
}

int main(int argc, char **argv) {
  struct plate p = {argc > 1 ? atoi(argv[1]) : 200, argc > 2 ? atoi(argv[2]) : 150, NULL, NULL, NULL};
  const size_t cells = (size_t)p.rows * p.columns;
  p.heat = field(cells, sizeof(double));
  p.spare = field(cells, sizeof(double));
  p.across = field(cells, sizeof(double));
  for (int i = 0; i < p.rows * p.columns; i++)
    ((double *)p.heat)[i] = i % 17;
  for (int step = 0; step < 10; step++)
    smooth(p.rows, p.columns, p.spare, p.heat, p.across);
  printf("%g\n", ((double *)p.heat)[100 * p.columns + 70]);
  return 0;
}
