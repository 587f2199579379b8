/* The size of a block stands in a variable: what the variable was computed from may be spoken of, as long as it has
   that value, and layers are divided and not elements.

   RUN: mapp-rewrite %s | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

static void smooth(const float *in, float *out, int nx, int ny, int nz) {
#pragma omp parallel for
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        int c = x + y * nx + z * nx * ny;
        out[c] = in[c] + 1;
      }
}

int main(int count, char **arguments) {
  int columns = count > 1 ? atoi(arguments[1]) : 64, rows = columns, layers = count + 3;
  int size = columns * rows * layers;
  // CHECK: + float *in = MAI_PLACED_NEW(in, calloc(MAI_COUNT((size_t)size), MAI_BYTES(sizeof *in)), 4 * (unsigned long)(columns * rows), "block"
  float *in = calloc((size_t)size, sizeof *in);
  // CHECK: + float *out = MAI_PLACED_NEW(out, calloc(MAI_COUNT((size_t)size), MAI_BYTES(sizeof *out)), 4 * (unsigned long)(columns * rows), "block"
  float *out = calloc((size_t)size, sizeof *out);
  size = 0;
  columns = 1;
  smooth(in, out, rows, rows, layers);
  printf("%g %d\n", out[rows], size + columns);
  free(in);
  free(out);
  return 0;
}
