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

#include "mai/memory/kernel.h"
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

/*===-- Pages that are touched first, and moved ----------------------------===*/

enum { PAGES = 4 * TRIES };

/* A page that is touched first, on an idle CPU: others may have had it meanwhile. */
static double touch_seconds(char *pages, size_t page_size) {
  double sorted[PAGES];
  for (size_t i = 0; i < PAGES; i++) {
    double begin = minas_now();
    *(volatile char *)(pages + i * page_size) = 1;
    insert(sorted, i, minas_now() - begin);
  }
  return sorted[PAGES / 4];
}

/* A sample interrupts a thread and writes down its registers, which takes some times as long as a
   page that is touched first; that can be measured in no time. */
static double sample_seconds(double touch) {
  static const double LEAST = 5e-6, PAGES_A_SAMPLE = 4;
  return at_least(PAGES_A_SAMPLE * touch, LEAST);
}

/* A node that has no page of those at `start`; where there is none, any. */
static int node_beside(uintptr_t start, size_t page_size) {
  const struct mai_machine *machine = mai_machine();
  int node = -1;
  mai_kernel_where(start, page_size, 1, &node);
  bool is_first = node == (int)machine->nodes[0];
  return (int)machine->nodes[is_first && machine->node_count > 1 ? 1 : 0];
}

/* Of some pages, moved together. */
static double move_once(char *pages, size_t page_size, int node) {
  void *addresses[TRIES];
  int nodes[TRIES], status[TRIES];
  for (size_t i = 0; i < TRIES; i++) {
    addresses[i] = pages + i * page_size;
    nodes[i] = node;
  }
  double begin = minas_own_seconds();
  mai_kernel_move(addresses, nodes, status, TRIES);
  return (minas_own_seconds() - begin) / (double)TRIES;
}

/* Pages that threads use cost more: each of these is interrupted. */
static double move_seconds(char *pages, size_t page_size) {
  static const double LEAST = 4e-6;
  double sorted[PAGES / TRIES];
  int node = node_beside((uintptr_t)pages, page_size);
  for (size_t i = 0; i < PAGES / TRIES; i++)
    insert(sorted, i, move_once(pages + i * TRIES * page_size, page_size, node));
  return at_least(sorted[0], LEAST);
}

static void measure_pages(struct mai_costs *costs, bool samples) {
  size_t page_size = mai_machine()->page_size;
  long mapped = minas_system(SYS_mmap, 0, (long)(PAGES * page_size), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == -1)
    return;
  char *pages = (char *)mapped;
  double touch = touch_seconds(pages, page_size);
  costs->move = move_seconds(pages, page_size);
  if (samples)
    costs->sample = sample_seconds(touch);
  minas_system(SYS_munmap, mapped, (long)(PAGES * page_size), 0, 0, 0, 0);
}

/*===-- All of them --------------------------------------------------------===*/

void mai_costs_measure(struct mai_costs *costs, bool samples, bool writes,
                       bool (*is_to_end)(void)) {
  *costs = (struct mai_costs){.sample = samples ? sample_seconds(0) : 0, .move = 4e-6};
  measure_pages(costs, samples);
  if (writes)
    measure_watching(costs, is_to_end);
}
