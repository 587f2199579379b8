/* Where threads write the columns of a block first, which strides the run decides, pages in turn make no more of it local than first
   touch: it is left to that, by small pages.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

struct layout {
  long column, row;
};

static void set(double *to, const double *from, struct layout at, long columns, long lines,
                long line) {
#pragma omp parallel for
  for (long c = 0; c < columns; c++)
    for (long j = 0; j < lines; j++)
      for (long i = 0; i < line; i++)
        to[(j * line + i) * at.row + c * at.column] =
            1 + from[(j * line + i) * at.row + c * at.column];
}

int main(int argc, char **argv) {
  const long columns = argc > 1 ? atol(argv[1]) : 300, line = argc > 2 ? atol(argv[2]) : 20,
             rows = line * line;
  const int by_rows = argc > 3;
  const struct layout at = {by_rows ? 1 : rows, by_rows ? columns : 1};
  // CHECK: made: local: threads write it first: index c of the parallel loop in set() drives dimension 2
  double *made = malloc(columns * rows * sizeof *made);
  double *given = malloc(columns * rows * sizeof *given);
  for (long i = 0; i < columns * rows; i++)
    given[i] = (double)(i % 11);
  for (int step = 0; step < 3; step++)
    set(made, given, at, columns, line, line);
  printf("%g %g\n", made[columns], made[columns * rows - 1]);
  free(made), free(given);
  return 0;
}
