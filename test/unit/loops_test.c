/*===-- loops_test.c - who gets which piece of a loop -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <pthread.h>

#include "check.h"
#include "openmp/loops/kmpc_loops.h"
#include "openmp/loops/loops.h"
#include "openmp/openmp.h"

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

/*===-- In regions of LLVM's run-time --------------------------------------===*/

static _Thread_local int level;
static _Thread_local int number_in_team;

static int get_level(void) { return level; }
static int get_thread_num(void) { return number_in_team; }
static int get_num_threads(void) { return THREADS; }

static const struct mai_openmp openmp = {.get_level = get_level,
                                         .get_thread_num = get_thread_num,
                                         .get_num_threads = get_num_threads,
                                         .is_llvm = true};

static const struct mai_loop_way way = {
    .openmp = &openmp, .distance = distance, .all_take_part = true};

enum { NONMONOTONIC_DYNAMIC = 1 << 30 | 35, GUIDED = 36 };

static struct mai_kmpc_loops *region;
static atomic_uchar times[LOOPS][PIECES];

/* Downwards, from PIECES - 1 to 0, in pieces of `chunk`. */
static void run_kmpc_loop(int loop_number, uint64_t chunk) {
  const struct mai_kmpc_loop loop = {PIECES - 1,           0,   (uint64_t)-1, chunk,
                                     NONMONOTONIC_DYNAMIC, true};
  struct mai_kmpc_piece piece;
  CHECK(mai_kmpc_loop_start(&loop, &way));
  while (mai_kmpc_loop_goes_on() && mai_kmpc_loop_next(&piece))
    for (int64_t i = (int64_t)piece.first; i >= (int64_t)piece.last; i--)
      atomic_fetch_add_explicit(&times[loop_number][i], 1, memory_order_relaxed);
}

static void *run_kmpc_loops(void *thread) {
  level = 1;
  number_in_team = (int)(uintptr_t)thread;
  mai_kmpc_loops_join(region, &openmp);
  for (int i = 0; i < LOOPS; i++)
    run_kmpc_loop(i, 1 + (uint64_t)(i % 20));
  mai_kmpc_loops_leave(region);
  return NULL;
}

/* Threads that do not wait for each other between loops run each iteration once. */
static void test_kmpc_threads(void) {
  pthread_t threads[THREADS];
  int wrong = 0;
  region = mai_kmpc_loops_open(&way);
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, run_kmpc_loops, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < LOOPS; i++)
    for (int j = 0; j < PIECES; j++)
      wrong += times[i][j] != 1;
  CHECK(wrong == 0);
  mai_kmpc_loops_close(region);
}

static bool is_given_out(struct mai_kmpc_loop loop, int at_level, struct mai_loop_way by) {
  level = 0;
  struct mai_kmpc_loops *loops = mai_kmpc_loops_open(&by);
  level = 1;
  mai_kmpc_loops_join(loops, &openmp);
  level = at_level;
  bool result = mai_kmpc_loop_start(&loop, &by);
  mai_kmpc_loops_leave(loops);
  level = 0;
  mai_kmpc_loops_close(loops);
  return result;
}

/* Other schedules, empty loops and regions inside others are the run-time's. */
static void test_kmpc_others(void) {
  const struct mai_kmpc_loop some = {0, 99, 1, 3, NONMONOTONIC_DYNAMIC, true};
  struct mai_kmpc_loop empty = some;
  struct mai_kmpc_loop guided = some;
  struct mai_loop_way any = way;
  empty.last = (uint64_t)-1;
  guided.schedule = GUIDED;
  any.distance = NULL;
  CHECK(is_given_out(some, 1, way));
  CHECK(!is_given_out(some, 2, way));
  CHECK(!is_given_out(empty, 1, way));
  CHECK(!is_given_out(guided, 1, way));
  CHECK(!is_given_out(some, 1, any));
  empty.is_signed =
      false; /* it goes up to the largest number, and has more iterations than can be told */
  CHECK(!is_given_out(empty, 1, way));
  empty.last--;
  empty.chunk = UINT64_C(1) << 40;
  CHECK(is_given_out(empty, 1, way));
}

/* All threads get some of a loop that has one piece for them. */
static void test_few_pieces(void) {
  const struct mai_kmpc_loop one = {0, 1023, 1, 1024, NONMONOTONIC_DYNAMIC, true};
  struct mai_kmpc_piece piece;
  struct mai_kmpc_loops *loops = mai_kmpc_loops_open(&way);
  level = 1;
  number_in_team = 5;
  mai_kmpc_loops_join(loops, &openmp);
  CHECK(mai_kmpc_loop_start(&one, &way) && mai_kmpc_loop_next(&piece));
  CHECK(piece.first > 600 && piece.first < 680 && piece.last == piece.first + 1);
  mai_kmpc_loops_leave(loops);
  level = 0;
  mai_kmpc_loops_close(loops);
}

int main(void) {
  test_order();
  test_numbers();
  test_threads();
  test_kmpc_threads();
  test_kmpc_others();
  test_few_pieces();
  printf("failures: %d\n", failures);
  return failures;
}
