/* A switch on an argument that is constant at each call: only the section that a call gets to counts there, with those that
   it falls into, and the default for what has no label. Where a section changes a variable, the others do not see it.

   RUN: mapp-rewrite %s | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

enum { N = 2048 };
enum direction { ALONG_ROWS = 3, ALONG_COLUMNS, BACKWARDS, OTHER };

// CHECK: +MAI_STATIC(rows, "block")
static double rows[N][N];
// CHECK: +MAI_STATIC_2D(columns, "block by columns")
static double columns[N][N];
// CHECK: +MAI_STATIC(backwards, "block reversed")
static double backwards[N][N];
// CHECK: +MAI_STATIC(other, "block-cyclic 8")
static double other[N][N];
// CHECK: +MAI_STATIC(upper, "block", 1536, 512)
static double upper[N][N];

static void sweep(double (*a)[N], enum direction way) {
  switch (way) {
  case ALONG_ROWS:
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      for (int j = 1; j < N; j++)
        a[i][j] += a[i][j - 1] + 1;
    break;
  case ALONG_COLUMNS: {
#pragma omp parallel for
    for (int j = 0; j < N; j++)
      for (int i = 1; i < N; i++)
        a[i][j] += a[i - 1][j] + 1;
    break;
  }
  case BACKWARDS:
#pragma omp parallel for
    for (int i = N - 1; i >= 0; i--)
      for (int j = 1; j < N; j++)
        a[i][j] += a[i][j - 1] + 1;
    return;
  default:
#pragma omp parallel for schedule(static, 8)
    for (int i = 0; i < N; i++)
      for (int j = 1; j < N; j++)
        a[i][j] += a[i][j - 1] + 1;
  }
}

static void part(double (*a)[N], int which) {
  int first = 0, count = N / 4;
  switch (which) {
  case 0:
    first = 0;
    break;
  case 1:
  case 2:
    first = N - N / 4;
    /* fall through */
  case 3:
#pragma omp parallel for
    for (int i = first; i < first + count; i++)
      for (int j = 0; j < N; j++)
        a[i][j] += j;
  }
}

int main(void) {
  for (int step = 0; step < 5; step++) {
    sweep(rows, ALONG_ROWS);
    sweep(columns, ALONG_COLUMNS);
    sweep(backwards, BACKWARDS);
    sweep(other, OTHER);
    part(upper, 1);
  }
  sweep(rows, ALONG_COLUMNS);
  printf("%g\n", rows[9][9] + columns[9][9] + backwards[9][9] + other[9][9] + upper[2000][9]);
  return 0;
}
