/* A sparse matrix by rows: its elements follow the parallel index by way of the row pointers; the
   vector that it is multiplied with is read anywhere.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

enum { Rows = 3000 };
// CHECK-DAG: c:[[#]]: start: block: elements follow index i of
static int start[Rows + 1];
// CHECK-DAG: c:[[#]]: column: block along start filled: elements that start delimits follow index i of
// CHECK-DAG: c:[[#]]: value: block along start filled: elements that start delimits follow index i of
static int column[3 * Rows];
static double value[3 * Rows];
// CHECK-DAG: c:[[#]]: x: left alone: one thread writes it first, in main()
static double x[Rows];
static double y[Rows];

int main(void) {
  double sum = 0;
  for (int i = 0; i <= Rows; i++)
    start[i] = 3 * i;
  for (int k = 0; k < 3 * Rows; k++)
    column[k] = 7 * k % Rows, value[k] = k, x[k / 3] = k;
#pragma omp parallel for
  for (int i = 0; i < Rows; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      y[i] += value[k] * x[column[k]];
  for (int i = 0; i < Rows; i++)
    sum += y[i];
  printf("%.0f\n", sum);
  return 0;
}
