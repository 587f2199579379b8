/* A stencil's threads own the rows that they write, not those of all its points: a memory that serves a
   little more by one point serves less by another. Of rows that are a part of a page, one that loops
   leave out counts. A point before the row in which a loop begins, such as [i - 1][j - 1], is in row i - 1.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --explain from %s | FileCheck --check-prefix=EXPLAIN %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

enum { N = 32, COLUMNS = 130 };

// CHECK: c:[[#]]: from: block, 1, (N + 2) - 2: rows follow index i of the parallel loop in main()
// EXPLAIN-DAG: units 1..32
// EXPLAIN-DAG: units 0..31
// EXPLAIN-DAG: units 2..33
// EXPLAIN-NOT: units -1
// EXPLAIN: estimated for 4 nodes
// EXPLAIN: {{^}} * block, 1, (N + 2) - 2 {{.*}} 1.0{{$}}
static double from[N + 2][COLUMNS];
// CHECK: c:[[#]]: to: block, 1, (N + 2) - 2: rows follow index i of the parallel loop in main()
static double to[N + 2][COLUMNS];

int main(int argc, char **argv) {
  (void)argv;
#pragma omp parallel for
  for (int i = 0; i < argc * (N + 2); i++)
    for (int j = 0; j < COLUMNS; j++)
      from[i][j] = i * j % 7;
  for (int step = 0; step < 10; step++) {
#pragma omp parallel for
    for (int i = 1; i <= N; i++)
      for (int j = 1; j < COLUMNS - 1; j++)
        to[i][j] = from[i][j] + from[i - 1][j - 1] + from[i - 1][j + 1] + from[i + 1][j - 1] +
                   from[i + 1][j + 1];
#pragma omp parallel for
    for (int i = 1; i <= N; i++)
      for (int j = 1; j < COLUMNS - 1; j++)
        from[i][j] = to[i][j] / 5;
  }
  printf("%.6f %.6f\n", from[3][4], to[5][6]);
  return 0;
}
