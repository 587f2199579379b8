/* Threads have copies of something, each by its number, and add them up in the end, by columns: they add to them more often than that, however long
   the loop is that does it, and each clears all of its own.  So each copy belongs to its thread; unless the columns are what is gone over most.

   RUN: mapp-rewrite %s 2>&1 >/dev/null | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
// CHECK-DAG: counts: local: threads write it first: rows follow index b of the parallel loop in count()
// CHECK-DAG: forces: local: threads write it first: rows follow the parallel loop in add()
// CHECK-DAG: samples: block by columns: index b of the parallel loop in compare()
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 2000 };

static void count(const int *keys, long *counts, long *sums, int bins) {
#pragma omp parallel
  {
    long *own = counts + (long)omp_get_thread_num() * bins;
    const int team = omp_get_num_threads();
    for (int b = 0; b < bins; b++)
      own[b] = 0;
#pragma omp for
    for (int i = 0; i < KEYS; i++)
      own[keys[i] % bins]++;
#pragma omp for
    for (int b = 0; b < bins; b++) {
      long sum = 0;
      for (int t = 0; t < team; t++)
        sum += counts[(long)t * bins + b];
      sums[b] = sum;
    }
  }
}

struct pairs {
  int count, *list;
};

static void add(const struct pairs *p, double *forces, double *sums, int atoms) {
#pragma omp parallel
  {
    double *own = forces + (size_t)omp_get_thread_num() * atoms;
    const int team = omp_get_num_threads();
    memset(own, 0, atoms * sizeof *own);
#pragma omp for
    for (int i = 0; i < p->count; i++) {
      own[p->list[2 * i]] += 1;
      own[p->list[2 * i + 1]] -= 1;
    }
#pragma omp for
    for (int a = 0; a < atoms; a++) {
      double sum = 0;
      for (int t = 0; t < team; t++)
        sum += forces[(size_t)t * atoms + a];
      sums[a] += sum;
    }
  }
}

static void compare(double *samples, double *sums, int length) {
#pragma omp parallel
  {
    double *own = samples + (size_t)omp_get_thread_num() * length;
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    for (int b = 0; b < length; b++)
      own[b] = b % (me + 3);
#pragma omp barrier
    for (int step = 0; step < 20; step++)
#pragma omp for
      for (int b = 0; b < length; b++)
        for (int t = 0; t < team; t++)
          sums[b] += samples[(size_t)t * length + b];
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1500, team = omp_get_max_threads();
  int *keys = malloc(KEYS * sizeof *keys);
  for (int i = 0; i < KEYS; i++)
    keys[i] = i * 7 % n;
  struct pairs p = {0, malloc((size_t)n * 8 * sizeof *p.list)};
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < i + 4 && j < n; j++) {
      p.list[2 * p.count] = i;
      p.list[2 * p.count++ + 1] = j;
    }
  long *counts = malloc((size_t)team * n * sizeof *counts), *numbers = malloc(n * sizeof *numbers);
  double *forces = malloc((size_t)team * n * sizeof *forces);
  double *samples = malloc((size_t)team * n * sizeof *samples);
  double *sums = malloc(n * sizeof *sums);
  for (int i = 0; i < n; i++)
    sums[i] = 0;
  for (int step = 0; step < 4; step++) {
    count(keys, counts, numbers, n);
    add(&p, forces, sums, n);
  }
  printf("%ld %g ", numbers[3], sums[n - 1]);
  memset(sums, 0, n * sizeof *sums);
  compare(samples, sums, n);
  printf("%d\n", sums[0] == 0);
  return 0;
}
