/* Sums an array by tasks that halve it, many times, from its beginning or a little behind.  Each gets where its parent's part
   begins, and goes through its own. */
#include <stdio.h>
#include <stdlib.h>

#include <mai.h>

enum { SIZE = 1 << 18, LEAF = SIZE / 32, ROUNDS = 20 };

static double sum;

static void add(const double *part, int count) {
  if (count <= LEAF) {
    double own = 0;
    for (int i = 0; i < count; i++)
      own += part[i];
#pragma omp atomic
    sum += own;
    return;
  }
  int half = count / 2;
#pragma omp task
  add(part, half);
#pragma omp task
  add(part + half, count - half);
#pragma omp taskwait
}

int main(int count, char **beginning) {
  int first = count > 1 ? atoi(beginning[1]) : 1;
  double *data = mai_alloc(SIZE + 1, sizeof *data, "block", "data");
  if (!data)
    return 1;
#pragma omp parallel for schedule(static)
  for (int i = 0; i <= SIZE; i++)
    data[i] = i >= first && i < first + SIZE;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel
#pragma omp single
    add(data + first, SIZE);
  printf("%.0f of %ld\n", sum, (long)ROUNDS * SIZE);
  mai_free(data);
}
