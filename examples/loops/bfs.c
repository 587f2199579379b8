/*===-- bfs.c - breadth-first search, bottom-up ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * In each step every vertex that has not been reached looks among its neighbours for one that was
 * reached in the step before.
 */
#include "graph.h"

static int find(const struct graph *g, const int *depths, int depth, int v) {
  for (int e = g->rows[v]; e < g->rows[v + 1]; e++)
    if (depths[g->neighbours[e]] == depth)
      return 1;
  return 0;
}

static long step(const struct graph *g, int *depths, int *next, int depth) {
  long reached = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : reached)
  for (int v = 0; v < g->vertices; v++) {
    int found = depths[v] < 0 && find(g, depths, depth, v);
    next[v] = found ? depth + 1 : depths[v];
    reached += found;
  }
  return reached;
}

/* Depths of neighbours differ by one at most. */
static int is_right(const struct graph *g, const int *depths) {
  for (int v = 0; v < g->vertices; v++)
    for (int e = g->rows[v]; e < g->rows[v + 1]; e++)
      if (abs(depths[v] - depths[g->neighbours[e]]) > 1)
        return 0;
  return 1;
}

int main(int count, char **arguments) {
  struct graph g = make_graph(1 << (count > 1 ? atoi(arguments[1]) : 14));
  int *depths = take(g.vertices);
  int *next = take(g.vertices);
  long reached = 1;
  for (int v = 0; v < g.vertices; v++)
    depths[v] = -1;
  depths[0] = 0;
  for (int depth = 0; reached; depth++) {
    reached = step(&g, depths, next, depth);
    int *swapped = depths;
    depths = next;
    next = swapped;
  }
  return verified(is_right(&g, depths) && depths[g.vertices / 2] > 0);
}
