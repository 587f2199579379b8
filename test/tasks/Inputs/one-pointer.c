/* Sums the blocks of an array by tasks that get a pointer and an integer: all the same pointer, or one for each row of
   blocks, before any is run; or those that divide blocks by four get their common beginning, again and again. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <mai.h>

enum { ROWS = 16, COLUMNS = 16, BLOCKS = ROWS * COLUMNS, SIZE = 4096, ROUNDS = 16 };

static double sum;
static atomic_bool may_begin;

static void add(const double *from, int block) {
  double part = 0;
  for (int i = 0; i < SIZE; i++)
    part += from[(long)block * SIZE + i];
#pragma omp atomic
  sum += part;
}

static void same(const double *data) {
  for (int block = 0; block < BLOCKS; block++)
#pragma omp task firstprivate(data, block)
    add(data, block);
}

static void rows(const double *data) {
  for (int first = 0; first < BLOCKS; first += COLUMNS) {
    const double *row = data + (long)first * SIZE;
    for (int block = 0; block < COLUMNS; block++)
#pragma omp task firstprivate(row, block)
      add(row, block);
  }
}

static void quarters(const double *from, int blocks) {
  if (blocks == 1) {
    add(from, 0);
    return;
  }
  for (int i = 0; i < 4; i++)
#pragma omp task firstprivate(from, blocks, i)
    quarters(from + (long)i * (blocks / 4) * SIZE, blocks / 4);
#pragma omp taskwait
}

static void make_tasks(const char *way, const double *data) {
  if (strcmp(way, "same") == 0)
    same(data);
  if (strcmp(way, "rows") == 0)
    rows(data);
  may_begin = true;
  if (strcmp(way, "quarters") == 0)
    for (int round = 0; round < ROUNDS; round++)
      quarters(data, BLOCKS);
}

int main(int count, char **ways) {
  double *data = mai_alloc(64 + (size_t)BLOCKS * SIZE, sizeof *data, "block", "data");
  if (!data || count != 2)
    return 1;
  for (long i = 0; i < 64 + (long)BLOCKS * SIZE; i++)
    data[i] = 1;
#pragma omp parallel
  {
#pragma omp single nowait
    make_tasks(ways[1], data + 64);
    while (!may_begin)
      usleep(100);
  }
  printf("%.0f of %d\n", sum, BLOCKS * SIZE);
  mai_free(data);
}
