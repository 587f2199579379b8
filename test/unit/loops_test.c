/*===-- loops_test.c - who gets which piece of a loop -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <pthread.h>

#include "check.h"
#include "openmp/loops/loops.h"

static unsigned distance(unsigned thread, unsigned other) {
  return thread < other ? other - thread : thread - other;
}

static struct mai_loop *new_loop(unsigned threads, uint64_t pieces) {
  struct mai_loop *loop = mai_loops_take(threads);
  if (loop) {
    loop->distance = distance;
    loop->shape = (struct mai_loop_shape){0, 3 * pieces - 1, 3, pieces};
  }
  return loop;
}

/*===-- One after the other ------------------------------------------------===*/

static void check_pieces(struct mai_loop_visitor *visitor, const uint64_t *expected, int count) {
  for (int i = 0; i < count; i++) {
    uint64_t piece = UINT64_MAX;
    CHECK(mai_loop_take(visitor, &piece) && piece == expected[i]);
  }
}

#define CHECK_PIECES(visitor, ...)                                                                 \
  do {                                                                                             \
    const uint64_t expected[] = {__VA_ARGS__};                                                     \
    check_pieces(visitor, expected, (int)(sizeof expected / sizeof *expected));                    \
  } while (0)

/* The last of ten pieces is for nobody; the others are divided as 3, 2, 2, 2. */
static void test_order(void) {
  struct mai_loop *loop = new_loop(4, 10);
  struct mai_loop_visitor visitors[4];
  uint64_t piece;
  for (unsigned i = 0; i < 4; i++)
    mai_loop_visit(&visitors[i], loop, i, 4);
  CHECK_PIECES(&visitors[2], 5);
  CHECK_PIECES(&visitors[1], 3, 4, 2, 1); /* then of the nearest that has most, from its end */
  CHECK_PIECES(&visitors[0], 0, 6);
  CHECK_PIECES(&visitors[1], 8, 7, 9);
  for (unsigned i = 0; i < 4; i++)
    CHECK(!mai_loop_take(&visitors[i], &piece));
  for (unsigned i = 0; i < 4; i++)
    CHECK(mai_loop_leave(&visitors[i]) == (i == 3));
  mai_loops_give_back(loop);
}

static void test_numbers(void) {
  struct mai_loop *loop = new_loop(2, 4);
  uint64_t start;
  uint64_t end;
  mai_loop_numbers(loop, 1, &start, &end);
  CHECK(start == 3 && end == 6);
  mai_loop_numbers(loop, 3, &start, &end);
  CHECK(start == 9 && end == 11);
  struct mai_loop_name name = mai_loops_name(loop);
  CHECK(mai_loops_named(name.start) == loop && mai_loops_named(name.end - 1) == loop);
  CHECK(!mai_loops_may_name(0) && !mai_loops_may_name(INT64_MAX) &&
        !mai_loops_may_name(UINT64_MAX));
  mai_loops_give_back(loop);
  CHECK(!mai_loops_named(name.start));
}

/*===-- At once ------------------------------------------------------------===*/

enum { THREADS = 8, LOOPS = 1000, PIECES = 67, TOGETHER = 16 };

/* What a run-time keeps of a loop: the numbers of the thread that came first. */
static struct {
  _Atomic uint64_t first;
  _Atomic uint64_t given;
} runtime[LOOPS];

static atomic_uchar seen[LOOPS][3 * PIECES];
static pthread_barrier_t barrier;

static struct mai_loop *come(struct mai_loop *named, int number) {
  uint64_t first = mai_loops_name(named).start;
  uint64_t known = 0;
  if (!atomic_compare_exchange_strong_explicit(&runtime[number].first, &known, first,
                                               memory_order_relaxed, memory_order_relaxed))
    first = known;
  return mai_loops_named(
      first + atomic_fetch_add_explicit(&runtime[number].given, 1, memory_order_relaxed));
}

static void run_loop(unsigned thread, int number) {
  struct mai_loop *named = new_loop(THREADS, PIECES);
  struct mai_loop *loop = come(named, number);
  uint64_t start;
  uint64_t end;
  if (loop != named)
    mai_loops_give_back(named);
  mai_loop_visit(&mai_loop_own, loop, thread, THREADS);
  while (mai_loops_next(&start, &end))
    for (uint64_t i = start; i < end; i++)
      atomic_fetch_add_explicit(&seen[number][i], 1, memory_order_relaxed);
}

static void *run_loops(void *thread) {
  for (int i = 0; i < LOOPS; i++) {
    if (i % TOGETHER == 0)
      pthread_barrier_wait(&barrier);
    run_loop((unsigned)(uintptr_t)thread, i);
  }
  return NULL;
}

static void test_threads(void) {
  pthread_t threads[THREADS];
  int wrong = 0;
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, run_loops, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < LOOPS; i++)
    for (int j = 0; j < 3 * PIECES; j++)
      wrong += seen[i][j] != (j < 3 * PIECES - 1);
  CHECK(wrong == 0);
}

int main(void) {
  test_order();
  test_numbers();
  test_threads();
  printf("failures: %d\n", failures);
  return failures;
}
