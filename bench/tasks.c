/*===-- tasks.c - times tasks that do little ---------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Usage: tasks TASKS ROUNDS
 * Prints the least time of a task over ROUNDS rounds of TASKS tasks each, in nanoseconds: of empty
 * ones and of ones that take a microsecond on a quiet CPU, which one thread makes (`one`), all
 * threads make (`all`), or tasks make, each two and waits for them (`tree`).
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 3 };

static long steps; /* of a task's work */

/* Each step waits for the one before. */
static void work(void) {
  for (long i = 0; i < steps; i++)
    __asm__ volatile("" : "+r"(i));
}

static void make(long count) {
  for (long i = 0; i < count; i++)
#pragma omp task firstprivate(i)
    work();
}

static void made_by_one(long count) {
#pragma omp parallel
#pragma omp single
  make(count);
}

static void made_by_all(long count) {
#pragma omp parallel
  make(count / omp_get_num_threads());
}

static void branch(long count) {
  work();
  if (count < 3)
    return;
#pragma omp task firstprivate(count)
  branch((count - 1) / 2);
#pragma omp task firstprivate(count)
  branch((count - 1) / 2);
#pragma omp taskwait
}

static void made_by_tasks(long count) {
#pragma omp parallel
#pragma omp single
  branch(count);
}

static double least_seconds(void run(long count), long count, long rounds) {
  double least = 1e9;
  run(count);
  for (long i = 0; i < rounds; i++) {
    double begin = omp_get_wtime();
    run(count);
    double seconds = (omp_get_wtime() - begin) / (double)count;
    least = seconds < least ? seconds : least;
  }
  return least;
}

static void one_work(long count) {
  (void)count;
  work();
}

/* How many steps take a microsecond. */
static long steps_of_microsecond(void) {
  enum { MANY = 1000000 };
  steps = MANY;
  double seconds = least_seconds(one_work, 1, 20);
  return (long)(MANY * 1e-6 / seconds);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(long count);
  } kinds[KINDS] = {{"one", made_by_one}, {"all", made_by_all}, {"tree", made_by_tasks}};
  if (argc != 3)
    return 2;
  long microsecond = steps_of_microsecond();
  for (int i = 0; i < KINDS; i++) {
    steps = 0;
    printf("%s-empty %.1f\n", kinds[i].name,
           1e9 * least_seconds(kinds[i].run, atol(argv[1]), atol(argv[2])));
    steps = microsecond;
    printf("%s-1us %.1f\n", kinds[i].name,
           1e9 * least_seconds(kinds[i].run, atol(argv[1]), atol(argv[2])));
  }
  return 0;
}
