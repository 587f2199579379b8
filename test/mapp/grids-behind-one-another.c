/* Grids that lie one behind the other in an array, each begun by the threads' shares of it: a policy would divide the array,
   not the grids, so each page is left to its first touch, and huge ones, which would hold several shares, are forbidden.
   Where one thread fills it, it is divided.  So it is where the loop over the grids runs inside of the parallel region: how wide a
   grid is, and where it begins, are looked up before the threads share its rows out.

   RUN: mapp-rewrite %s -q > %t
   RUN: FileCheck %s < %t
   RUN: mapp-rewrite --explain=field %s -q | FileCheck --check-prefix=WHY %s
*/
#include <stdlib.h>

enum { Levels = 6, Cells = 400000 };

// WHY: {{^  }}local: threads write it first
// WHY: excluded: threads write it first, in shares that begin where the run decides
// CHECK: {{^\+}}MAI_STATIC(field, "local");
static double field[Cells];
// CHECK: {{^\+}}MAI_STATIC(source, "block");
static double source[Cells];
static long begin[Levels + 1], cells[Levels];
// CHECK: {{^\+}}MAI_STATIC(boxes, "local");
static float boxes[Cells];
static int first[Levels], wide[Levels];

static void smear(int box) {
  const int n = wide[box];
  float *at = boxes + first[box];
#pragma omp for
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      at[y * n + x] = at[y * n + x] / 2 + (float)x;
}

static void smear_all(int boxes_in_use) {
#pragma omp parallel
  for (int box = 0; box < boxes_in_use; box++)
    smear(box);
}

static void relax(double *to, const double *from, long count) {
#pragma omp parallel for
  for (long i = 0; i < count; i++)
    to[i] = from[i] / 2;
}

static double norm(const double *of, long count) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < count; i++)
    sum += of[i] * of[i];
  return sum;
}

int main(int argc, char **argv) {
  long finest = argc > 1 ? atol(argv[1]) : 100000;
  for (int l = 0; l < Levels; l++, finest /= 8) {
    cells[l] = finest;
    begin[l + 1] = begin[l] + finest;
  }
  for (long i = 0; i < begin[Levels]; i++)
    source[i] = (double)(i % 7);
  for (int l = 0; l < Levels; l++) {
    wide[l] = 40 * (l + 1);
    first[l] = l == 0 ? 0 : first[l - 1] + wide[l - 1] * wide[l - 1];
  }
  smear_all(Levels);
  double sum = 0;
  for (int l = 0; l < Levels; l++) {
    relax(&field[begin[l]], &source[begin[l]], cells[l]);
    sum += norm(&field[begin[l]], cells[l]);
  }
  return sum > 0;
}
