/* Pointers in members of structs: of one struct, of an array of structs, stored with an index, initialised in a
   function, passed on, copied with the struct.

   RUN: %{try} %{program}
   CHECK: MAPP001 by_row: block: rows that row delimits follow index i of the parallel loop in main()
   CHECK: MAPP001 stored: block
   CHECK: MAPP001 passed: block
   CHECK: MAPP001 local: block
   CHECK: MAPP004 listed: block by columns: index i of the parallel loop in main() drives dimension 2
   CHECK: MAPP001 copied: block
   CHECK: MAPP001 initialised: block
   CHECK: MAPP005 literal: cyclic on threads: every thread goes over it in fill_view()
   CHECK: MAPP001 nested: block
   CHECK: MAPP001 returned: block
   CHECK: 1 array smaller than 4096 bytes left alone
*/
#include <stdio.h>
#define N 64
struct row {
  int n;
  double *u;
};
struct view {
  double *data;
  int begin, end;
};
static double by_row[N][N], stored[N][N], passed[N][N], local[N][N], listed[2][4096], copied[4096];
static double initialised[4096], literal[4096], nested[4096], returned[4096];
static struct row table[N];

static void fill(struct row *row, int i) {
  for (int j = 0; j < row->n; j++)
    row->u[j] = i - j;
}

static void fill_view(const struct view *v) {
  for (int i = v->begin; i < v->end; i++)
    v->data[i] = i;
}

static struct view make(double *data) {
  struct view v = {data, 0, 4096};
  return v;
}

int main(void) {
  double sum = 0;
  for (int i = 0; i < N; i++) {
    table[i].n = N;
    table[i].u = by_row[i];
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    fill(&table[i], i);
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    struct row row;
    row.n = N;
    row.u = &stored[i][0];
    for (int j = 0; j < N; j++)
      row.u[j] = i;
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    struct row row = {N, passed[i]};
    fill(&row, i);
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    struct row rows[2] = {{N, NULL}, {.n = N, .u = local[i]}};
    fill(&rows[1], i);
  }
  struct row both[2] = {{4096, listed[0]}, {4096, listed[1]}};
#pragma omp parallel for
  for (int i = 0; i < 4096; i++)
    both[0].u[i] = both[1].u[i] = i;
  struct view first = {.data = initialised, .end = 4096}, second;
#pragma omp parallel for
  for (int i = first.begin; i < first.end; i++)
    first.data[i] = i;
  second = (struct view){copied, 0, 4096};
#pragma omp parallel for
  for (int i = 0; i < second.end; i++)
    second.data[i] = i;
#pragma omp parallel for
  for (int c = 0; c < 4096; c += 64)
    fill_view(&(struct view){literal, c, c + 64});
  struct {
    struct view inner;
    int n;
  } outer = {{nested, 0, 4096}, 1};
#pragma omp parallel for
  for (int i = 0; i < 4096; i++)
    outer.inner.data[i] = i;
  struct view third = make(returned);
#pragma omp parallel for
  for (int i = 0; i < 4096; i++)
    third.data[i] = i;
  for (int i = 0; i < N; i++)
    sum += by_row[i][i] + stored[i][i] + passed[i][i] + local[i][i] + listed[1][i] + copied[i] +
           initialised[i] + literal[i] + nested[i] + returned[i];
  printf("%g\n", sum);
  return 0;
}
