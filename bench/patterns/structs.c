/*===-- structs.c - particles in a box, an array of structs ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "common.h"

#ifndef SIZE
#define SIZE 9000
#endif
#ifndef SWEEPS
#define SWEEPS 4000
#endif

struct particle {
  double position[3];
  double velocity[3];
  double mass;
  int bounces;
};

#ifndef MALLOC
static struct particle particles[SIZE];
#endif

static void start(struct particle *all) {
#pragma omp parallel for
  for (int p = 0; p < SIZE; p++) {
    for (int d = 0; d < 3; d++) {
      all[p].position[d] = noise((unsigned)(6 * p + d));
      all[p].velocity[d] = noise((unsigned)(6 * p + 3 + d)) - 0.5;
    }
    all[p].mass = 1.0 + 1e-3 * (p % 7);
    all[p].bounces = 0;
  }
}

static void move(struct particle *all, double dt) {
#pragma omp parallel for
  for (int p = 0; p < SIZE; p++)
    for (int d = 0; d < 3; d++) {
      all[p].position[d] += dt * all[p].velocity[d];
      if (all[p].position[d] < 0.0 || all[p].position[d] > 1.0) {
        all[p].velocity[d] = -all[p].velocity[d];
        all[p].bounces++;
      }
    }
}

static double energy(const struct particle *all) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int p = 0; p < SIZE; p++) {
    const double *const v = all[p].velocity;
    sum += 0.5 * all[p].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  return sum;
}

static double count_bounces(const struct particle *all) {
  long sum = 0;
  for (int p = 0; p < SIZE; p++)
    sum += all[p].bounces;
  return (double)sum;
}

int main(void) {
#ifdef MALLOC
  struct particle *particles = malloc(SIZE * sizeof *particles);
  if (!particles)
    return out_of_memory();
#endif
  start(particles);
  double sum = 0.0;
  const struct times begin = times_now();
  for (int s = 0; s < SWEEPS; s++) {
    move(particles, 1e-2);
    sum += energy(particles);
  }
  const int status = report(begin, sum + count_bounces(particles));
#ifdef MALLOC
  free(particles);
#endif
  return status;
}
