/* Loops that a program divides by hand, by the thread's number, are divided as by a directive: in
   shares by multiplication and division, by a table of bounds, through parameters, and in strides; a variable that each thread has a copy
   of is its number, too, where nothing else is stored there. A pointer may go over a share, of which the last ends where the array does.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#define N 10000

// CHECK: c:[[#]]: chunked: block: elements follow index i of the parallel loop in fill()
static double chunked[N];
// CHECK: c:[[#]]: divided: block: elements follow index i of the parallel loop in set()
static double divided[N];
// CHECK: c:[[#]]: bounded: block: elements follow index i of the parallel loop in fill()
static double bounded[N];
// CHECK: c:[[#]]: strided: cyclic on threads: distributed by thread number in fill()
static double strided[N];
static int bounds[1025];
// CHECK: c:[[#]]: own: left alone: {{.*}}each thread has a part of its own, by its number
static double own[64][96];
// CHECK: c:[[#]]: elsewhere: cyclic on threads: distributed by thread number in add_up()
static double elsewhere[64][96];
// CHECK: c:[[#]]: walked: block: elements follow index at of the parallel loop in walk()
static double walked[N];
static int self, other;
#pragma omp threadprivate(self, other)

static void add_up(int i) {
  own[self][i % 96] += i;
  elsewhere[other][i % 96] += i;
}

static void go_over(void) {
  self = omp_get_thread_num();
  other = self;
  if (other > 3)
    other = 63;
  for (int i = 0; i < N; i++)
    add_up(i);
}

static void set(double *element, int from, int to) {
  for (int i = from; i < to; i++)
    element[i] = i;
}

static void fill(void) {
  int me = omp_get_thread_num(), threads = omp_get_num_threads();
  int chunk = (N + threads - 1) / threads;
  int end = me * chunk + chunk > N ? N : me * chunk + chunk;
  for (int i = me * chunk; i < end; i++)
    chunked[i] = i;
  set(divided, N * me / threads, N * (me + 1) / threads);
  for (int i = bounds[me]; i < bounds[me + 1]; i++)
    bounded[i] = i;
  for (int i = me; i < N; i += threads)
    strided[i] = i;
}

static void walk(void) {
  const int me = omp_get_thread_num(), threads = omp_get_num_threads();
  const long share = N / threads;
  double *at = walked + me * share;
  double *const end = me == threads - 1 ? walked + N : at + share;
  for (; at < end; at++)
    *at += 1;
}

int main(void) {
  int threads = omp_get_max_threads();
  for (int t = 0; t <= threads; t++)
    bounds[t] = N * t / threads;
#pragma omp parallel
  {
    fill();
    go_over();
    walk();
  }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += chunked[i] + 2 * divided[i] + 3 * bounded[i] + 4 * strided[i] + walked[i];
  printf("%.0f\n", sum);
  return 0;
}
