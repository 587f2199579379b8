/* Threads that go over planes one behind the other, `plane = wave - me`, each in its strip of rows, all come to all planes: their numbers say when, not
   where, and the rows are divided. Where the loop makes steps of a whole team, the numbers do say where.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>

enum { PLANES = 24, ROWS = 128, COLUMNS = 96 };

// CHECK-DAG: c:[[#@LINE+1]]: swept: block by columns: index j of the parallel loop in sweep() drives dimension 2
static double swept[PLANES][ROWS][COLUMNS];
// CHECK-DAG: c:[[#@LINE+1]]: dealt: {{.*}}each thread has a part of its own, by its number, in deal()
static double dealt[4 * PLANES][ROWS * COLUMNS / 4];

static void sweep(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    const int low = 1 + me * (ROWS - 1) / team, high = 1 + (me + 1) * (ROWS - 1) / team;
    for (int wave = 1; wave < PLANES + team - 1; wave++) {
      const int plane = wave - me;
      if (plane >= 1 && plane < PLANES)
        for (int j = low; j < high; j++)
          for (int i = 0; i < COLUMNS; i++)
            swept[plane][j][i] += (swept[plane - 1][j][i] + swept[plane][j - 1][i]) / 4;
#pragma omp barrier
    }
  }
}

static void deal(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    for (int first = 0; first + team <= 4 * PLANES; first += team)
      for (int i = 0; i < ROWS * COLUMNS / 4; i++)
        dealt[first + me][i] += i;
  }
}

int main(void) {
#pragma omp parallel for
  for (int j = 0; j < ROWS; j++)
    for (int k = 0; k < PLANES; k++)
      for (int i = 0; i < COLUMNS; i++)
        swept[k][j][i] = (i + j + k) % 7;
  for (int step = 0; step < 9; step++) {
    sweep();
    deal();
  }
  printf("%g %g\n", swept[PLANES - 1][ROWS - 1][1], dealt[1][1] > 0 ? 1.0 : 0.0);
}
