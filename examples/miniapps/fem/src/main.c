/*===-- main.c - finite elements: the whole ------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 *   ./fem [elements along an edge, 2 to 400]
 *
 * Verified: the volume of the mesh, that the matrix is symmetric and constants have no gradient,
 * the residual, and that the error of the solution goes with the square of the elements' size.
 */
#include "fem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_WRONG = 1, EXIT_USAGE = 2 };

static int is_at_most(const char *what, double found, double bound) {
  printf("%s %.3e, at most %.3e\n", what, found, bound);
  return found <= bound;
}

/* The error in the mean of all nodes. */
static double error_of(const mesh *of, const double *u) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (int node = 0; node < of->nodes; node++) {
    const double error = u[node] - solution_at(of->position[node]);
    sum += error * error;
  }
  return sqrt(sum / of->nodes);
}

/* The residual computed anew: that of the iterations may drift. */
static double true_residual(const matrix *by, const double *right, const double *u) {
  const int n = by->rows;
  double *r = NEW(double, n);
  multiply(by, u, r);
  multiple_and_add(n, -1, right, r);
  const double norm = sqrt(dot(n, r, r) / dot(n, right, right));
  free(r);
  return norm;
}

static int verify(const mesh *of, const matrix *stiffness, const double *load, const double *u) {
  const double h = 1.0 / of->across;
  int right = is_at_most("error of volume", fabs(volume_of(of) - 1), 1e-12);
  right &= is_at_most("sum of a row", greatest_row_sum(of), 1e-13);
  right &= is_at_most("asymmetry", greatest_asymmetry(stiffness), 1e-14);
  right &= is_at_most("residual", true_residual(stiffness, load, u), 1e-9);
  right &= is_at_most("error of solution", error_of(of, u), h * h);
  return right;
}

int main(int argc, char **argv) {
  char *end = NULL;
  const long across = argc > 1 ? strtol(argv[1], &end, 10) : 32;
  if (argc > 2 || (end && *end) || across < 2 || across > 400) {
    fprintf(stderr, "usage: %s [elements along an edge, 2 to 400]\n", argv[0]);
    return EXIT_USAGE;
  }
  program = argv[0];
  mesh of = make_mesh((int)across);
  matrix stiffness = make_pattern(&of);
  double *load = NEW(double, of.nodes), *u = NEW(double, of.nodes);
  printf("%d nodes, %d elements, %d entries\n", of.nodes, of.elements, stiffness.begin[of.nodes]);
  assemble(&of, &stiffness, load);
  const convergence reached = solve(&stiffness, load, u, 1e-10, 10 * of.nodes);
  printf("%d iterations\n", reached.iterations);
  const int right = verify(&of, &stiffness, load, u);
  printf("VERIFICATION %s\n", right ? "SUCCESSFUL" : "FAILED");
  free(u);
  free(load);
  free_matrix(&stiffness);
  free_mesh(&of);
  return right ? EXIT_SUCCESS : EXIT_WRONG;
}
