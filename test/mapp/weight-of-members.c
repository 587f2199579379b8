/* How far a loop goes that ends at a member of a struct is told by what the program stores there, and what two numbers that the run
   decides differ by is not known: neither is taken for a short loop beside others whose length is known. A loop to a member that holds the
   number of threads is short.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct line {
  int length;
  double *value;
};

struct team {
  int count;
  double **own;
};

static void create(struct team *t) {
  t->own = malloc((size_t)t->count * sizeof *t->own);
  for (int k = 0; k < t->count; k++) {
    // CHECK-DAG: c:[[#@LINE+1]]: t->own[k]: block-cyclic 1: each thread has a part of its own
    t->own[k] = malloc(9000 * sizeof(double));
    for (int i = 0; i < 9000; i++)
      t->own[k][i] = i;
  }
}

static void show(const unsigned char *count, unsigned height, unsigned width) {
  unsigned most = 0;
  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++)
      if (count[y * width + x] > most)
        most = count[y * width + x];
  printf("%u\n", most);
}

int main(int argc, char **argv) {
  (void)argv;
  int lines = 64 * argc;
  struct line *line = malloc((size_t)lines * sizeof *line);
  for (int i = 0; i < lines; i++) {
    line[i].length = 9000;
    // CHECK-DAG: c:[[#@LINE+1]]: line[i].value: block: elements that line delimits follow index i of the parallel loop in main()
    line[i].value = malloc(9000 * sizeof(double));
    for (int k = 0; k < 9000; k++)
      line[i].value[k] = k;
  }
  for (int step = 0; step < 8; step++) {
#pragma omp parallel for
    for (int i = 0; i < lines; i++)
      for (int k = 0; k < line[i].length; k++)
        line[i].value[k] += step;
  }

  unsigned height = 512 * (unsigned)argc, width = 256 * (unsigned)argc;
  int least = 3 * argc, most = (int)(height * width) - 1;
  // CHECK-DAG: c:[[#@LINE+1]]: count: block: elements follow index k of the parallel loop in main()
  unsigned char *count = calloc(height * width, 1);
  for (int step = 0; step < 8; step++) {
#pragma omp parallel for
    for (int k = least; k <= most; k++)
      count[k] = (unsigned char)((count[k] + k % 17) % 200);
  }
  show(count, height, width);
  struct team t;
  t.count = omp_get_max_threads();
  create(&t);
#pragma omp parallel
  for (int step = 0; step < 3; step++)
    for (int i = 0; i < 9000; i++)
      t.own[omp_get_thread_num()][i] += step;
  printf("%g %g\n", line[3].value[7], t.own[0][5]);
  return 0;
}
