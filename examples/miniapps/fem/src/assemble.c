/*===-- assemble.c - the matrix of all elements --------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "fem.h"

#include <math.h>

static double wave(double x) { return sin(acos(-1) * x); }

/* What u should be. */
double solution_at(point at) { return wave(at.x) * wave(at.y) * wave(at.z); }

static double load_at(point at) {
  const double pi = acos(-1);
  return 3 * pi * pi * solution_at(at);
}

static void integrals_of(const mesh *of, int element, element_matrices *out) {
  point corners[CORNERS];
  for (int corner = 0; corner < CORNERS; corner++)
    corners[corner] = of->position[of->corner[element][corner]];
  integrate_element(corners, out);
}

static int corner_of(const mesh *of, int element, int node) {
  int corner = 0;
  while (of->corner[element][corner] != node)
    corner++;
  return corner;
}

/* Nodes on the surface have u = 0: their rows and columns are those of the unit matrix. */
static void add_element(const mesh *of, int element, int row, matrix *stiffness, double *load) {
  element_matrices integrals;
  const int own = corner_of(of, element, row);
  integrals_of(of, element, &integrals);
  for (int corner = 0; corner < CORNERS; corner++) {
    const int column = of->corner[element][corner];
    if (!of->on_surface[column])
      *entry(stiffness, row, column) += integrals.stiffness[own][corner];
    load[row] += integrals.mass[own][corner] * load_at(of->position[column]);
  }
}

/* Sets the matrix and the right-hand side. */
void assemble(const mesh *of, matrix *stiffness, double *load) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < of->nodes; row++) {
    for (int i = stiffness->begin[row]; i < stiffness->begin[row + 1]; i++)
      stiffness->value[i] = 0;
    load[row] = 0;
    if (of->on_surface[row])
      *entry(stiffness, row, row) = 1;
    else
      for (int at = of->around[row]; at < of->around[row + 1]; at++)
        add_element(of, of->element_at[at], row, stiffness, load);
  }
}

/* A constant has no gradient: every row of an element's stiffness adds up to 0. */
double greatest_row_sum(const mesh *of) {
  double most = 0;
#pragma omp parallel for reduction(max : most) schedule(static)
  for (int element = 0; element < of->elements; element++) {
    element_matrices integrals;
    integrals_of(of, element, &integrals);
    for (int r = 0; r < CORNERS; r++) {
      double sum = 0;
      for (int c = 0; c < CORNERS; c++)
        sum += integrals.stiffness[r][c];
      most = fmax(most, fabs(sum));
    }
  }
  return most;
}
