/*===-- costs.c - what watching and moving cost here ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * None is ever taken to be less than what was measured on an idle machine.
 */
#include "costs.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "mai/memory/machine.h"
#include "runtime/clock.h"
#include "runtime/heap.h"
#include "runtime/system.h"
#include "watch.h"

enum { TRIES = 16 };

static void insert(double *sorted, size_t count, double seconds) {
  for (; count > 0 && sorted[count - 1] > seconds; count--)
    sorted[count] = sorted[count - 1];
  sorted[count] = seconds;
}

static double at_least(double seconds, double least) { return seconds > least ? seconds : least; }

/*===-- Watched pages ------------------------------------------------------===*/

/* Pages of our own, that a thread of our own writes while they are watched. */
struct trial {
  char *pages;
  size_t page_size;
  bool (*is_to_end)(void);
  double seconds[TRIES]; /* that the writes have taken, ascending */
};

static uint32_t no_region(void) { return 0; }

static void *write_pages(void *argument) {
  struct trial *trial = argument;
  minas_sleep(1000); /* until they are armed */
  for (size_t i = 0; i < TRIES; i++) {
    double begin = minas_now();
    *(volatile char *)(trial->pages + i * trial->page_size) = 1;
    insert(trial->seconds, i, minas_now() - begin);
  }
  return NULL;
}

static void watch_trial(struct trial *trial) {
  struct mai_watched pages[TRIES];
  pthread_t thread;
  uintptr_t begin = (uintptr_t)trial->pages;
  struct mai_watched_range range = {begin, begin + TRIES * trial->page_size};
  memset(pages, 0, sizeof pages);
  for (size_t i = 0; i < TRIES; i++) {
    pages[i].begin = begin + i * trial->page_size;
    pages[i].end = pages[i].begin + trial->page_size;
  }
  if (pthread_create(&thread, NULL, write_pages, trial) != 0)
    return;
  mai_watch(&(struct mai_watching){.ranges = &range,
                                   .range_count = 1,
                                   .pages = pages,
                                   .count = TRIES,
                                   .seconds = 0.02,
                                   .is_to_end = trial->is_to_end,
                                   .region = no_region});
  pthread_join(thread, NULL);
}

/* What a line costs that is copied from a cache, which is what it costs at best. */
static double line_seconds(const struct trial *trial) {
  static const double LINE_BYTES = 64, LEAST = 1e-8;
  enum { ROUNDS = 8 };
  size_t half = TRIES / 2 * trial->page_size;
  double begin = minas_now();
  for (unsigned i = 0; i < ROUNDS; i++) {
    memcpy(trial->pages, trial->pages + half, half);
    __asm__ volatile("" ::: "memory");
  }
  double lines = (double)(ROUNDS * half) / LINE_BYTES;
  return at_least((minas_now() - begin) / lines, LEAST);
}

static char *first_page(char *block, size_t page_size) {
  size_t behind = (uintptr_t)block % page_size;
  return behind ? block + (page_size - behind) : block;
}

static void measure_watching(struct mai_costs *costs, bool (*is_to_end)(void)) {
  static const double LEAST = 30e-6;
  struct trial trial = {.page_size = mai_machine()->page_size, .is_to_end = is_to_end};
  char *block = minas_alloc((TRIES + 1) * trial.page_size);
  costs->fault = LEAST;
  costs->line = 1e-8;
  if (!block)
    return;
  trial.pages = first_page(block, trial.page_size);
  memset(trial.pages, 1, TRIES * trial.page_size);
  costs->line = line_seconds(&trial);
  watch_trial(&trial);
  costs->fault = at_least(trial.seconds[TRIES / 2], LEAST);
  minas_free(block);
}

/*===-- Pages that are touched first ---------------------------------------===*/

/* A page that is touched first, on an idle CPU: others may have had it meanwhile.
   @return 0 where there is no memory for that */
static double touch_seconds(size_t page_size) {
  enum { PAGES = 4 * TRIES };
  double sorted[PAGES];
  long pages = minas_system(SYS_mmap, 0, (long)(PAGES * page_size), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == -1)
    return 0;
  for (size_t i = 0; i < PAGES; i++) {
    double begin = minas_now();
    ((volatile char *)pages)[i * page_size] = 1;
    insert(sorted, i, minas_now() - begin);
  }
  minas_system(SYS_munmap, pages, (long)(PAGES * page_size), 0, 0, 0, 0);
  return sorted[PAGES / 4];
}

/* A sample interrupts a thread and writes down its registers, and a page that is moved is taken
   from one place and brought to another, which takes some times as long as a page that is touched
   first. That is measured in no time; to move pages takes so long that others have the CPU
   meanwhile. */
static void measure_touches(struct mai_costs *costs, bool samples) {
  static const double LEAST_SAMPLE = 5e-6, LEAST_MOVE = 4e-6;
  static const double TOUCHES_A_SAMPLE = 4, TOUCHES_A_MOVE = 8;
  double touch = touch_seconds(mai_machine()->page_size);
  costs->move = at_least(TOUCHES_A_MOVE * touch, LEAST_MOVE);
  if (samples)
    costs->sample = at_least(TOUCHES_A_SAMPLE * touch, LEAST_SAMPLE);
}

/*===-- All of them --------------------------------------------------------===*/

void mai_costs_measure(struct mai_costs *costs, bool samples, bool writes,
                       bool (*is_to_end)(void)) {
  *costs = (struct mai_costs){.sample = 0};
  measure_touches(costs, samples);
  if (writes)
    measure_watching(costs, is_to_end);
}
