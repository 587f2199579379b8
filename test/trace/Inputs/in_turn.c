/* What samples have to tell apart:

   divided    regions divide a matrix in two ways, by rows and by columns
   anew       thread 0 fills a block that it allocates anew each time, and all use parts of it
   crowd      a thousand threads come and go
   blocks     more than ten thousand blocks a second are allocated and freed */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "add_up.h"

enum { SIDE = 256, TIMES = 40, CROWD = 1000, BESIDE = 4, BLOCKS = 50000, BYTES = 8192 };

static double matrix[SIDE][SIDE];

/* The code of the regions themselves tells them apart; each addition waits for the one before. */
static void divided(void) {
#pragma omp parallel for schedule(static) num_threads(4)
  for (int row = 0; row < SIDE; row++)
    memset(matrix[row], 1, sizeof matrix[row]);
  for (int round = 0; round < 1000; round++) {
#pragma omp parallel for schedule(static) num_threads(4)
    for (int row = 0; row < SIDE; row++)
      for (int times = 0; times < 4; times++)
        for (int column = 1; column < SIDE; column++)
          matrix[row][column] += matrix[row][column - 1];
#pragma omp parallel for schedule(static) num_threads(4)
    for (int column = 0; column < SIDE; column++)
      for (int row = 1; row < SIDE; row++)
        matrix[row][column] += matrix[row - 1][column];
  }
}

static void anew(void) {
  const long count = 1 << 14;
  for (int round = 0; round < 1000; round++) {
    double *block = malloc((size_t)count * sizeof *block);
    memset(block, 1, (size_t)count * sizeof *block);
#pragma omp parallel for schedule(static) num_threads(4)
    for (long part = 0; part < 4; part++)
      add_up(block + part * count / 4, count / 4, TIMES);
    free(block);
  }
}

static void *come_and_go(void *from) {
  add_up(from, SIDE * SIDE, TIMES);
  return NULL;
}

static void crowd(void) {
  for (int i = 0; i < CROWD; i += BESIDE) {
    pthread_t threads[BESIDE];
    for (int k = 0; k < BESIDE; k++)
      pthread_create(&threads[k], NULL, come_and_go, matrix);
    for (int k = 0; k < BESIDE; k++)
      pthread_join(threads[k], NULL);
  }
}

static void blocks(void) {
  for (int i = 0; i < BLOCKS; i++) {
    double *block = malloc(BYTES);
    memset(block, 1, BYTES);
    add_up(block, BYTES / (long)sizeof *block, TIMES / 4);
    free(block);
  }
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  if (!strcmp(what, "divided"))
    divided();
  else if (!strcmp(what, "anew"))
    anew();
  else if (!strcmp(what, "crowd"))
    crowd();
  else
    blocks();
  return 0;
}
