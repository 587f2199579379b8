/*===-- md.h - molecular dynamics with cell lists ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Atoms that attract and repel one another by the Lennard-Jones potential, in a periodic box, in
 * the usual reduced units.  Neighbours are found by cells as wide as the potential reaches; atoms
 * are sorted by their cells, so that neighbours lie near one another in memory.  Velocity Verlet.
 *
 * The arrays of atoms are on the heap, from a helper that also counts; statistics are static.
 *
 * Source: M. P. Allen, D. J. Tildesley, Computer Simulation of Liquids, 2nd ed., chapters 3 and 5.
 */
#ifndef MD_H
#define MD_H

#include <stddef.h>

typedef double vector[3];

/* What is known of each atom, one array for each property. */
struct atoms {
  int count;
  vector *position;
  vector *velocity;
  vector *force;
  double *energy; /* half of that of each pair */
  int *number;    /* which atom of the start this is */
};

/* The box, and which atoms are in each of its cells. */
struct cells {
  double length; /* of the box's edges */
  double reach;  /* of the potential */
  int across;    /* cells along an edge */
  int count;     /* across^3 */
  int *first;    /* of each cell, and one more: where its atoms begin */
  int *cell_of;  /* of each atom before sorting */
  int *place;    /* of each atom after sorting */
};

struct energies {
  double kinetic, potential;
};

/* memory.c */
void *allocate(size_t count, size_t bytes, const char *what);
void release(void *memory);
size_t allocations_left(void);

/* lattice.c */
struct atoms make_lattice(int across, double density, double *length);
void set_velocities(struct atoms *atoms, double temperature);
void free_atoms(struct atoms *atoms);

/* cells.c */
struct cells make_cells(const struct atoms *atoms, double length, double reach);
void sort_into_cells(struct cells *cells, struct atoms *atoms);
void free_cells(struct cells *cells);
int neighbour_cell(const struct cells *cells, int cell, int neighbour);

/* force.c */
double nearest_image(double difference, double length);
void find_forces(const struct cells *cells, struct atoms *atoms);
double greatest_error_of_forces(const struct cells *cells, const struct atoms *atoms);

/* integrate.c */
void move(struct atoms *atoms, const struct cells *cells, double dt);
void accelerate(struct atoms *atoms, double dt);

/* observe.c */
struct energies find_energies(const struct atoms *atoms);
void find_momentum(const struct atoms *atoms, vector sum);
void count_pairs(const struct cells *cells, const struct atoms *atoms);
double pairs_within(double distance);
void print_distribution(const struct cells *cells, const struct atoms *atoms);

#endif /* MD_H */
