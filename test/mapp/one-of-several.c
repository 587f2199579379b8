/* Which of several things a run does an option says: none of them outweighs another. Where threads write an array first, no run is to
   become worse than it is by first touch, so that what all threads go over has no pages in turn while another run's loops divide it.
   It makes no difference how a run is told to do one thing: by a `switch`, by an arm that ends the run, by a table of functions, or
   by an option that is asked in each step. Where one run may do both, or one thread writes it first, the heavier one decides.

   RUN: mapp-rewrite %s 2> %t.report | FileCheck %s
   RUN: FileCheck --check-prefix=REPORT %s < %t.report
   RUN: mapp-rewrite --explain=switched %s | FileCheck --check-prefix=EXPLAIN %s

   EXPLAIN:      cyclic on threads
   EXPLAIN:      excluded: worse than first touch in some runs: elements follow index i of the parallel loop in divide()
   EXPLAIN:      * block
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 20 };

// CHECK: +MAI_STATIC(switched, "block")
static double switched[N];
// CHECK: +MAI_STATIC(returned, "block")
static double returned[N];
// CHECK: +MAI_STATIC(ended, "block")
static double ended[N];
// CHECK: +MAI_STATIC(chained, "block")
static double chained[N];
// CHECK: +MAI_STATIC(in_table, "block")
static double in_table[N];
// CHECK: +MAI_STATIC(asked, "block")
static double asked[N];
// CHECK: +MAI_STATIC(passed_over, "block")
static double passed_over[N];
// CHECK: +MAI_STATIC(filled_by_one, "cyclic on threads")
static double filled_by_one[N];
// CHECK: +MAI_STATIC(in_turn, "cyclic on threads")
static double in_turn[N];
// CHECK: +MAI_STATIC(falling, "cyclic on threads")
static double falling[N];
// CHECK: +MAI_STATIC(called_twice, "cyclic on threads")
static double called_twice[N];
// REPORT-DAG: own: left alone: threads write it first
static double own[1024][1024];

static double sum;

static void fill(double *a) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    a[i] = i;
}

static void divide(double *a) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    a[i] = 2 * a[i] + 1;
}

static void all(const double *a) {
#pragma omp parallel reduction(+ : sum)
  for (int t = 0; t < 200; t++)
    for (int i = 0; i < N; i++)
      sum += a[i];
}

static void by_switch(int mode) {
  switch (mode) {
  case 0:
    divide(switched);
    break;
  case 1:
    all(switched);
    break;
  default:
    printf("no such mode\n");
  }
}

static void by_return(int mode) {
  if (mode == 1) {
    all(returned);
    return;
  }
  divide(returned);
}

static void by_chain(const char *mode) {
  if (strcmp(mode, "all") == 0)
    all(chained);
  else if (strcmp(mode, "none") == 0)
    return;
  else
    divide(chained);
}

static void divide_table(void) { divide(in_table); }
static void all_of_table(void) { all(in_table); }

static const struct method {
  const char *name;
  void (*run)(void);
} methods[] = {{"divide", divide_table}, {"all", all_of_table}};

static void by_table(const char *name) {
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    if (strcmp(methods[k].name, name) == 0) {
      methods[k].run();
      return;
    }
}

static void by_option(int steps, int mode) {
  for (int step = 0; step < steps; step++) {
    if (mode == 1)
      all(asked);
    else
      divide(asked);
  }
}

static void by_continue(int steps, int mode) {
  for (int step = 0; step < steps; step++) {
    if (mode == 1) {
      all(passed_over);
      continue;
    }
    divide(passed_over);
  }
}

/* First touch has it all in one memory, where it is right in no run. */
static void read_by_threads(int mode) {
  for (int i = 0; i < N; i++)
    filled_by_one[i] = i;
  if (mode == 1) {
    all(filled_by_one);
    return;
  }
#pragma omp parallel reduction(+ : sum)
  for (int i = 0; i < N; i += 8)
    sum += filled_by_one[i];
}

static void in_each_step(int steps) {
  for (int step = 0; step < steps; step++) {
    if (step % 2 == 1)
      all(in_turn);
    else
      divide(in_turn);
  }
}

static void by_falling(int mode) {
  switch (mode) {
  case 0:
    divide(falling); /* fall through */
  default:
    all(falling);
  }
}

static void again(int mode) {
  if (mode == 1)
    all(called_twice);
  else
    divide(called_twice);
}

static void rows(void) {
#pragma omp parallel for
  for (int i = 0; i < 1024; i++)
    for (int j = 0; j < 1024; j++)
      own[i][j] = i + j;
#pragma omp parallel for
  for (int i = 0; i < 1024; i++)
    for (int j = 0; j < 1024; j++)
      own[i][j] *= 0.5;
}

static void columns(void) {
#pragma omp parallel for
  for (int j = 0; j < 1024; j++)
    for (int i = 0; i < 1024; i++)
      own[i][j] = i + j;
  for (int t = 0; t < 9; t++) {
#pragma omp parallel for
    for (int j = 0; j < 1024; j++)
      for (int i = 0; i < 1024; i++)
        own[i][j] *= 0.5;
  }
}

int main(int argc, char **argv) {
  const int mode = argc > 1 ? atoi(argv[1]) : 0;
  double *const arrays[] = {switched, returned, ended, chained, in_table, asked, passed_over, in_turn, falling, called_twice};
  fill(switched);
  fill(returned);
  fill(ended);
  fill(chained);
  fill(in_table);
  fill(asked);
  fill(passed_over);
  fill(in_turn);
  fill(falling);
  fill(called_twice);
  by_switch(mode);
  by_return(mode);
  by_chain(argv[argc - 1]);
  by_table(argv[argc - 1]);
  by_option(argc, mode);
  by_continue(argc, mode);
  read_by_threads(mode);
  in_each_step(argc);
  by_falling(mode);
  again(0);
  again(1);
  if (mode == 3)
    columns();
  else
    rows();
  if (mode == 1) {
    all(ended);
    printf("%g\n", sum);
    exit(0);
  }
  divide(ended);
  return arrays[mode & 3][5] > 3;
}
