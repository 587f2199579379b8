/*===-- task_turns.c - how much of a program's code each thread runs *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Into a program that compilers build with -fsanitize-coverage=trace-pc: each basic block calls
 * this.  bench/task-load runs it in a guest where a pause hands a CPU's turn over.
 *
 * What is told is of the time between the program's first and last omp_get_wtime().
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 64, BLOCKS_A_TURN = 100 };

struct moment {
  uint64_t blocks[THREADS];
  double seconds;
};

static struct {
  _Alignas(64) uint64_t blocks;
} threads[THREADS];
static atomic_uint thread_count;
static _Thread_local uint64_t *own __attribute__((tls_model("initial-exec")));
static struct moment first, last;

static void begin_thread(void) {
  unsigned thread = atomic_fetch_add(&thread_count, 1);
  own = &threads[thread < THREADS ? thread : THREADS - 1].blocks;
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
  if (!own)
    begin_thread();
  if (++*own % BLOCKS_A_TURN == 0)
    __builtin_ia32_pause();
}

double omp_get_wtime(void);
double omp_get_wtime(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  last.seconds = (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
  for (unsigned thread = 0; thread < THREADS; thread++)
    last.blocks[thread] = threads[thread].blocks;
  if (first.seconds == 0)
    first = last;
  return last.seconds;
}

__attribute__((destructor)) static void tell(void) {
  printf("turns: %.6f s, blocks", last.seconds - first.seconds);
  for (unsigned thread = 0; thread < atomic_load(&thread_count) && thread < THREADS; thread++)
    printf(" %llu", (unsigned long long)(last.blocks[thread] - first.blocks[thread]));
  printf("\n");
}
