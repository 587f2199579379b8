/*===-- mesh.c - nodes and elements --------------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "fem.h"

#include <math.h>
#include <stdlib.h>

static int node_index(int along, int i, int j, int k) { return (i * along + j) * along + k; }

/* Nodes inside are shifted along a wave, so that no element is a cube. */
static point shifted(double x, double y, double z) {
  const double pi = acos(-1), wave = 0.03 * sin(2 * pi * x) * sin(2 * pi * y) * sin(2 * pi * z);
  return (point){x + wave, y - wave, z + wave};
}

static void place_nodes(mesh *of) {
  const int along = of->across + 1;
  const double h = 1.0 / of->across;
#pragma omp parallel for collapse(2) schedule(static)
  for (int i = 0; i < along; i++)
    for (int j = 0; j < along; j++)
      for (int k = 0; k < along; k++) {
        const int node = node_index(along, i, j, k);
        of->position[node] = shifted(i * h, j * h, k * h);
        of->on_surface[node] =
            i == 0 || j == 0 || k == 0 || i == along - 1 || j == along - 1 || k == along - 1;
      }
}

static void connect(mesh *of) {
  const int n = of->across, along = n + 1;
#pragma omp parallel for schedule(static)
  for (int element = 0; element < of->elements; element++) {
    const int i = element / (n * n), j = element / n % n, k = element % n;
    for (int corner = 0; corner < CORNERS; corner++)
      of->corner[element][corner] =
          node_index(along, i + (corner >> 2), j + (corner >> 1 & 1), k + (corner & 1));
  }
}

/* The elements around each node: how many, where, which. */
static void turn_around(mesh *of) {
  int *next = NEW(int, of->nodes);
  for (int node = 0; node <= of->nodes; node++)
    of->around[node] = 0;
  for (int element = 0; element < of->elements; element++)
    for (int corner = 0; corner < CORNERS; corner++)
      of->around[of->corner[element][corner] + 1]++;
  for (int node = 0; node < of->nodes; node++) {
    of->around[node + 1] += of->around[node];
    next[node] = of->around[node];
  }
  for (int element = 0; element < of->elements; element++)
    for (int corner = 0; corner < CORNERS; corner++)
      of->element_at[next[of->corner[element][corner]]++] = element;
  free(next);
}

mesh make_mesh(int across) {
  mesh of = {.across = across};
  of.nodes = (across + 1) * (across + 1) * (across + 1);
  of.elements = across * across * across;
  of.position = NEW(point, of.nodes);
  of.on_surface = NEW(unsigned char, of.nodes);
  of.corner = new_array((size_t)of.elements, sizeof *of.corner);
  of.around = NEW(int, of.nodes + 1);
  of.element_at = NEW(int, of.elements *CORNERS);
  place_nodes(&of);
  connect(&of);
  turn_around(&of);
  return of;
}

/* The sum of the volumes of the elements. */
double volume_of(const mesh *of) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (int element = 0; element < of->elements; element++) {
    point corners[CORNERS];
    element_matrices integrals;
    for (int corner = 0; corner < CORNERS; corner++)
      corners[corner] = of->position[of->corner[element][corner]];
    integrate_element(corners, &integrals);
    sum += integrals.volume;
  }
  return sum;
}

void free_mesh(mesh *of) {
  free(of->position);
  free(of->on_surface);
  free(of->corner);
  free(of->around);
  free(of->element_at);
}
