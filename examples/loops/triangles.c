/*===-- triangles.c - counts a graph's triangles ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For each edge the common neighbours of its ends, by merging two rows.  Each triangle is found
 * from each of its corners, and from the lowest one only.
 */
#include "graph.h"

/* Beyond both ends. */
static int common(const struct graph *g, int u, int v) {
  int count = 0;
  int i = g->rows[u];
  int j = g->rows[v];
  while (i < g->rows[u + 1] && j < g->rows[v + 1]) {
    int left = g->neighbours[i];
    int right = g->neighbours[j];
    count += left == right && left > v;
    i += left <= right;
    j += right <= left;
  }
  return count;
}

static int count_of(const struct graph *g, int v) {
  int count = 0;
  for (int e = g->rows[v]; e < g->rows[v + 1]; e++)
    if (g->neighbours[e] > v)
      count += common(g, v, g->neighbours[e]);
  return count;
}

int main(int count, char **arguments) {
  struct graph g = make_graph(1 << (count > 1 ? atoi(arguments[1]) : 14));
  long by_vertex = 0;
  int *counts = take(g.vertices);
#pragma omp parallel for schedule(dynamic, 64)
  for (int v = 0; v < g.vertices; v++)
    counts[v] = count_of(&g, v);
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : by_vertex)
  for (int v = 0; v < g.vertices; v++)
    by_vertex += counts[v] == 0 ? count_of(&g, v) : counts[v];
  long sum = 0;
  for (int v = 0; v < g.vertices; v++)
    sum += counts[v];
  return verified(sum == by_vertex && sum > 0);
}
