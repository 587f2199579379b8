/*===-- main.c - gas dynamics: the whole ---------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 *   ./hydro [tube | blast] [time]
 *
 * Verified are the conservation of mass and energy, the exact solution of the shock tube, and the
 * symmetry of the blast.
 */
#include "hydro.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_WRONG = 1, EXIT_USAGE = 2 };

static int is_kept(const char *what, double before, double after) {
  const double change = fabs(after - before) / before, bound = 1e-11;
  printf("change of %s %.3e, at most %.3e\n", what, change, bound);
  return change <= bound;
}

/* Runs to a time; returns the number of steps. */
static int run(const struct grid *grid, double until) {
  int steps = 0;
  for (double time = 0; time < until; steps++) {
    const double most = time_step(grid, 0.4);
    const double dt = time + most < until ? most : until - time;
    advance(grid, dt);
    time += dt;
    if (dt < 1e-12 * until) /* what rounding has left over */
      break;
  }
  return steps;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "tube";
  const struct problem *problem = find_problem(name);
  char *end = NULL;
  const double until = argc > 2 ? strtod(argv[2], &end) : problem ? problem->until : 0;
  if (!problem || argc > 3 || (end && *end) || !(until > 0)) {
    fprintf(stderr, "usage: %s [tube | blast] [time, greater than 0]\n", argv[0]);
    return EXIT_USAGE;
  }
  const struct grid grid = {problem->length_x / CELLS_X, problem->length_y / CELLS_Y,
                            problem->length_x, problem->length_y};
  printf("%s, %d x %d cells, to time %g\n", problem->name, CELLS_X, CELLS_Y, until);
  problem->start(&grid);
  const struct totals before = find_totals(&grid);
  const int steps = run(&grid, until);
  const struct totals after = find_totals(&grid);
  printf("%d steps\n", steps);
  const int kept =
      is_kept("mass", before.mass, after.mass) & is_kept("energy", before.energy, after.energy);
  const int right = problem->verify(&grid, until);
  printf("VERIFICATION %s\n", kept && right ? "SUCCESSFUL" : "FAILED");
  return kept && right ? EXIT_SUCCESS : EXIT_WRONG;
}
