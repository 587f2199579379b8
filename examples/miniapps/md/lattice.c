/*===-- lattice.c - where atoms start ------------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "md.h"

#include <math.h>
#include <stdint.h>

/* Atoms of each cell of a face-centred cubic lattice, in parts of its edge. */
static const vector basis[] = {
    {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};
enum { PER_CELL = sizeof basis / sizeof basis[0] };

static void allocate_atoms(struct atoms *atoms, int count) {
  const size_t n = (size_t)count;
  atoms->count = count;
  atoms->position = allocate(n, sizeof(vector), "positions");
  atoms->velocity = allocate(n, sizeof(vector), "velocities");
  atoms->force = allocate(n, sizeof(vector), "forces");
  atoms->energy = allocate(n, sizeof(double), "energies");
  atoms->number = allocate(n, sizeof(int), "numbers");
}

/* A lattice of across^3 cells of this density, and the length of its edge. */
struct atoms make_lattice(int across, double density, double *length) {
  struct atoms atoms;
  allocate_atoms(&atoms, PER_CELL * across * across * across);
  const double edge = cbrt(PER_CELL / density);
#pragma omp parallel for collapse(3) schedule(static)
  for (int x = 0; x < across; x++)
    for (int y = 0; y < across; y++)
      for (int z = 0; z < across; z++)
        for (int i = 0; i < PER_CELL; i++) {
          const int atom = ((x * across + y) * across + z) * PER_CELL + i;
          atoms.position[atom][0] = edge * (x + basis[i][0]);
          atoms.position[atom][1] = edge * (y + basis[i][1]);
          atoms.position[atom][2] = edge * (z + basis[i][2]);
          atoms.number[atom] = atom;
        }
  *length = edge * across;
  return atoms;
}

/* A number in [-1, 1) that depends on nothing but its index (splitmix64, Steele et al. 2014). */
static double random_number(uint64_t index) {
  uint64_t z = (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/* Random velocities of this temperature; the atoms as a whole are at rest. */
void set_velocities(struct atoms *atoms, double temperature) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < atoms->count; i++)
    for (int d = 0; d < 3; d++)
      atoms->velocity[i][d] = random_number((uint64_t)atoms->number[i] * 3 + (uint64_t)d);
  vector sum;
  find_momentum(atoms, sum);
  const double n = atoms->count;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < atoms->count; i++)
    for (int d = 0; d < 3; d++)
      atoms->velocity[i][d] -= sum[d] / n;
  const double factor = sqrt(1.5 * n * temperature / find_energies(atoms).kinetic);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < atoms->count; i++)
    for (int d = 0; d < 3; d++)
      atoms->velocity[i][d] *= factor;
}

void free_atoms(struct atoms *atoms) {
  release(atoms->position);
  release(atoms->velocity);
  release(atoms->force);
  release(atoms->energy);
  release(atoms->number);
  atoms->count = 0;
}
