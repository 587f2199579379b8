/*===-- force.c - how atoms act upon one another -------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "md.h"

#include <math.h>

/* The difference to the nearest of an atom's images. */
double nearest_image(double difference, double length) {
  return difference - length * floor(difference / length + 0.5);
}

/* What a pair at this squared distance has: its energy, and its force by the distance. */
struct pair {
  double energy, force;
};

static inline struct pair pair_at(double squared) {
  const double inverse = 1 / squared, sixth = inverse * inverse * inverse;
  return (struct pair){4 * sixth * (sixth - 1), 48 * sixth * (sixth - 0.5) * inverse};
}

/* Adds what atom j does to atom i, unless it is too far away. */
static inline void add_pair(const vector *position, int i, int j, double length, double reach,
                            double at_reach, vector force, double *energy) {
  vector d;
  double squared = 0;
  for (int k = 0; k < 3; k++) {
    d[k] = nearest_image(position[i][k] - position[j][k], length);
    squared += d[k] * d[k];
  }
  if (squared >= reach * reach || i == j)
    return;
  const struct pair pair = pair_at(squared);
  for (int k = 0; k < 3; k++)
    force[k] += pair.force * d[k];
  *energy += 0.5 * (pair.energy - at_reach);
}

/* The forces on all atoms, and their energies. Each pair is computed from both sides: no thread
   writes what another does. */
void find_forces(const struct cells *cells, struct atoms *atoms) {
  const vector *position = (const vector *)atoms->position;
  const double at_reach = pair_at(cells->reach * cells->reach).energy;
#pragma omp parallel for schedule(static)
  for (int cell = 0; cell < cells->count; cell++)
    for (int i = cells->first[cell]; i < cells->first[cell + 1]; i++) {
      vector force = {0, 0, 0};
      double energy = 0;
      for (int n = 0; n < 27; n++) {
        const int other = neighbour_cell(cells, cell, n);
        for (int j = cells->first[other]; j < cells->first[other + 1]; j++)
          add_pair(position, i, j, cells->length, cells->reach, at_reach, force, &energy);
      }
      for (int k = 0; k < 3; k++)
        atoms->force[i][k] = force[k];
      atoms->energy[i] = energy;
    }
}

/* How far the forces on some atoms are from those of all pairs. */
double greatest_error_of_forces(const struct cells *cells, const struct atoms *atoms) {
  const vector *position = (const vector *)atoms->position;
  double greatest = 0;
#pragma omp parallel for reduction(max : greatest) schedule(dynamic)
  for (int i = 0; i < atoms->count; i += 7) {
    vector force = {0, 0, 0};
    double energy = 0;
    for (int j = 0; j < atoms->count; j++)
      add_pair(position, i, j, cells->length, cells->reach, 0, force, &energy);
    for (int k = 0; k < 3; k++)
      greatest = fmax(greatest, fabs(force[k] - atoms->force[i][k]));
  }
  return greatest;
}
