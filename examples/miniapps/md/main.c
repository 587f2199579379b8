/*===-- main.c - molecular dynamics: the whole ---------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 *   ./md [cells of the lattice along an edge, at least 5] [steps]
 *
 * Verified: that energy and momentum are conserved, that the cells find all pairs, that no memory
 * is left.
 */
#include "md.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_WRONG = 1, EXIT_USAGE = 2 };

static const double density = 0.8442, temperature = 1.44, reach = 2.5, dt = 0.002;

static int is_at_most(const char *what, double found, double bound) {
  printf("%s %.3e, at most %.3e\n", what, found, bound);
  return found <= bound;
}

static void step(struct cells *cells, struct atoms *atoms) {
  accelerate(atoms, dt / 2);
  move(atoms, cells, dt);
  sort_into_cells(cells, atoms);
  find_forces(cells, atoms);
  accelerate(atoms, dt / 2);
}

static double total_energy(const struct atoms *atoms) {
  const struct energies energies = find_energies(atoms);
  return (energies.kinetic + energies.potential) / atoms->count;
}

/* Runs, and returns how far the energy of an atom was from that at the start at most. */
static double run(struct cells *cells, struct atoms *atoms, int steps) {
  const double before = total_energy(atoms);
  double most = 0;
  for (int i = 0; i < steps; i++) {
    step(cells, atoms);
    const double now = total_energy(atoms);
    most = fmax(most, fabs(now - before));
    if ((i + 1) % 50 == 0)
      printf("step %d: energy of an atom %.6f\n", i + 1, now);
  }
  return most;
}

static int parse(const char *text, int least, int greatest) {
  char *end;
  const long value = strtol(text, &end, 10);
  return *end == '\0' && value >= least && value <= greatest ? (int)value : 0;
}

int main(int argc, char **argv) {
  const int across = argc > 1 ? parse(argv[1], 5, 200) : 12;
  const int steps = argc > 2 ? parse(argv[2], 1, 1000000) : 100;
  if (argc > 3 || across == 0 || steps == 0) {
    fprintf(stderr, "usage: %s [lattice cells along an edge, at least 5] [steps]\n", argv[0]);
    return EXIT_USAGE;
  }
  double length;
  struct atoms atoms = make_lattice(across, density, &length);
  struct cells cells = make_cells(&atoms, length, reach);
  printf("%d atoms in %d cells, %d steps\n", atoms.count, cells.count, steps);
  set_velocities(&atoms, temperature);
  sort_into_cells(&cells, &atoms);
  find_forces(&cells, &atoms);

  const double drift = run(&cells, &atoms, steps);
  vector momentum;
  find_momentum(&atoms, momentum);
  const double moved = fabs(momentum[0]) + fabs(momentum[1]) + fabs(momentum[2]);
  count_pairs(&cells, &atoms);
  print_distribution(&cells, &atoms);
  int right = is_at_most("change of an atom's energy", drift, 5e-4);
  right &= is_at_most("momentum", moved, 1e-9 * atoms.count);
  right &= is_at_most("error of forces", greatest_error_of_forces(&cells, &atoms), 1e-9);
  right &= is_at_most("pairs nearer than 0.7", pairs_within(0.7), 0);
  free_cells(&cells);
  free_atoms(&atoms);
  right &= is_at_most("blocks left", (double)allocations_left(), 0);
  printf("VERIFICATION %s\n", right ? "SUCCESSFUL" : "FAILED");
  return right ? EXIT_SUCCESS : EXIT_WRONG;
}
