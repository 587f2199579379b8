/*===-- boundary.c - walls -----------------------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "hydro.h"

/* The velocity across a wall has the other sign behind it. */
static double sign(int variable, int across) { return variable == across ? -1.0 : 1.0; }

static void reflect_left_and_right(field of, double turned) {
#pragma omp parallel for schedule(static)
  for (int row = FIRST; row < LAST_Y; row++)
    for (int ghost = 0; ghost < GHOSTS; ghost++) {
      of[row][FIRST - 1 - ghost] = turned * of[row][FIRST + ghost];
      of[row][LAST_X + ghost] = turned * of[row][LAST_X - 1 - ghost];
    }
}

static void reflect_top_and_bottom(field of, double turned) {
  for (int ghost = 0; ghost < GHOSTS; ghost++)
#pragma omp parallel for schedule(static)
    for (int column = 0; column < COLUMNS; column++) {
      of[FIRST - 1 - ghost][column] = turned * of[FIRST + ghost][column];
      of[LAST_Y + ghost][column] = turned * of[LAST_Y - 1 - ghost][column];
    }
}

/* Fills the cells beyond the walls. */
void reflect(field state[CONSERVED]) {
  for (int variable = 0; variable < CONSERVED; variable++) {
    reflect_left_and_right(state[variable], sign(variable, MOMENTUM_X));
    reflect_top_and_bottom(state[variable], sign(variable, MOMENTUM_Y));
  }
}
