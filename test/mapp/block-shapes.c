/* A loop over the slowest dimension divides the array among the threads: block, whatever the
   element type, the number of dimensions and the way the extents are spelt.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#define N 600
#define M (N / 2 + 1)
enum { DEPTH = 20 };
typedef float real;
typedef double plane[DEPTH][DEPTH];
struct particle {
  double position[3];
  int cell;
};

// CHECK: {{^\+}}#include <mai_static.h>
// CHECK-NEXT: #include <stdio.h>
// CHECK: {{^\+}}MAI_STATIC(line, "block"); /* mapp: elements follow index i of the parallel loop in main() */{{$}}
static double line[4 * N];
// CHECK: {{^\+}}MAI_STATIC(table, "block"); /* mapp: rows follow index i of the parallel loop in main() */{{$}}
real table[N][M];
// CHECK: {{^\+}}MAI_STATIC(planes, "block");
static plane planes[DEPTH];
// CHECK: {{^\+}}MAI_STATIC(deep, "block");
static short deep[DEPTH][DEPTH][DEPTH][DEPTH];
// CHECK: {{^\+}}MAI_STATIC(particles, "block");
static struct particle particles[N];

// CHECK: c:[[#]]: line: block: elements follow index i of the parallel loop in main() ({{.*}}block-shapes.c:[[#]])
// CHECK: c:[[#]]: table: block: rows follow
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 4 * N; i++)
    line[i] = i;
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < M; j++)
      table[i][j] = (real)(i - j);
    particles[i].position[2] = i;
    particles[i].cell = 3 * i;
  }
#pragma omp parallel for
  for (int i = 0; i < DEPTH; i++)
    for (int j = 0; j < DEPTH; j++)
      for (int k = 0; k < DEPTH; k++) {
        planes[i][j][k] = i + j + k;
        deep[i][j][k][0] = (short)(i * j * k);
      }
  printf("%g %g %g %d %g %d\n", line[7], table[5][6], planes[1][2][3], deep[4][3][2][0],
         particles[8].position[2], particles[9].cell);
  return 0;
}
