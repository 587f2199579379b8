/* Runs each iteration once: loops of many shapes, schedules, numbers of iterations and chunks. */
#include <limits.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 20000 };
static atomic_uchar seen[MOST];
static atomic_long outside;
static int failed;

static void see(unsigned long number) {
  if (number < MOST)
    atomic_fetch_add(&seen[number], 1);
  else
    atomic_fetch_add(&outside, 1);
}

/* Each of the first numbers has been seen once, and no other. */
static void check(const char *what, long count) {
  long wrong = outside;
  for (long i = 0; i < MOST; i++)
    wrong += seen[i] != (i < count);
  if (wrong) {
    printf("%s, %ld iterations: %ld wrong\n", what, count, wrong);
    failed = 1;
  }
  memset(seen, 0, sizeof seen);
  outside = 0;
}

#define NAME dynamic_ones
#define SCHEDULE dynamic
#include "shapes.h"
#define NAME dynamic_chunks
#define SCHEDULE dynamic, chunk
#include "shapes.h"
#define NAME guided_ones
#define SCHEDULE guided
#include "shapes.h"
#define NAME guided_chunks
#define SCHEDULE guided, chunk
#include "shapes.h"
#define NAME runtime_ones
#define SCHEDULE runtime
#include "shapes.h"
#define NAME monotonic_chunks
#define SCHEDULE                                                                                   \
  monotonic:                                                                                       \
  dynamic, chunk
#include "shapes.h"
#define NAME nonmonotonic_chunks
#define SCHEDULE                                                                                   \
  nonmonotonic:                                                                                    \
  dynamic, chunk
#include "shapes.h"

int main(void) {
  static const int counts[] = {0, 1, 2, 3, 17, 100, 4999};
  static const int chunks[] = {1, 7, 64, 6000};
  static void (*const all[])(int, int) = {dynamic_ones,       dynamic_chunks, guided_ones,
                                          guided_chunks,      runtime_ones,   monotonic_chunks,
                                          nonmonotonic_chunks};
  omp_set_max_active_levels(2);
  for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
    for (unsigned j = 0; j < sizeof chunks / sizeof *chunks; j++) {
      omp_set_schedule(j % 2 ? omp_sched_dynamic : omp_sched_guided, chunks[j]);
      for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
        all[k](counts[i], chunks[j]);
    }
  puts(failed ? "wrong" : "right");
  return failed;
}
