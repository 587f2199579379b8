/*===-- state.c - the variables in all cells -----------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "hydro.h"

#include <math.h>

field conserved[CONSERVED];
field stage[CONSERVED];
field density, velocity_x, velocity_y, pressure;

/* Sets a cell at the start. */
void set_cell(int row, int column, struct primitive cell) {
  const double kinetic = 0.5 * cell.density * (square(cell.velocity_x) + square(cell.velocity_y));
  conserved[MASS][row][column] = cell.density;
  conserved[MOMENTUM_X][row][column] = cell.density * cell.velocity_x;
  conserved[MOMENTUM_Y][row][column] = cell.density * cell.velocity_y;
  conserved[ENERGY][row][column] = cell.pressure / (GAMMA - 1) + kinetic;
}

/* Density, velocities and pressure of all cells, those beyond the walls too. */
void find_primitives(field from[CONSERVED]) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++) {
      const double mass = from[MASS][row][column];
      const double u = from[MOMENTUM_X][row][column] / mass;
      const double v = from[MOMENTUM_Y][row][column] / mass;
      density[row][column] = mass;
      velocity_x[row][column] = u;
      velocity_y[row][column] = v;
      pressure[row][column] =
          (GAMMA - 1) * (from[ENERGY][row][column] - 0.5 * mass * (u * u + v * v));
    }
}

/* The sums that walls and gas cannot change. */
struct totals find_totals(const struct grid *grid) {
  double mass = 0, energy = 0;
#pragma omp parallel for reduction(+ : mass, energy) schedule(static)
  for (int row = FIRST; row < LAST_Y; row++)
    for (int column = FIRST; column < LAST_X; column++) {
      mass += conserved[MASS][row][column];
      energy += conserved[ENERGY][row][column];
    }
  const double volume = grid->dx * grid->dy;
  return (struct totals){mass * volume, energy * volume};
}

/* How far the state is from being the same when x and y are exchanged, in the density. */
double asymmetry(void) {
  double most = 0;
#if CELLS_X == CELLS_Y
#pragma omp parallel for reduction(max : most) schedule(static)
  for (int row = FIRST; row < LAST_Y; row++)
    for (int column = FIRST; column < row; column++)
      most = fmax(most, fabs(conserved[MASS][row][column] - conserved[MASS][column][row]));
#endif
  return most;
}
