/*===-- slopes.c - linear reconstruction ---------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "hydro.h"

/* Of density, velocities and pressure, in this order: half of the difference across a cell. */
field slope_x[CONSERVED], slope_y[CONSERVED];

/* Van Leer's limiter: the harmonic mean of both differences, 0 at extrema. */
static inline double limited(double left, double right) {
  const double product = left * right;
  return product > 0 ? product / (left + right) : 0;
}

static void find_slopes_of(field of, field in_x, field in_y) {
#pragma omp for schedule(static)
  for (int row = FIRST - 1; row < LAST_Y + 1; row++)
    for (int column = FIRST - 1; column < LAST_X + 1; column++) {
      const double here = of[row][column];
      in_x[row][column] = limited(here - of[row][column - 1], of[row][column + 1] - here);
      in_y[row][column] = limited(here - of[row - 1][column], of[row + 1][column] - here);
    }
}

/* The slopes of the primitive variables in all cells that have neighbours. */
void find_slopes(void) {
#pragma omp parallel
  {
    find_slopes_of(density, slope_x[0], slope_y[0]);
    find_slopes_of(velocity_x, slope_x[1], slope_y[1]);
    find_slopes_of(velocity_y, slope_x[2], slope_y[2]);
    find_slopes_of(pressure, slope_x[3], slope_y[3]);
  }
}
