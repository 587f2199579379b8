/* Rows of a sparse matrix, or the lists of a mesh, as a start and a length: what start[i] + k goes over for all k follows the parallel
   index i as start[i] to start[i + 1] does, also where the starts are behind a pointer in a struct, and a pointer goes from one to the next.

   RUN: mapp-rewrite %s 2>&1 >/dev/null | FileCheck %s
*/
// CHECK-DAG: corners: block{{.*}}: elements that start delimits follow index i of the parallel loop in gather()
// CHECK-DAG: nodes: block{{.*}}: elements that from delimits follow index i of the parallel loop in average()
// CHECK-DAG: m.to: block{{.*}}: elements that from delimits follow index i of the parallel loop in walk()
// CHECK-DAG: lists: block{{.*}}: elements that first delimits follow index i of the parallel loop in total()
#include <stdio.h>
#include <stdlib.h>

#define N 20000
static int start[N + 1], first[N], length[N];

static double gather(const int *corners, const double *of) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    const int *mine = &corners[start[i]];
    int count = start[i + 1] - start[i];
    for (int k = 0; k < count; k++)
      sum += of[mine[k]];
  }
  return sum;
}

static long total(const int *lists) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++)
    for (int k = 0; k < length[i]; k++)
      sum += lists[first[i] + k];
  return sum;
}

struct mesh {
  int *from;
  int *to;
};

static double walk(const struct mesh *m, const double *of) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++)
    for (const int *at = m->to + m->from[i], *end = m->to + m->from[i + 1]; at < end; at++)
      sum += of[*at];
  return sum;
}

static double average(const struct mesh *m, const int *nodes) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    int count = m->from[i + 1] - m->from[i];
    for (int k = 0; k < count; k++)
      sum += nodes[m->from[i] + k];
  }
  return sum;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    start[i + 1] = start[i] + i % 9;
    first[i] = 4 * i;
    length[i] = i % 5;
  }
  int *corners = malloc((size_t)start[N] * sizeof *corners), *lists = malloc(4 * N * sizeof *lists);
  double *of = calloc(N, sizeof *of);
  for (int i = 0; i < start[N]; i++)
    corners[i] = i * 7 % N;
  for (int i = 0; i < 4 * N; i++)
    lists[i] = i;
  struct mesh m = {malloc((N + 1) * sizeof *m.from)};
  int *nodes = malloc(4 * N * sizeof *nodes);
  for (int i = 0; i <= N; i++)
    m.from[i] = 4 * i;
  for (int i = 0; i < 4 * N; i++)
    nodes[i] = i;
  m.to = malloc(4 * N * sizeof *m.to);
  for (int i = 0; i < 4 * N; i++)
    m.to[i] = i % 50;
  double sum = average(&m, nodes) + walk(&m, of);
  for (int step = 0; step < 50; step++)
    sum += gather(corners, of) + (double)total(lists);
  printf("%g\n", sum);
}
