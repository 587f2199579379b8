/* Buffers of the threads that one thread allocates may be shorter than a page: they are asked for with room between them,
   unless it is known that they are long, or the allocation may return memory that was there before. A loop may ask for the number of
   threads each time. A function that does nothing with the size but allocate may be asked for more, too; one that counts bytes may not.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Bins = 100, Long = 9000 };

static long *bins[64], *cleared[64];
static double *sums[64], *grown[64];
static struct {
  double **line;
} held;

static double *got[64], *counted[64];
static size_t total;

static void *get(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory)
    exit(1);
  return memory;
}

static void *get_units(size_t units, size_t bytes) { return get(units * bytes); }

static void *count(size_t bytes) {
  total += bytes;
  return malloc(bytes);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 10000;
  const int team = omp_get_max_threads() < 64 ? omp_get_max_threads() : 64;
  for (int t = 0; t < team; t++) {
    // CHECK-DAG: {{^\+}} bins[t] = MAI_PLACED_ROW(bins[t], malloc(MAI_OWN_PAGES(Bins * sizeof(long))), (unsigned long)t, (unsigned long)team, "block-cyclic 1", 0, 0, MAI_LEAST_OF_OWN_PAGES /*
    bins[t] = malloc(Bins * sizeof(long));
    // CHECK-DAG: {{^\+}} cleared[t] = MAI_PLACED_ROW(cleared[t], calloc(MAI_OWN_PAGES_OF(sizeof(long), n % 1000 + 1), MAI_BYTES(sizeof(long))), (unsigned long)t, (unsigned long)team, "block-cyclic 1", 0, 0, MAI_LEAST_OF_OWN_PAGES /*
    cleared[t] = calloc(n % 1000 + 1, sizeof(long));
    // CHECK-DAG: {{^\+}} got[t] = MAI_PLACED_ROW(got[t], get_units(MAI_OWN_PAGES_OF(sizeof(double), 1 + n % 99), MAI_BYTES(sizeof(double))), (unsigned long)t, (unsigned long)team, "block-cyclic 1", 0, 0, MAI_LEAST_OF_OWN_PAGES /*
    got[t] = get_units(1 + n % 99, sizeof(double));
    // CHECK-DAG: {{^\+}} counted[t] = MAI_PLACED_ROW(counted[t], count(MAI_BYTES((1 + n % 99) * sizeof(double))), (unsigned long)t, (unsigned long)team, "block-cyclic 1" /*
    counted[t] = count((1 + n % 99) * sizeof(double));
    // CHECK-DAG: {{^\+}} sums[t] = MAI_PLACED_ROW(sums[t], malloc(MAI_BYTES(Long * sizeof(double))), (unsigned long)t, (unsigned long)team, "block-cyclic 1" /*
    sums[t] = malloc(Long * sizeof(double));
    // CHECK-DAG: {{^\+}} grown[t] = MAI_PLACED_ROW(grown[t], realloc(NULL, MAI_BYTES(n * sizeof(double))), (unsigned long)t, (unsigned long)team, "block-cyclic 1" /*
    grown[t] = realloc(NULL, n * sizeof(double));
  }
  held.line = malloc((size_t)omp_get_max_threads() * sizeof *held.line);
  for (int t = 0; t < omp_get_max_threads(); t++)
    // CHECK-DAG: {{^\+}} held.line[t] = MAI_PLACED_ROW(held.line[t], malloc(MAI_OWN_PAGES((n % 1000 + 1) * sizeof(double))), (unsigned long)t, (unsigned long)(omp_get_max_threads()), "block-cyclic 1", 0, 0, MAI_LEAST_OF_OWN_PAGES /*
    held.line[t] = malloc((n % 1000 + 1) * sizeof(double));
#pragma omp parallel num_threads(team)
  {
    const int me = omp_get_thread_num();
    double *line = held.line[me];
    for (int i = 0; i <= n % 1000; i++)
      line[i] = i;
    for (int i = 0; i < 1 + n % 99; i++)
      got[me][i] = counted[me][i] = i;
    memset(bins[me], 0, Bins * sizeof(long));
    memset(sums[me], 0, Long * sizeof(double));
    memset(grown[me], 0, n * sizeof(double));
#pragma omp for
    for (int i = 0; i < n; i++) {
      bins[me][i * 7 % Bins]++;
      cleared[me][i * 3 % (n % 1000 + 1)]++;
      got[me][i % (1 + n % 99)] += counted[me][i % (1 + n % 99)];
      sums[me][i % Long] += line[i % (n % 1000 + 1)];
      grown[me][i] += i;
    }
  }
  long all = 0;
  for (int t = 0; t < team; t++)
    all += bins[t][3] + cleared[t][n % 1000] + (long)sums[t][5] + (long)grown[t][n - 1];
  printf("%ld %g %zu\n", all, got[0][0], total / (size_t)team);
  return 0;
}
