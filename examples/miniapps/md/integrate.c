/*===-- integrate.c - how atoms move -------------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "md.h"

#include <math.h>

/* Moves all atoms, and brings back into the box those that have left it. */
void move(struct atoms *atoms, const struct cells *cells, double dt) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < atoms->count; i++)
    for (int d = 0; d < 3; d++) {
      const double to = atoms->position[i][d] + dt * atoms->velocity[i][d];
      const double inside = to - cells->length * floor(to / cells->length);
      atoms->position[i][d] = inside < cells->length ? inside : 0;
    }
}

/* The mass of an atom is 1. */
void accelerate(struct atoms *atoms, double dt) {
  vector *velocity = atoms->velocity;
  const vector *force = (const vector *)atoms->force;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < atoms->count; i++)
    for (int d = 0; d < 3; d++)
      velocity[i][d] += dt * force[i][d];
}
