/* Boxes, matrices and columns that lie one behind the other in an array, each from where a table says: what threads have who divide the boxes is
   one part of the array, however a box is gone over, and whatever the length of its rows.  Components that lie far apart are no box, nor are a
   few elements.

   RUN: mapp-rewrite %s 2>&1 >/dev/null | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
// CHECK-DAG: cells: block{{.*}}: elements that boxes delimits follow index b of the parallel loop in relax()
// CHECK-DAG: fluxes: block{{.*}}: elements that boxes delimits follow index b of the parallel loop in relax()
// CHECK-DAG: fronts: block{{.*}}: elements that first delimits follow index f of the parallel loop in factor()
// CHECK-DAG: slices: block{{.*}}: elements that begin delimits follow index s of the parallel loop in multiply()
// CHECK-DAG: layers: cyclic on threads: indexed indirectly by column
// CHECK-DAG: corners: cyclic on threads: indexed indirectly by node
#include <stdio.h>
#include <stdlib.h>

struct box {
  int width, height, depth;
  size_t at;
};

enum { BOXES = 48, FRONTS = 64, SLICES = 400, HEIGHT = 8, COLUMNS = 3000, CORNERS = 4 };
static struct box boxes[BOXES];
static int order[FRONTS], begin[SLICES + 1], width[SLICES], column[COLUMNS], node[COLUMNS];
static size_t first[FRONTS + 1];

static void relax(double *cells, double *fluxes) {
#pragma omp parallel for
  for (int b = 0; b < BOXES; b++) {
    int w = boxes[b].width, h = boxes[b].height;
    for (int k = 1; k < boxes[b].depth - 1; k++)
      for (int j = 1; j < h - 1; j++)
        for (int i = 1; i < w - 1; i++) {
          size_t c = boxes[b].at + ((size_t)k * h + j) * w + i;
          fluxes[c] = cells[c - 1] + cells[c + 1] + cells[c - w] + cells[c + w] - 4 * cells[c];
        }
  }
#pragma omp parallel for
  for (int b = 0; b < BOXES; b++) {
    double *own = cells + boxes[b].at, *change = fluxes + boxes[b].at;
    for (int c = 0; c < boxes[b].width * boxes[b].height * boxes[b].depth; c++)
      own[c] += 0.25 * change[c];
  }
}

static void eliminate(double *a, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}

static void factor(double *fronts) {
#pragma omp parallel for
  for (int f = 0; f < FRONTS; f++)
    eliminate(fronts + first[f], order[f]);
}

static void multiply(const double *slices, double *y) {
#pragma omp parallel for
  for (int s = 0; s < SLICES; s++)
    for (int k = 0; k < width[s]; k++)
      for (int i = 0; i < HEIGHT; i++)
        y[s * HEIGHT + i] += slices[begin[s] + k * HEIGHT + i];
}

static void mix(double *layers, int most, double *corners) {
#pragma omp parallel for
  for (int i = 0; i < COLUMNS; i++) {
    for (int k = 0; k < most; k++)
      layers[column[i] + k * COLUMNS] += 1;
    for (int c = 0; c < CORNERS; c++)
      corners[node[i] + c] += 1;
  }
}

int main(int argc, char **argv) {
  size_t sum = 0;
  for (int b = 0; b < BOXES; b++) {
    boxes[b] = (struct box){5 + b % 3, 6 + b % 4, 7 + b % 5, sum};
    sum += (size_t)boxes[b].width * boxes[b].height * boxes[b].depth;
  }
  double *cells = malloc(sum * sizeof *cells), *fluxes = calloc(sum, sizeof *fluxes);
  for (size_t c = 0; c < sum; c++)
    cells[c] = c % 10;
  for (int f = 0; f < FRONTS; f++) {
    order[f] = 9 + f % 7;
    first[f + 1] = first[f] + (size_t)(order[f] * order[f]);
  }
  double *fronts = malloc(first[FRONTS] * sizeof *fronts);
  for (int f = 0; f < FRONTS; f++)
    for (int i = 0; i < order[f] * order[f]; i++)
      fronts[first[f] + i] = i % (order[f] + 1) ? 1 : 50;
  for (int s = 0; s < SLICES; s++) {
    width[s] = 3 + s % 4;
    begin[s + 1] = begin[s] + width[s] * HEIGHT;
  }
  double *slices = malloc(begin[SLICES] * sizeof *slices), *y = calloc(SLICES * HEIGHT, sizeof *y);
  for (int i = 0; i < begin[SLICES]; i++)
    slices[i] = i % 8;
  const int most = argc + 4;
  double *layers = malloc((size_t)most * COLUMNS * sizeof *layers);
  double *corners = malloc((size_t)argc * COLUMNS * CORNERS * sizeof *corners);
  for (int i = 0; i < COLUMNS; i++) {
    column[i] = i * 7 % COLUMNS;
    node[i] = column[i] * CORNERS;
  }
  for (int i = 0; i < most * COLUMNS; i++)
    layers[i] = 0;
  for (int i = 0; i < COLUMNS * CORNERS; i++)
    corners[i] = 0;
  factor(fronts);
  for (int step = 0; step < 5; step++) {
    relax(cells, fluxes);
    multiply(slices, y);
    mix(layers, most, corners);
  }
  double total = 0;
  for (size_t c = 0; c < sum; c++)
    total += cells[c];
  for (size_t i = 0; i < first[FRONTS]; i++)
    total += fronts[i];
  for (int i = 0; i < SLICES * HEIGHT; i++)
    total += y[i];
  printf("%.6e %g %g\n", total, layers[(most - 1) * COLUMNS + 5], corners[9]);
  free(cells);
  free(fluxes);
  free(fronts);
  free(slices);
  free(y);
  free(layers);
  free(corners);
  (void)argv;
  return 0;
}
