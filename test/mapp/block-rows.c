/* Rows that a loop allocates one by one go each to its thread, and rows of a row with it; rows in one
   block behind a table of pointers go by its elements; what belongs to no row that the source names
   is left alone, and so is what each thread allocates for itself.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

struct grid {
  int n, m;
  double **row;
};

static void allocate(struct grid *g, int n, int m) {
  g->n = n;
  g->m = m;
  // CHECK: {{^\+}}  g->row = MAI_PLACED_NEW(g->row, malloc(MAI_BYTES((size_t)n * sizeof *g->row)), sizeof(double *), "block
  g->row = malloc((size_t)n * sizeof *g->row);
  for (int i = 0; i < n; i++) {
    // CHECK: {{^\+}}    double *row = MAI_PLACED_ROW(row, malloc(MAI_BYTES((size_t)m * sizeof *row)), (unsigned long)i, (unsigned long)n, "block
    double *row = malloc((size_t)m * sizeof *row);
    if (!row)
      abort();
    g->row[i] = row;
  }
}

static double ***cube(int n, int m, int l) {
  double ***a = malloc((size_t)n * sizeof *a);
  for (int i = 0; i < n; i++) {
    // CHECK: {{^\+}}    a[i] = MAI_PLACED_ROW(a[i], malloc(MAI_BYTES((size_t)m * sizeof **a)), (unsigned long)i, (unsigned long)n, "block
    a[i] = malloc((size_t)m * sizeof **a);
    double **rows = a[i];
    for (int j = 1; j <= m; j++)
      // CHECK: {{^\+}}      rows[j - 1] = MAI_PLACED_ROW({{.*}}, calloc(MAI_COUNT((size_t)l), MAI_BYTES(sizeof ***a)), (unsigned long)i, (unsigned long)n, "block
      rows[j - 1] = calloc((size_t)l, sizeof ***a);
  }
  return a;
}

struct line {
  int length;
  float *point;
};

int main(int argc, char **argv) {
  (void)argv;
  struct grid g;
  int n = 300 + argc, m = 700;
  allocate(&g, n, m);
  double **table = malloc((size_t)n * sizeof *table);
  // CHECK: {{^\+}}  table[0] = MAI_PLACED_NEW(table[0], malloc(MAI_BYTES((size_t)n * (size_t)m * sizeof **table)), sizeof(double), "block
  table[0] = malloc((size_t)n * (size_t)m * sizeof **table);
  for (int i = 1; i < n; i++)
    table[i] = table[0] + (size_t)i * (size_t)m;
  for (int step = 0; step < 3; step++) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        g.row[i][j] = table[i][j] = i + j;
  }
  double ***box = cube(n, m, argc + 5), sum = 0;
  struct line *line = malloc((size_t)n * sizeof *line);
  for (int i = 1; i < n; i++)
    // CHECK: {{^\+}}    line[i - 1].point = MAI_PLACED_ROW(line[i - 1].point, malloc(MAI_BYTES((size_t)m * sizeof(float))), (unsigned long)(i - 1), (unsigned long)(n - 1), "block
    line[i - 1].point = malloc((size_t)m * sizeof(float));
  double *list[8];
  int next = 0;
  for (int k = 0; k < 8; k++) {
    // CHECK: {{^\+}}    list[next] = MAI_PLACED_ROW(list[next], malloc(MAI_BYTES(80000)), (unsigned long)k, (unsigned long)8, "block
    list[next] = malloc(80000);
    next++;
  }
#pragma omp parallel for
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 10000; j++)
      list[k][j] = j;
  for (int step = 0; step < 3; step++) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < 6; k++)
          line[i].point[j] = (float)(box[i][j][k] = i * j - k);
  }
#pragma omp parallel reduction(+ : sum)
  {
    // CHECK: c:[[#@LINE+1]]: own: left alone: each thread allocates one of its own: {{.*}} [MAPP012]
    double *own = malloc((size_t)n * (size_t)m * sizeof *own);
    for (int i = 0; i < n * m; i++)
      own[i] = i % 3;
    for (int i = 0; i < n * m; i++)
      sum += own[i] / (double)(n * m);
    free(own);
  }
  printf("%g %g %g %g %d\n", g.row[n - 1][m - 1], table[1][0], list[7][9999],
         box[n - 2][1][5] + line[n - 2].point[2], sum > 0);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      free(box[i][j]);
    free(box[i]);
  }
  for (int i = 0; i < n - 1; i++)
    free(line[i].point);
  free(box);
  free(line);
  for (int i = 0; i < n; i++)
    free(g.row[i]);
  for (int k = 0; k < 8; k++)
    free(list[k]);
  free(g.row);
  free(table[0]);
  free(table);
  return 0;
}
