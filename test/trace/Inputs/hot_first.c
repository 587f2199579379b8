/* Four ways of going over memory, the first argument says which: `hot` has nine of ten accesses, and
   of the time, as caches hold nothing from pass to pass. Two threads have a half each and do not wait
   for each other. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 1 << 11, ELEMENTS = COLUMNS * COLUMNS, HALF = ELEMENTS / 2, ROUNDS = 20 };

static double hot_table[COLUMNS][COLUMNS], cold_table[COLUMNS][COLUMNS];

static double *filled(void) {
  double *block = malloc(ELEMENTS * sizeof *block);
  for (int i = 0; i < ELEMENTS; i++)
    block[i] = i % 7;
  return block;
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

static double by_rows(double (*of)[COLUMNS]) {
  double sum = 0;
  for (int i = 0; i < COLUMNS / 2; i++)
    for (int j = 0; j < COLUMNS; j++)
      sum += of[i][j];
  return sum;
}

typedef double way(double *);

int main(int argc, char **argv) {
  static way *const ways[] = {in_order, strided, anywhere};
  const size_t which = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  const int is_table = which >= sizeof ways / sizeof *ways;
  double *hot = filled(), *cold = filled(), sum = 0;
  memset(hot_table, 1, sizeof hot_table);
  memset(cold_table, 1, sizeof cold_table);
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
