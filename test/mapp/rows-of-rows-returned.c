/* Images that a function makes, of a malloc() for each colour of each line, and that lie in a table: they are found through
   each of the three pointers, whoever stored them.

   RUN: mapp-rewrite -q %s | FileCheck %s
*/
#include <stdlib.h>

static float ***new_image(int height, int width, int colours) {
  float ***image = malloc((height + 1) * sizeof *image);
  for (int y = 0; y <= height; y++) {
    image[y] = malloc((colours + 1) * sizeof **image);
    for (int c = 0; c <= colours; c++)
      // CHECK: {{^\+.*}}MAI_PLACED_ROW(image[y][c], malloc({{.*}}), (unsigned long)y, {{.*}}, "block", 0, {{.*}} /* mapp: elements follow index y of the parallel loop in blur() */);
      image[y][c] = malloc((width + 1) * sizeof ***image);
  }
  return image;
}

static void blur(float ***to, float ***from, int height, int width, int colours) {
#pragma omp parallel for
  for (int y = 0; y < height; y++)
    for (int c = 0; c < colours; c++)
      for (int x = 0; x < width; x++)
        to[y][c][x] = (from[y][c][x] + from[y][c][x + 1]) / 2;
}

int main(int argc, char **argv) {
  const int height = argc > 1 ? atoi(argv[1]) : 64;
  float ***images[2];
  for (int i = 0; i < 2; i++)
    images[i] = new_image(height, height, 3);
  for (int i = 0; i < 10; i++)
    blur(images[1 - i % 2], images[i % 2], height, height, 3);
  return 0;
}
