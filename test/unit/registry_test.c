/*===-- registry_test.c - many threads use the registry at once *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Without OpenMP, whose run-times the thread sanitizer does not understand.  Where the machine has
   one node nothing moves, but all that threads share is used all the same. */
#include "mai/arrays/registry.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mai.h"
#include "mai/arrays/next_touch.h"

enum { THREADS = 8, ROUNDS = 100, PAGE = 4096, SHARED_PAGES = 64 };

/* An array that all threads use; each writes to an eighth of its own. */
static char *shared;

struct worker {
  pthread_t thread;
  unsigned number;
  int failures;
};

static void check(struct worker *worker, bool condition, const char *what) {
  if (condition)
    return;
  worker->failures++;
  printf("thread %u: %s: %s\n", worker->number, what, strerror(errno));
}

/* Containers may not let a program place memory. */
static bool worked(int result) { return result == 0 || errno == EPERM || errno == ENOSYS; }

static void allocate_look_and_free(struct worker *worker, size_t units) {
  const char *policy = "cyclic";
  struct mai_pages pages;
  struct mai_statistics statistics;
  int nodes[8];
  char *array = mai_alloc(units, PAGE, policy, "round");
  check(worker, array, "mai_alloc");
  if (!array)
    return;
  memset(array, 1, units * PAGE);
  check(worker, mai_verify(array, &pages, NULL, 0) == 0 && pages.total == units, "mai_verify");
  check(worker, mai_node_meant(array) >= 0 && mai_where(array) >= 0, "where it is");
  check(worker, mai_page_map(array, 0, 8, nodes) == (long)units, "mai_page_map");
  check(worker, mai_get_statistics(array, &statistics) == 0, "mai_get_statistics");
  check(worker, worked(mai_replace(array, NULL, NULL)), "mai_replace");
  array = mai_realloc(array, units + 1);
  check(worker, array && array[units * PAGE - 1] == 1, "mai_realloc");
  check(worker, mai_free(array) == 0, "mai_free");
}

static void place_and_forget(struct worker *worker, char *memory, size_t bytes) {
  const char *skew = "skew";
  check(worker, mai_place(memory, bytes, 1, skew, "own") == 0, "mai_place");
  check(worker, mai_place(memory + PAGE, bytes / 2, 1, skew, "part") == 0, "mai_place of a part");
  check(worker, mai_forget(memory + PAGE) == 0, "mai_forget");
}

/* As mai_next_touch(), which does nothing where there is one node. */
static void wait_for_touches(struct worker *worker) {
  struct mai_array *array = mai_registry_hold(shared);
  check(worker, array && worked(mai_next_touch_begin(array, 0, 0)), "mai_next_touch_begin");
  mai_registry_release(array);
}

static void use_shared(struct worker *worker, unsigned round) {
  enum { SHARE = SHARED_PAGES / THREADS * PAGE };
  char *own = shared + worker->number * SHARE;
  int nodes[SHARED_PAGES];
  unsigned cpu = 0;
  if (worker->number == round % THREADS)
    wait_for_touches(worker);
  for (size_t i = 0; i < SHARE; i += PAGE)
    own[i]++;
  check(worker, own[0] == (char)(round + 1), "what was written");
  int node = mai_where(own);
  check(worker,
        node < 0 || worked(mai_migrate_range(shared, worker->number * (size_t)SHARE, SHARE,
                                             (unsigned)node, NULL)),
        "mai_migrate_range");
  check(worker, mai_page_map(shared, 0, SHARED_PAGES, nodes) == SHARED_PAGES, "mai_page_map");
  check(worker, mai_map_threads(&cpu, 1) == 0 || errno == EBUSY || errno == EINVAL,
        "mai_map_threads");
  check(worker, mai_cpu_of_thread(worker->number) >= 0 || errno == ENOENT, "mai_cpu_of_thread");
}

static void *work(void *argument) {
  struct worker *worker = argument;
  size_t bytes = 16 * PAGE;
  char *memory = malloc(bytes);
  for (unsigned round = 0; memory && round < ROUNDS; round++) {
    allocate_look_and_free(worker, 1 + round % 5);
    place_and_forget(worker, memory, bytes);
    use_shared(worker, round);
  }
  free(memory);
  return NULL;
}

int main(void) {
  struct worker workers[THREADS] = {0};
  int failures = 0;
  shared = mai_alloc_cyclic(SHARED_PAGES, PAGE);
  if (!shared)
    return 2;
  memset(shared, 0, (size_t)SHARED_PAGES * PAGE);
  for (unsigned i = 0; i < THREADS; i++) {
    workers[i].number = i;
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
      return 2;
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(workers[i].thread, NULL);
    failures += workers[i].failures;
  }
  failures += !worked(mai_replace_all(NULL));
  failures += mai_free(shared) != 0;
  printf("%d failures\n", failures);
  return failures != 0;
}
