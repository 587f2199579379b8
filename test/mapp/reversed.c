/* Whose first thread has the last elements of an array gets blocks the other way round: by a loop that runs backwards, a
   subscript that falls, a table of row pointers that is gone through from its end, shares by thread number counted from the
   last thread, and chunks. Two reversals make none.

   RUN: mapp-rewrite %s 2>&1 | grep -v CHECK | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 96, M = 1024 };

// CHECK-DAG: {{^}}+MAI_STATIC(countdown, "block reversed");
static double countdown[N][M];
// CHECK-DAG: {{^}}+MAI_STATIC(falling, "block reversed");
static double falling[N][M];
// CHECK-DAG: {{^}}+MAI_STATIC(both, "block");
static double both[N][M];
// CHECK-DAG: {{^}}+MAI_STATIC(part, "block reversed", 16, (N) - 20);
static double part[N][M];
// CHECK-DAG: {{^}}+MAI_STATIC(in_pairs, "block reversed");
static double in_pairs[N][M];
// CHECK-DAG: {{^}}+MAI_STATIC_2D(columns, "block by columns reversed");
static double columns[16][64 * M];
// CHECK-DAG: {{^}}+MAI_STATIC(chunks, "block-cyclic 4 reversed");
static double chunks[N][M];
// CHECK-DAG: {{^}}+MAI_STATIC(by_number, "block reversed");
static double by_number[N * M];
// CHECK-DAG: {{^}}+MAI_STATIC(own_way, "block");
static double own_way[N * M];

static void fill_shares(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num(), team = omp_get_num_threads(), share = N * M / team;
    for (int i = (team - 1 - me) * share; i < (team - me) * share; i++)
      by_number[i] = i;
    for (int i = (me + 1) * share - 1; i >= me * share; i--)
      own_way[i] = i;
  }
}

static double on_heap(int n, int m) {
  double sum = 0;
  // CHECK-DAG: +  double *flat = MAI_PLACED_NEW(flat, malloc({{.*}}, "block reversed" /*
  double *flat = malloc((size_t)n * m * sizeof *flat);
  double **table = malloc(n * sizeof *table);
  for (int i = 0; i < n; i++)
    // CHECK-DAG: +    table[i] = MAI_PLACED_ROW(table[i], {{.*}}, (unsigned long)i, (unsigned long)n, "block reversed" /*
    table[i] = malloc(m * sizeof **table);
#pragma omp parallel for
  for (int i = 0; i < n * m; i++)
    flat[n * m - 1 - i] = i;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      table[n - 1 - i][j] = j;
  for (int i = 0; i < n; i++) {
    sum += flat[i] + table[i][i];
    free(table[i]);
  }
  free(table);
  free(flat);
  return sum;
}

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = N - 1; i >= 0; i--)
    for (int j = 0; j < M; j++)
      countdown[i][j] = both[N - 1 - i][j] = j;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      falling[N - 1 - i][j] = j;
#pragma omp parallel for
  for (int i = 4; i < N - 16; i++)
    for (int j = 0; j < M; j++)
      part[N - 1 - i][j] = j;
#pragma omp parallel for
  for (int ij = N * M - 1; ij >= 0; ij--)
    in_pairs[ij / M][ij % M] = ij;
#pragma omp parallel for
  for (int j = 64 * M - 1; j >= 0; j--)
    for (int i = 1; i < 16; i++)
      columns[i][j] = columns[i - 1][j] + i;
#pragma omp parallel for schedule(static, 4)
  for (int i = N - 1; i >= 0; i--)
    for (int j = 0; j < M; j++)
      chunks[i][j] = j;
  fill_shares();
  for (int i = 0; i < N; i++)
    sum += countdown[i][i] + falling[i][i] + both[i][i] + part[i][i] + in_pairs[i][i] +
           columns[i % 16][i] + chunks[i][i];
  for (int i = 0; i < N; i++)
    sum += by_number[M * i] - own_way[M * i];
  printf("%.0f\n", sum + on_heap(N, M));
  return 0;
}
