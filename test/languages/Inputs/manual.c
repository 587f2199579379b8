/*===-- manual.c - runs the examples of mai(3) and numarch(3) --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* What they mention is declared around them; then the kernel is asked where their pages are. */
#define _GNU_SOURCE
#include <err.h>
#include <mai.h>
#include <mai_static.h>
#include <numarch.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, M = 2048 };

static _Atomic int elsewhere;

static void sweep(double *row) {
  unsigned node;
  for (int i = 0; i < M; i++)
    row[i] = 1;
  getcpu(NULL, &node);
  elsewhere += mai_where(&row[M / 2]) != (int)node;
}

static void rows_near_threads(void) {
#include "mai-2.head"
#include "mai-2.rest"
  printf("mai-2: %d of %d rows elsewhere\n", elsewhere, N);
}

static void print_nodes(const char *name, const void *array) {
  int nodes[8];
  long count = mai_page_map(array, 0, 8, nodes);
  printf("%s: nodes", name);
  for (long i = 0; i < count; i++)
    printf(" %d", nodes[i]);
  printf("\n");
}

static void matrix_of_the_program(void) {
  const size_t rows = 64, columns = 512, page = 4096;
  /* Begins where a cycle over two nodes begins. */
  double *matrix = aligned_alloc(2 * page, rows * columns * sizeof *matrix);
  for (size_t i = 0; i < rows * columns; i++)
    matrix[i] = (double)i;
#include "mai-3.head"
#include "mai-3.rest"
  print_nodes("mai-3", matrix);
  for (size_t i = 0; i < rows * columns; i++)
    if (matrix[i] != (double)i)
      printf("contents are lost\n");
  mai_forget(matrix);
  free(matrix);
}

static void block_of_the_program(void) {
  const size_t n = (size_t)1 << 20;
#include "mai-1.rest"
  struct mai_pages pages;
  size_t per_node[4];
  for (size_t i = 0; i < n; i++)
    u[i] = 1;
  if (mai_verify(u, &pages, per_node, 4) == 0)
    printf("mai-1: %zu of %zu placed, %zu %zu %zu %zu\n", pages.placed, pages.total, per_node[0],
           per_node[1], per_node[2], per_node[3]);
  free(u);
}

static void machine(void) {
  printf("numarch-4:\n");
#include "numarch-4.rest"
}

int main(void) {
  block_of_the_program();
  rows_near_threads();
  matrix_of_the_program();
  machine();
}
