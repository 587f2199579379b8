/* Functions make cubes of one block of memory and two tables of pointers into it, and are called several times for each level of a
   multigrid method: pointers are computed, or each is counted from the one before, or one pointer moves on. Each block is divided
   by its planes, those that the loops go over; it is no row of all of them.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
   RUN: %{run-rewritten} %t.run %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 5 };

struct grid {
  int n;
  double ***v, ***f, ***r, ***s, ***t;
};

static double ***cube(int n) {
  double ***planes = malloc(n * sizeof *planes);
  // CHECK: {{^\+}}{{.*}}MAI_PLACED_NEW(rows, {{.*}}, MAI_ONE_OF((unsigned long)n), "block", 1, (unsigned long)n - 2
  double **rows = malloc((size_t)n * n * sizeof *rows);
  // CHECK: {{^\+}}{{.*}}MAI_PLACED_NEW(data, {{.*}}, MAI_ONE_OF((unsigned long)n), "block", 1, (unsigned long)n - 2
  double *data = calloc((size_t)n * n * n, sizeof *data);
  for (int k = 0; k < n; k++) {
    planes[k] = rows + (size_t)k * n;
    for (int j = 0; j < n; j++)
      planes[k][j] = data + ((size_t)k * n + j) * n;
  }
  return planes;
}

static double ***tensor(int n) {
  double ***t = malloc(n * sizeof(double **));
  // CHECK: {{^\+}}{{.*}}MAI_PLACED_NEW(t[0], {{.*}}, MAI_ONE_OF((unsigned long)n), "block", 1, (unsigned long)n - 2
  t[0] = malloc(n * n * sizeof(double *));
  // CHECK: {{^\+}}{{.*}}MAI_PLACED_NEW(t[0][0], {{.*}}, MAI_ONE_OF((unsigned long)n), "block", 1, (unsigned long)n - 2
  t[0][0] = malloc(n * n * n * sizeof(double));
  for (int j = 1; j < n; j++)
    t[0][j] = t[0][j - 1] + n;
  for (int i = 1; i < n; i++) {
    t[i] = t[i - 1] + n;
    t[i][0] = t[i - 1][0] + n * n;
    for (int j = 1; j < n; j++)
      t[i][j] = t[i][j - 1] + n;
  }
  for (int i = 0; i < n * n * n; i++)
    t[0][0][i] = i % 3;
  return t;
}

static double ***stepping(int n) {
  double ***planes = malloc(n * sizeof *planes);
  planes[n - 1] = NULL;
  // CHECK: {{^\+}}{{.*}}MAI_PLACED_NEW(all, {{.*}}, MAI_ONE_OF((unsigned long)n), "block", 1, (unsigned long)n - 2
  double *all = calloc((size_t)n * n * n, sizeof *all), *next = all;
  for (int k = 0; k < n; k++) {
    planes[k] = malloc(n * sizeof *planes[k]);
    for (int j = 0; j < n; j++) {
      planes[k][j] = next;
      next += n;
    }
  }
  return planes;
}

static void relax(struct grid *g) {
  const int n = g->n;
  double ***v = g->v, ***f = g->f, ***r = g->r, ***s = g->s, ***t = g->t;
#pragma omp parallel for
  for (int k = 1; k < n - 1; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++)
        r[k][j][i] = v[k][j][i] +
                     0.1 * (f[k][j][i] + v[k - 1][j][i] + v[k + 1][j][i] - 2 * v[k][j][i]) +
                     s[k][j][i] - t[k][j][i];
  g->v = r;
  g->r = v;
}

int main(void) {
  struct grid grids[LEVELS];
  for (int l = 0; l < LEVELS; l++) {
    grids[l].n = (1 << (l + 1)) + 2;
    grids[l].v = cube(grids[l].n);
    grids[l].r = cube(grids[l].n);
    grids[l].f = tensor(grids[l].n);
    grids[l].s = tensor(grids[l].n);
    grids[l].t = stepping(grids[l].n);
    if (l > 3)
      grids[l - 1].t = stepping(grids[l - 1].n);
  }
  for (int l = LEVELS - 1; l >= 0; l--)
    for (int step = 0; step < 4; step++)
      relax(&grids[l]);
  printf("%g\n", grids[LEVELS - 1].v[3][4][5]);
  return 0;
}
