/* Rows of a graph that threads come to by lists, as those of each colour: what lies in them is divided where the rows begin, as the row pointers are
   divided like the vertices, which the same lists lead to. Under another schedule chance says who comes to a row, and pages lie in turn.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { Colours = 2 };

struct network {
  long vertices;
  int *row, *peer;
};

static void relax(const struct network *of, const int *list, long length, double *level) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < length; i++) {
    const int v = list[i];
    double sum = 0;
    for (int e = of->row[v]; e < of->row[v + 1]; e++)
      sum += level[of->peer[e]];
    level[v] = (1 + sum) / (1 + of->row[v + 1] - of->row[v]);
  }
}

static double weigh(const int *list, const int *begin, const float *load, long length) {
  double sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
  for (long i = 0; i < length; i++)
    for (int e = begin[list[i]]; e < begin[list[i] + 1]; e++)
      sum += load[e];
  return sum;
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 30000;
  struct network net;
  net.vertices = n;
  net.row = malloc((size_t)(n + 1) * sizeof(int));
  // CHECK-DAG: c:[[#@LINE+1]]: net.peer: block along net.row: indexed indirectly by row in relax(); {{.*}}divided as net.row, which delimits its rows
  net.peer = malloc((size_t)n * 4 * sizeof(int));
  // CHECK-DAG: c:[[#@LINE+1]]: load: cyclic on threads: indexed indirectly by begin in weigh(); read only after it is filled (
  float *load = malloc((size_t)n * 4 * sizeof *load);
  double *level = malloc((size_t)n * sizeof *level), sum = 0;
  int *list = malloc((size_t)n * sizeof *list);
#pragma omp parallel for
  for (long v = 0; v < n; v++)
    level[v] = 0;
  for (long v = 0; v <= n; v++)
    net.row[v] = (int)v * 4;
  for (long e = 0; e < n * 4; e++) {
    net.peer[e] = (int)((e / 4 + (e & 1 ? n - 1 : 1)) % n);
    load[e] = (float)(e % 3);
  }
  for (long v = 0; v < n; v++)
    list[v] = (int)(v < n / 2 ? 2 * v : 2 * (v - n / 2) + 1);
  for (int t = 0; t < 6; t++)
    for (int c = 0; c < Colours; c++)
      relax(&net, list + c * (n / 2), n / 2, level);
  sum = weigh(list, net.row, load, n);
  printf("%g %.6f\n", sum, level[n / 3] > 0 ? 1.0 : 0.0);
  return 0;
}
