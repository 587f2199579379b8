/*===-- graph.h - a graph made at random -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * An undirected graph in rows: the neighbours of vertex v are neighbours[rows[v]] and on,
 * ascending. Most edges lead to vertices nearby, as where numbers follow an order of places; some
 * vertices have many more than others.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct graph {
  int vertices;
  int *rows; /* of vertices + 1 */
  int *neighbours;
};

static uint64_t random_number(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t mixed = (*state ^ (*state >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
  return mixed ^ (mixed >> 27);
}

/* Squares are skewed: distances are mostly short. */
static int random_neighbour(int vertex, int vertices, uint64_t *state) {
  uint64_t part = random_number(state) % 1024;
  long distance = 1 + (long)(part * part * part / 1024 * (uint64_t)(vertices / 8) / (1 << 20));
  long other = random_number(state) % 2 ? vertex + distance : vertex - distance;
  return (int)((other + vertices) % vertices);
}

static int edges_of(int vertex) { return vertex % 61 == 0 ? 64 : 6; }

static int compare(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right;
}

static int *take(int count) {
  int *memory = (int *)calloc((size_t)count, sizeof *memory);
  if (!memory)
    exit(1);
  return memory;
}

/* Each edge twice, from both sides. */
static struct graph make_graph(int vertices) {
  struct graph graph = {vertices, take(vertices + 1), NULL};
  for (int pass = 0; pass < 2; pass++) {
    uint64_t state = 1;
    int *next = take(vertices);
    for (int v = 0; v < vertices; v++)
      for (int e = 0; e < edges_of(v); e++) {
        int other = random_neighbour(v, vertices, &state);
        if (pass) {
          graph.neighbours[graph.rows[v] + next[v]] = other;
          graph.neighbours[graph.rows[other] + next[other]] = v;
        }
        next[v]++;
        next[other]++;
      }
    for (int v = 0; v < vertices && !pass; v++)
      graph.rows[v + 1] = graph.rows[v] + next[v];
    if (!pass)
      graph.neighbours = take(graph.rows[vertices]);
    free(next);
  }
  for (int v = 0; v < vertices; v++)
    qsort(graph.neighbours + graph.rows[v], (size_t)(graph.rows[v + 1] - graph.rows[v]),
          sizeof(int), compare);
  return graph;
}

/* As every program here says it. */
static int verified(int right) {
  puts(right ? "VERIFICATION SUCCESSFUL" : "VERIFICATION FAILED");
  return right ? 0 : 1;
}

#endif /* GRAPH_H */
