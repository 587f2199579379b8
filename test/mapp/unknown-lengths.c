/* An access goes to each element of its array at most once while the loops around it that move it run, also where the
   lengths of these loops are not known: four loops that exchange a dimension by pieces, once, do not outweigh three
   loops over the planes that are made six times.

   RUN: mapp-rewrite %s | FileCheck --match-full-lines --strict-whitespace --check-prefix=DIFF %s
   RUN: mapp-rewrite --explain=cube %s | FileCheck %s
*/
#include <stdio.h>

enum { PIECE = 16, LONGEST = 64 };

//      DIFF:+MAI_STATIC(cube, "block"); /* mapp: elements follow index k of the parallel loop in advance(); less often, index j of the parallel loop in along_planes() does not drive its slowest index */
static double cube[64 * 64 * 65];
static int extents[3];

static void along_planes(int nx, int ny, int nz, void *data) {
  double(*of)[ny][nx + 1] = data;
#pragma omp parallel for
  for (int j = 0; j < ny; j++)
    for (int i = 0; i <= nx - PIECE; i += PIECE) {
      double scratch[LONGEST][PIECE];
      for (int k = 0; k < nz; k++)
        for (int p = 0; p < PIECE; p++)
          scratch[k][p] = of[k][j][i + p];
      for (int k = 0; k < nz; k++)
        for (int p = 0; p < PIECE; p++)
          of[k][j][i + p] = scratch[nz - 1 - k][p];
    }
}

static void advance(int nx, int ny, int nz, void *data) {
  double(*of)[ny][nx + 1] = data;
#pragma omp parallel for
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++)
        of[k][j][i] *= 1.5;
}

int main(int argc, char **argv) {
  for (int d = 0; d < 3; d++)
    extents[d] = argc > d + 1 ? argv[d + 1][0] : LONGEST;
  for (int i = 0; i < 64 * 64 * 65; i++)
    cube[i] = i;
  along_planes(extents[0], extents[1], extents[2], cube);
  for (int step = 0; step < 6; step++)
    advance(extents[0], extents[1], extents[2], cube);
  printf("%g\n", cube[1]);
  return 0;
}

/* CHECK-DAG: {{.*}}read and write: elements follow index k {{.*}} about 1597440 steps, 12.2 MiB
   CHECK-DAG: {{.*}}read: index j of the parallel loop in along_planes() {{.*}} about 266240 steps, 2.0 MiB
*/
