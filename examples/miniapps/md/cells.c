/*===-- cells.c - who is near --------------------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "md.h"

#include <string.h>

/* The order of the atoms is changed in these. */
static vector *sorted_positions, *sorted_velocities;
static int *sorted_numbers;

/* Cells that are at least as wide as the potential reaches. */
struct cells make_cells(const struct atoms *atoms, double length, double reach) {
  struct cells cells = {.length = length, .reach = reach, .across = (int)(length / reach)};
  const size_t n = (size_t)atoms->count;
  cells.count = cells.across * cells.across * cells.across;
  cells.first = allocate((size_t)cells.count + 1, sizeof(int), "cells");
  cells.cell_of = allocate(n, sizeof(int), "atoms' cells");
  cells.place = allocate(n, sizeof(int), "atoms' places");
  sorted_positions = allocate(n, sizeof(vector), "sorted positions");
  sorted_velocities = allocate(n, sizeof(vector), "sorted velocities");
  sorted_numbers = allocate(n, sizeof(int), "sorted numbers");
  return cells;
}

static int index_of(const struct cells *cells, double coordinate) {
  const int index = (int)(coordinate / cells->length * cells->across);
  return index < cells->across ? index : cells->across - 1;
}

static void find_cells(struct cells *cells, const struct atoms *atoms) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < atoms->count; i++) {
    const double *at = atoms->position[i];
    cells->cell_of[i] =
        (index_of(cells, at[0]) * cells->across + index_of(cells, at[1])) * cells->across +
        index_of(cells, at[2]);
  }
}

/* Where each cell's atoms begin, and where each atom goes: in each cell in the order they had. */
static void find_places(struct cells *cells, const struct atoms *atoms) {
  memset(cells->first, 0, ((size_t)cells->count + 1) * sizeof(int));
  for (int i = 0; i < atoms->count; i++)
    cells->first[cells->cell_of[i] + 1]++;
  for (int cell = 0; cell < cells->count; cell++)
    cells->first[cell + 1] += cells->first[cell];
  for (int i = 0; i < atoms->count; i++)
    cells->place[i] = cells->first[cells->cell_of[i]]++;
  memmove(cells->first + 1, cells->first, (size_t)cells->count * sizeof(int));
  cells->first[0] = 0;
}

/* Sorts the atoms by their cells. */
void sort_into_cells(struct cells *cells, struct atoms *atoms) {
  find_cells(cells, atoms);
  find_places(cells, atoms);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < atoms->count; i++) {
      const int to = cells->place[i];
      memcpy(sorted_positions[to], atoms->position[i], sizeof(vector));
      memcpy(sorted_velocities[to], atoms->velocity[i], sizeof(vector));
      sorted_numbers[to] = atoms->number[i];
    }
#pragma omp for schedule(static)
    for (int i = 0; i < atoms->count; i++) {
      memcpy(atoms->position[i], sorted_positions[i], sizeof(vector));
      memcpy(atoms->velocity[i], sorted_velocities[i], sizeof(vector));
      atoms->number[i] = sorted_numbers[i];
    }
  }
}

static int wrapped(int index, int across) {
  return index < 0 ? index + across : index >= across ? index - across : index;
}

/* One of the 27 cells around a cell, itself among them, over the box's edges. */
int neighbour_cell(const struct cells *cells, int cell, int neighbour) {
  const int n = cells->across;
  const int x = wrapped(cell / (n * n) + neighbour / 9 - 1, n);
  const int y = wrapped(cell / n % n + neighbour / 3 % 3 - 1, n);
  const int z = wrapped(cell % n + neighbour % 3 - 1, n);
  return (x * n + y) * n + z;
}

void free_cells(struct cells *cells) {
  release(cells->first);
  release(cells->cell_of);
  release(cells->place);
  release(sorted_positions);
  release(sorted_velocities);
  release(sorted_numbers);
}
