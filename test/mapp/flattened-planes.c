/* A field of three dimensions in one block, whose extents the run decides. A loop that reads the neighbours of a cell goes over the
   planes between the first and the last, whichever row of a plane is read; so do threads that look up which planes are theirs.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int nx, ny, nz;
static double *from, *to, *swept;
static int first_plane[64], end_plane[64];

#define AT(i, j, k) (((k) * ny + (j)) * nx + (i))

static void smooth(void) {
#pragma omp parallel for
  for (int k = 1; k < nz - 1; k++)
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++) {
        to[AT(i, j, k)] = from[AT(i, j - 1, k)] + from[AT(i, j + 1, k)] + from[AT(i - 1, j, k)] +
                          from[AT(i + 1, j, k)] + from[AT(i, j, k - 1)] + from[AT(i, j, k + 1)] -
                          6 * from[AT(i, j, k)];
        swept[AT(i, j, k)] += to[AT(i, j, k)];
      }
}

static void sweep(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (int k = first_plane[me]; k < end_plane[me]; k++)
      for (int again = 0; again < 20; again++)
        for (int i = 1; i < nx - 1; i++)
          for (int j = 1; j < ny; j++)
            swept[AT(i, j, k)] += swept[AT(i, j - 1, k)] / 2;
  }
}

int main(int argc, char **argv) {
  nx = ny = nz = argc > 1 ? atoi(argv[1]) : 40;
  // CHECK: {{^\+}}{{.*}}"block", 1, (unsigned long)nz - 2
  from = malloc(sizeof(double) * nx * ny * nz);
  // CHECK: {{^\+}}{{.*}}"block", 1, (unsigned long)nz - 2
  to = malloc(sizeof(double) * nx * ny * nz);
  // CHECK: {{^\+}}{{.*}}"block", 1, (unsigned long)nz - 2
  swept = malloc(sizeof(double) * nx * ny * nz);
  const int team = omp_get_max_threads(), share = (nz - 2 + team - 1) / team;
  for (int t = 0; t < team && t < 64; t++) {
    first_plane[t] = 1 + t * share;
    end_plane[t] = first_plane[t] + share < nz - 1 ? first_plane[t] + share : nz - 1;
  }
  for (int c = 0; c < nx * ny * nz; c++)
    from[c] = to[c] = swept[c] = c % 7;
  smooth();
  sweep();
  printf("%g\n", swept[AT(3, 3, 3)]);
  return 0;
}
