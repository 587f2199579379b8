/* Eight ways of going over memory, the first argument says which: `hot` has nine of ten accesses, and
   of the time, as caches hold nothing from pass to pass. Two threads have a half each and do not wait
   for each other. The kernel fills the arrays, as no access of the program's own. */
#include <fcntl.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef COLUMNS
#define COLUMNS 2048
#endif

enum { ELEMENTS = COLUMNS * COLUMNS, HALF = ELEMENTS / 2, ROUNDS = 20 };

static double hot_table[COLUMNS][COLUMNS], cold_table[COLUMNS][COLUMNS];
static int order[HALF]; /* of elements, anywhere */

static void fill(void *whole, size_t bytes) {
  const int zeros = open("/dev/zero", O_RDONLY);
  for (char *at = whole; bytes;) {
    const ssize_t got = read(zeros, at, bytes);
    if (got <= 0)
      exit(1);
    at += got;
    bytes -= (size_t)got;
  }
  close(zeros);
}

static double in_order(double *of) {
  double sum = 0;
  for (int i = 0; i < HALF; i++)
    sum += of[i];
  return sum;
}

static double strided(double *of) {
  double sum = 0;
  for (int j = 0; j < COLUMNS; j++)
    for (int i = 0; i < HALF / COLUMNS; i++)
      sum += of[i * COLUMNS + j];
  return sum;
}

static double anywhere(double *of) {
  double sum = 0;
  for (unsigned i = 0; i < HALF; i++)
    sum += of[i * 2654435761u % HALF];
  return sum;
}

static double stored(double *to) {
  for (int i = 0; i < HALF; i++)
    to[i] = i;
  return 0;
}

static double updated(double *of) {
  for (int i = 0; i < HALF; i++)
    of[i] += 1;
  return 0;
}

static double by_index(double *of) {
  double sum = 0;
  for (int i = 0; i < HALF; i++)
    sum += of[order[i]];
  return sum;
}

static double by_tiles(double *of) {
  enum { TILE = 16 };
  double sum = 0;
  for (int tile = 0; tile < COLUMNS; tile += TILE)
    for (int i = 0; i < HALF / COLUMNS; i++)
      for (int j = tile; j < tile + TILE; j++)
        sum += of[i * COLUMNS + j];
  return sum;
}

static double by_rows(double (*of)[COLUMNS]) {
  double sum = 0;
  for (int i = 0; i < COLUMNS / 2; i++)
    for (int j = 0; j < COLUMNS; j++)
      sum += of[i][j];
  return sum;
}

typedef double way(double *);

int main(int argc, char **argv) {
  static way *const ways[] = {in_order, strided, anywhere, stored, updated, by_index, by_tiles};
  const size_t which = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  const int is_table = which >= sizeof ways / sizeof *ways;
  const size_t bytes = ELEMENTS * sizeof(double);
  double *hot = malloc(bytes), *cold = malloc(bytes), sum = 0;
  fill(hot, bytes);
  fill(cold, bytes);
  fill(hot_table, bytes);
  fill(cold_table, bytes);
  for (unsigned i = 0; i < HALF; i++)
    order[i] = (int)(i * 2654435761u % HALF);
#pragma omp parallel num_threads(2) reduction(+ : sum)
  for (int round = 0; round < ROUNDS; round++) {
    const int is_cold = round % 10 == 9, mine = omp_get_thread_num();
    if (is_table)
      sum += by_rows((is_cold ? cold_table : hot_table) + mine * COLUMNS / 2);
    else
      sum += ways[which]((is_cold ? cold : hot) + mine * HALF);
  }
  free(hot);
  free(cold);
  return sum < 0;
}
