/* What stands behind a condition on data runs in a third of the cases, as far as anybody knows, and each of two arms in half of
   them: also behind `&&`, and behind what goes on with the next iteration. Conditions on indices, arguments and the program's
   settings guard nothing, nor does what ends a loop of checks. So edges that one thread sorts in, and that few vertices look
   at in each step, stay with that thread.

   RUN: mapp-rewrite --explain weighed %s 2>&1 | FileCheck %s --check-prefix=WEIGHT
   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { N = 6144 };

static double weighed[N];
static double limits[N];
static int marks[N];
static int level;

static void weigh(int from) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    // WEIGHT-DAG: c:[[#@LINE+1]]: write: {{.*}}; 6144 steps
    weighed[i] = i;
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    if (marks[i])
      // WEIGHT-DAG: c:[[#@LINE+1]]: write: {{.*}}; 2048 steps
      weighed[i] = 1;
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    const double limit = 2 * limits[i];
    if (limit < 1)
      // WEIGHT-DAG: c:[[#@LINE+1]]: read and write: {{.*}}; 3072 steps
      weighed[i] += 1;
    else
      // WEIGHT-DAG: c:[[#@LINE+1]]: write: {{.*}}; 3072 steps
      weighed[i] = 2;
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    if (marks[i] == 2)
      continue;
    // WEIGHT-DAG: c:[[#@LINE+1]]: write: {{.*}}; 2048 steps
    weighed[i] = 2;
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    // WEIGHT-DAG: c:[[#@LINE+1]]: read: {{.*}}; 2048 steps
    int is_high = i > from && marks[i] == 1 && weighed[i] > 1;
    // WEIGHT-DAG: c:[[#@LINE+1]]: read: {{.*}}; 3072 steps
    limits[i] = marks[N - 1 - i] > is_high ? weighed[i] : 0;
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    if (i % 2 == 0 && from < 4 && level == 0)
      // WEIGHT-DAG: c:[[#@LINE+1]]: read and write: {{.*}}; 6144 steps
      weighed[i] += from;
  for (int i = 0; i < N; i++) {
    if (marks[i] > 3)
      exit(1);
    // WEIGHT-DAG: c:[[#@LINE+1]]: read: used by one thread only; 6144 steps
    if (weighed[i] < 0)
      exit(2);
  }
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void fill(int *ends, const int *rows, int vertices) {
  for (int v = 0; v < vertices; v++)
    for (int e = rows[v]; e < rows[v + 1]; e++)
      ends[e] = (v + 1 + e % 4) % vertices;
  for (int v = 0; v < vertices; v++)
    qsort(ends + rows[v], rows[v + 1] - rows[v], sizeof(int), by_number);
}

static int leads_to(const int *ends, const int *rows, const int *depths, int depth, int v) {
  for (int e = rows[v]; e < rows[v + 1]; e++)
    if (depths[ends[e]] == depth)
      return 1;
  return 0;
}

/* By `some` only where the depth is not known yet. */
static long search(const int *rows, const int *some, const int *all, const int *depths, int depth,
                   int vertices) {
  long found = 0;
#pragma omp parallel for reduction(+ : found)
  for (int v = 0; v < vertices; v++) {
    found += depths[v] < 0 && leads_to(some, rows, depths, depth, v);
    found += leads_to(all, rows, depths, depth, v);
  }
  return found;
}

int main(int count, char **arguments) {
  const int vertices = count > 1 ? atoi(arguments[1]) : 1 << 14;
  int *rows = malloc(sizeof(int) * (vertices + 1)), *depths = malloc(sizeof(int) * vertices);
  // CHECK-DAG: c:[[#@LINE+1]]: some: left alone: one thread writes it first
  int *some = malloc(sizeof(int) * vertices * 4);
  // CHECK-DAG: c:[[#@LINE+1]]: all: block
  int *all = malloc(sizeof(int) * vertices * 4);
  for (int v = 0; v <= vertices; v++)
    rows[v] = 4 * v;
  for (int v = 0; v < vertices; v++)
    depths[v] = v ? -1 : 0;
  fill(some, rows, vertices);
  fill(all, rows, vertices);
  weigh(count);
  long sum = 0, more = 1;
  for (int depth = 0; more > 0 && depth < 6; depth++) {
    more = search(rows, some, all, depths, depth, vertices);
    sum += more;
  }
  printf("%ld %g\n", sum, weighed[N / 2] + limits[7]);
  free(all);
  free(some);
  free(depths);
  free(rows);
  return 0;
}
