/* Where nothing tells how far the loops go in a block, as where three sweeps go over it in three directions, it may be a part of it only:
   threads that write it first know better than who divides the whole. If one thread has filled it, to divide the whole is better
   than nothing. So it is with blocks that have room for more than there is, as far as a number says that the program changes: of these
   is divided what they hold.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

static void sweep(double *touched, double *filled, long n, int axis) {
  const long skipped = n % 2;
#pragma omp parallel for
  for (long a = 1; a < n; a++)
    for (long b = 0; b < n; b++) {
      const long at = axis == 0 ? (a * n + b) * n : axis == 1 ? a * n * n + b : a * n + b;
      const long stride = axis == 0 ? 1 : axis == 1 ? n : n * n;
      for (long i = 1; i < n; i++) {
        touched[at + i * stride + skipped] = filled[at + i * stride + skipped] * (double)i;
        filled[at + i * stride + skipped] += touched[at + (i - 1) * stride + skipped];
      }
    }
}

typedef struct {
  long used, room;
  double *place, *speed;
} swarm;

static swarm *make_swarm(long room) {
  swarm *s = malloc(sizeof *s);
  s->used = 0;
  s->room = room;
  // CHECK-DAG: c:[[#@LINE+1]]: s->place: local: threads write it first: elements follow index i of the parallel loop in inject()
  s->place = malloc((size_t)room * sizeof *s->place);
  // CHECK-DAG: c:[[#@LINE+1]]: s->speed: block filled: elements follow index i of the parallel loop in move()
  s->speed = malloc((size_t)room * sizeof *s->speed);
  for (long i = 0; i < room; i++)
    s->speed[i] = (double)(i % 7);
  return s;
}

static void inject(swarm *s, long more) {
#pragma omp parallel for
  for (long i = s->used; i < s->used + more; i++)
    s->place[i] = (double)i;
  s->used += more;
}

static void move(swarm *s) {
#pragma omp parallel for
  for (long i = 0; i < s->used; i++)
    s->place[i] += s->speed[i];
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 30;
  // CHECK-DAG: c:[[#@LINE+1]]: touched: local: threads write it first: elements follow index a of the parallel loop in sweep()
  double *touched = malloc((size_t)(5 * n * n * n) * sizeof *touched);
  // CHECK-DAG: c:[[#@LINE+1]]: filled: block: elements follow index a of the parallel loop in sweep()
  double *filled = malloc((size_t)(5 * n * n * n) * sizeof *filled);
  for (long i = 0; i < 5 * n * n * n; i++)
    filled[i] = 1;
  for (int step = 0; step < 9; step++)
    sweep(touched, filled, n, step % 3);
  swarm *s = make_swarm(900 * n);
  for (int step = 0; step < 9; step++) {
    inject(s, 30 * n);
    move(s);
  }
  printf("%g %g\n", filled[n + 1], s->place[s->used - 1]);
}
