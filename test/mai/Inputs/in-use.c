/*===-- in-use.c - arrays of which a number says how much is used *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* One thread sets numbers and fills arrays; teams start before and after. */
#include <mai.h>
#include <mai_static.h>
#include <omp.h>

#include "pages.h"

enum { PAGES = 80, ON_PAGE = 4096 / 24, MOST_ATOMS = PAGES * ON_PAGE };

#define ALIGNED __attribute__((aligned(4096)))

static struct {
  int atoms;
  long pairs;
} count;
static int waves;

static double position[MOST_ATOMS][3] ALIGNED;
static double pair[PAGES * 512] ALIGNED; /* two for each that is counted */
static double wave[PAGES * 512] ALIGNED;
static double own[PAGES * 512] ALIGNED; /* the user has a policy for it */

MAI_STATIC_IN_USE(position, count.atoms, 1, "block");
MAI_STATIC_IN_USE(pair, count.pairs, 2, "block");
MAI_STATIC_IN_USE(wave, waves, 1, "block");
MAI_STATIC_IN_USE(own, waves, 1, "block");

static void run_teams(int teams) {
  for (int i = 0; i < teams; i++) {
#pragma omp parallel
    __asm__ volatile("" ::: "memory");
  }
}

static void fill(double *array, size_t count) {
  for (size_t i = 0; i < count; i++)
    array[i] = (double)i;
}

static int count_wrong(const double *array, size_t count) {
  int wrong = 0;
  for (size_t i = 0; i < count; i++)
    wrong += array[i] != (double)i;
  return wrong;
}

int main(void) {
  printf("threads: %d\n", omp_get_max_threads());
  run_teams(1);
  fill(position[0], sizeof position / sizeof(double));
  fill(pair, sizeof pair / sizeof *pair);
  fill(wave, sizeof wave / sizeof *wave);
  fill(own, sizeof own / sizeof *own);

  count.atoms = 40 * ON_PAGE;
  count.pairs = 10 * 512;
  waves = 40 * 512;
  run_teams(1);
  print_nodes("position", position, 40 * 4096);
  print_nodes("pair", pair, 20 * 4096);
  print_nodes("wave", wave, 40 * 4096);
  print_nodes("own", own, sizeof own);

  count.atoms = 80 * ON_PAGE;
  count.pairs += 10;
  run_teams(4);
  print_nodes("grown", position, 79 * 4096);
  print_nodes("little more", pair, 20 * 4096);

  for (int i = 0; i < 32; i++) {
    waves = (i % 2 ? 40 : 20) * 512;
    run_teams(1);
  }
  print_nodes("to and fro", wave, 40 * 4096);

  int wrong = count_wrong(position[0], sizeof position / sizeof(double)) +
              count_wrong(pair, sizeof pair / sizeof *pair) +
              count_wrong(wave, sizeof wave / sizeof *wave);
  printf("contents lost: %d\n", wrong);
  return 0;
}
