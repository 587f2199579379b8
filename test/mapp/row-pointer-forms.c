/* A sparse matrix by rows: what the row pointers of a thread's rows delimit is one piece of the
   matrix. Also through parameters, copied bounds, starts and ends in two arrays,
   and ends alone.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#define ROWS 2000
#define PER_ROW 9

// CHECK: {{^\+}}MAI_STATIC(start, "block"); /* mapp: elements follow index row of the parallel loop in multiply(); also indexed indirectly by order in main() */
static int start[ROWS + 1];
// CHECK: {{^\+}}MAI_STATIC(stop, "block");
static int stop[ROWS + 1];
// CHECK: {{^\+}}MAI_STATIC(value, "block along start filled"); /* mapp: elements that {{start|first}} delimits follow index row of the parallel loop in
static double value[ROWS * PER_ROW];
// CHECK: {{^\+}}MAI_STATIC(column, "block along start filled"); /* mapp: elements that
static int column[ROWS * PER_ROW];
// Each core's cache holds it.
// CHECK-NOT: {{^\+.*}}MAI_STATIC(x,
static double x[ROWS];
// CHECK: {{^\+}}MAI_STATIC(y, "block");
static double y[ROWS];
// CHECK: {{^\+}}MAI_STATIC(shuffled, "block along start filled"); /* mapp: indexed indirectly by start in main(); {{.*}}divided as start, which delimits its rows
static double shuffled[ROWS * PER_ROW];
static int order[ROWS];
// CHECK: {{^\+}}MAI_STATIC(ended, "block filled"); /* mapp: elements that stop delimits follow index row of the parallel loop in main() */
static int ended[ROWS * PER_ROW];

static void multiply(int rows, const int *first, const double *element, const int *where,
                     const double *in, double *out) {
#pragma omp parallel for
  for (int row = 0; row < rows; row++) {
    double sum = 0;
    for (int k = first[row]; k < first[row + 1]; k++)
      sum += element[k] * in[where[k]];
    out[row] = sum;
  }
}

int main(void) {
  for (int i = 0; i <= ROWS; i++)
    start[i] = i * PER_ROW, stop[i] = start[i] + PER_ROW;
  for (int k = 0; k < ROWS * PER_ROW; k++)
    column[k] = k * 7 % ROWS, value[k] = k % 5, shuffled[k] = ended[k] = 1;
  for (int i = 0; i < ROWS; i++)
    x[i] = i, order[i] = ROWS - 1 - i;
  multiply(ROWS, start, value, column, x, y);
#pragma omp parallel for
  for (int row = 0; row < ROWS; row++) {
    int begin = start[row], end = stop[row];
    for (int k = begin; k < end; k++)
      y[row] += value[k] * column[k];
    for (int k = start[order[row]]; k < start[order[row] + 1]; k++)
      y[row] += shuffled[k];
    for (int k = row > 0 ? stop[row - 1] : 0; k < stop[row]; k++)
      y[row] += ended[k];
  }
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    sum += y[i];
  printf("%g\n", sum);
  return 0;
}
