/*===-- problem.c - what is computed, and how it is verified -------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "hydro.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double centre_x(const struct grid *grid, int column) {
  return (column - FIRST + 0.5) * grid->dx;
}

static double centre_y(const struct grid *grid, int row) { return (row - FIRST + 0.5) * grid->dy; }

/*===-- Sod's shock tube -----------------------------------------------------===*/

static const struct primitive tube_left = {1, 0, 0, 1}, tube_right = {0.125, 0, 0, 0.1};

static void start_tube(const struct grid *grid) {
#pragma omp parallel for schedule(static)
  for (int row = FIRST; row < LAST_Y; row++)
    for (int column = FIRST; column < LAST_X; column++)
      set_cell(row, column, centre_x(grid, column) < 0.5 * grid->length_x ? tube_left : tube_right);
}

/* The mean error of the density is of the order of a cell: shocks and contacts are smeared. */
static int verify_tube(const struct grid *grid, double time) {
  double error = 0;
#pragma omp parallel for reduction(+ : error) schedule(static)
  for (int row = FIRST; row < LAST_Y; row++)
    for (int column = FIRST; column < LAST_X; column++) {
      const double speed = (centre_x(grid, column) - 0.5 * grid->length_x) / time;
      error +=
          fabs(conserved[MASS][row][column] - exact_riemann(tube_left, tube_right, speed).density);
    }
  error /= (double)CELLS_X * CELLS_Y;
  const double bound = 0.8 * grid->dx;
  printf("mean error of density %.3e, at most %.3e\n", error, bound);
  return error <= bound;
}

/*===-- An explosion in the middle ---------------------------------------------===*/

static void start_blast(const struct grid *grid) {
  const double radius = 0.1;
#pragma omp parallel for schedule(static)
  for (int row = FIRST; row < LAST_Y; row++)
    for (int column = FIRST; column < LAST_X; column++) {
      const double x = centre_x(grid, column) - 0.5 * grid->length_x;
      const double y = centre_y(grid, row) - 0.5 * grid->length_y;
      const double p = x * x + y * y < radius * radius ? 10 : 0.1;
      set_cell(row, column, (struct primitive){1, 0, 0, p});
    }
}

/* Nothing distinguishes x from y. */
static int verify_blast(const struct grid *grid, double time) {
  (void)grid;
  (void)time;
  const double most = asymmetry(), bound = 1e-9;
  printf("asymmetry %.3e, at most %.3e\n", most, bound);
  return most <= bound;
}

/*===-- All --------------------------------------------------------------------===*/

const struct problem *find_problem(const char *name) {
  static const struct problem problems[] = {
      {"tube", 1, (double)CELLS_Y / CELLS_X, 0.2, verify_tube, start_tube},
      {"blast", 1, (double)CELLS_Y / CELLS_X, 0.25, verify_blast, start_blast},
  };
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
    if (strcmp(problems[i].name, name) == 0)
      return &problems[i];
  return NULL;
}
