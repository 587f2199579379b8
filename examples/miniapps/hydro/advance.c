/*===-- advance.c - one step in time -------------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "hydro.h"

#include <math.h>
#include <string.h>

/* What flows through the left and the lower face of each cell. */
static field flux_x[CONSERVED], flux_y[CONSERVED];

/* The greatest step for which no wave crosses more than this part of a cell. */
double time_step(const struct grid *grid, double courant) {
  double fastest = 0;
  find_primitives(conserved);
#pragma omp parallel for reduction(max : fastest) schedule(static)
  for (int row = FIRST; row < LAST_Y; row++)
    for (int column = FIRST; column < LAST_X; column++) {
      const double c = sqrt(GAMMA * pressure[row][column] / density[row][column]);
      const double in_x = (fabs(velocity_x[row][column]) + c) / grid->dx;
      const double in_y = (fabs(velocity_y[row][column]) + c) / grid->dy;
      fastest = fmax(fastest, in_x + in_y);
    }
  return courant / fastest;
}

/* The state at a face of a cell; `side` is -1 or 1. */
static inline struct primitive at_face(field slopes[CONSERVED], int row, int column, double side) {
  return (struct primitive){density[row][column] + side * slopes[0][row][column],
                            velocity_x[row][column] + side * slopes[1][row][column],
                            velocity_y[row][column] + side * slopes[2][row][column],
                            pressure[row][column] + side * slopes[3][row][column]};
}

/* As seen by one who turns his head so that y is x. */
static inline struct primitive turned(struct primitive at) {
  return (struct primitive){at.density, at.velocity_y, at.velocity_x, at.pressure};
}

static void find_fluxes(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int row = FIRST; row < LAST_Y; row++)
      for (int column = FIRST; column < LAST_X + 1; column++) {
        const struct flux found =
            hllc(at_face(slope_x, row, column - 1, 1), at_face(slope_x, row, column, -1));
        for (int variable = 0; variable < CONSERVED; variable++)
          flux_x[variable][row][column] = found.of[variable];
      }
#pragma omp for schedule(static)
    for (int row = FIRST; row < LAST_Y + 1; row++)
      for (int column = FIRST; column < LAST_X; column++) {
        const struct flux found = hllc(turned(at_face(slope_y, row - 1, column, 1)),
                                       turned(at_face(slope_y, row, column, -1)));
        flux_y[MASS][row][column] = found.of[MASS];
        flux_y[MOMENTUM_X][row][column] = found.of[MOMENTUM_Y];
        flux_y[MOMENTUM_Y][row][column] = found.of[MOMENTUM_X];
        flux_y[ENERGY][row][column] = found.of[ENERGY];
      }
  }
}

/* to = keep * conserved + (1 - keep) * (from + dt * what flows in). */
static void update(field to[CONSERVED], field from[CONSERVED], double keep, double dt,
                   const struct grid *grid) {
  const double by_x = dt / grid->dx, by_y = dt / grid->dy;
#pragma omp parallel for schedule(static)
  for (int row = FIRST; row < LAST_Y; row++)
    for (int variable = 0; variable < CONSERVED; variable++)
      for (int column = FIRST; column < LAST_X; column++) {
        const double in =
            by_x * (flux_x[variable][row][column] - flux_x[variable][row][column + 1]) +
            by_y * (flux_y[variable][row][column] - flux_y[variable][row + 1][column]);
        to[variable][row][column] = keep * conserved[variable][row][column] +
                                    (1 - keep) * (from[variable][row][column] + in);
      }
}

static void find_change(field from[CONSERVED]) {
  reflect(from);
  find_primitives(from);
  find_slopes();
  find_fluxes();
}

/* Heun's method: a step, another from where that came to, and the mean. */
void advance(const struct grid *grid, double dt) {
  find_change(conserved);
  update(stage, conserved, 0, dt, grid);
  find_change(stage);
  update(conserved, stage, 0.5, dt, grid);
}
