/* Lines of an image that are blocks of their own go where their number says, also where the table of their colour comes
   before it, and where threads have tiles of several lines.

   RUN: mapp-rewrite -q %s | FileCheck %s
*/
#include <stdlib.h>

enum { Colours = 3, Lines = 512, Tile = 16 };

static float **image[Colours], **grey;

static void allocate(int width) {
  for (int c = 0; c < Colours; c++) {
    image[c] = malloc(Lines * sizeof *image[c]);
    for (int y = 0; y < Lines; y++)
      // CHECK: {{^\+.*}}MAI_PLACED_ROW(image[c][y], {{.*}}, (unsigned long)y, (unsigned long)Lines, "block"{{.*}} /* mapp: elements follow index y of the parallel loop in brighten() */);
      image[c][y] = calloc(width, sizeof(float));
  }
  grey = malloc(Lines * sizeof *grey);
  for (int y = 0; y < Lines; y++)
    // CHECK: {{^\+.*}}MAI_PLACED_ROW(grey[y], {{.*}}, (unsigned long)y, (unsigned long)Lines, "block"{{.*}} /* mapp: elements that grey delimits follow index t of the parallel loop in mix() */);
    grey[y] = calloc(width, sizeof(float));
}

static void brighten(int width) {
#pragma omp parallel for
  for (int y = 0; y < Lines; y++)
    for (int c = 0; c < Colours; c++)
      for (int x = 0; x < width; x++)
        image[c][y][x] = 1 + 2 * image[c][y][x];
}

static void mix(int width) {
#pragma omp parallel for
  for (int t = 0; t < Lines / Tile; t++)
    for (int y = t * Tile; y < (t + 1) * Tile; y++)
      for (int x = 0; x < width; x++)
        grey[y][x] = image[0][y][x] + image[1][y][x];
}

int main(int argc, char **argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 300;
  allocate(width);
  brighten(width);
  mix(width);
  return grey[1][1] > 1;
}
