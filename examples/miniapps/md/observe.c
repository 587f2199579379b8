/*===-- observe.c - what is measured -------------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "md.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#define BINS 1024
#define MAX_THREADS 256

/* Pairs by their distance: counted by each thread for itself, then added up. */
static unsigned histograms[MAX_THREADS][BINS];
static double pairs[BINS];
static double bin_width;

struct energies find_energies(const struct atoms *atoms) {
  double kinetic = 0, potential = 0;
#pragma omp parallel for reduction(+ : kinetic, potential) schedule(static)
  for (int i = 0; i < atoms->count; i++) {
    for (int d = 0; d < 3; d++)
      kinetic += 0.5 * atoms->velocity[i][d] * atoms->velocity[i][d];
    potential += atoms->energy[i];
  }
  return (struct energies){kinetic, potential};
}

void find_momentum(const struct atoms *atoms, vector sum) {
  double x = 0, y = 0, z = 0;
#pragma omp parallel for reduction(+ : x, y, z) schedule(static)
  for (int i = 0; i < atoms->count; i++) {
    x += atoms->velocity[i][0];
    y += atoms->velocity[i][1];
    z += atoms->velocity[i][2];
  }
  sum[0] = x;
  sum[1] = y;
  sum[2] = z;
}

static void count_in_cell(const struct cells *cells, const struct atoms *atoms, int cell,
                          unsigned *histogram) {
  for (int n = 0; n < 27; n++) {
    const int other = neighbour_cell(cells, cell, n);
    for (int i = cells->first[cell]; i < cells->first[cell + 1]; i++)
      for (int j = cells->first[other]; j < cells->first[other + 1]; j++) {
        double squared = 0;
        for (int k = 0; k < 3; k++) {
          const double d =
              nearest_image(atoms->position[i][k] - atoms->position[j][k], cells->length);
          squared += d * d;
        }
        const int bin = (int)(sqrt(squared) / bin_width);
        if (i != j && bin < BINS)
          histogram[bin]++;
      }
  }
}

/* Counts the pairs within the reach of the potential by their distances. */
void count_pairs(const struct cells *cells, const struct atoms *atoms) {
  const int threads = omp_get_max_threads() < MAX_THREADS ? omp_get_max_threads() : MAX_THREADS;
  bin_width = cells->reach / BINS;
  memset(histograms, 0, sizeof histograms);
#pragma omp parallel num_threads(threads)
  {
    unsigned *mine = histograms[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 4)
    for (int cell = 0; cell < cells->count; cell++)
      count_in_cell(cells, atoms, cell, mine);
#pragma omp for schedule(static)
    for (int bin = 0; bin < BINS; bin++) {
      pairs[bin] = 0;
      for (int thread = 0; thread < threads; thread++)
        pairs[bin] += histograms[thread][bin];
    }
  }
}

/* How many pairs are nearer than this; each counts twice. */
double pairs_within(double distance) {
  double sum = 0;
  for (int bin = 0; bin < BINS && (bin + 1) * bin_width <= distance; bin++)
    sum += pairs[bin];
  return sum;
}

/* The number of pairs by distance, where 1 is that of a gas. */
void print_distribution(const struct cells *cells, const struct atoms *atoms) {
  const double pi = 3.14159265358979323846;
  const double density = atoms->count / (cells->length * cells->length * cells->length);
  const int step = BINS / 8;
  for (int bin = 0; bin < BINS; bin += step) {
    double sum = 0;
    for (int i = bin; i < bin + step; i++)
      sum += pairs[i];
    const double inner = bin * bin_width, outer = (bin + step) * bin_width;
    const double volume = 4 * pi / 3 * (outer * outer * outer - inner * inner * inner);
    printf("pairs at %.3f to %.3f: %.4f\n", inner, outer, sum / (volume * density * atoms->count));
  }
}
