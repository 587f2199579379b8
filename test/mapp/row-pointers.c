/* What row pointers delimit is divided where the threads' rows begin, as far as MAi knows the array that
   holds them and may take it for a list of numbers: by its name when the program runs. Else it is divided evenly.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { N = 2000, WORST = 20 * N };

struct matrix {
  long row[N + 1];
  double value[WORST];
};
struct bounds {
  int begin, end, length;
};

// CHECK-DAG: {{^\+}}MAI_STATIC_PART(own_value, own.value, "block along own.row filled");
static struct matrix own;
static int from[N], to[N];
// CHECK-DAG: {{^\+}}MAI_STATIC(apart, "block along from filled");
static double apart[WORST];
static int start[2 * N];
// CHECK-DAG: {{^\+}}MAI_STATIC(upper, "block 1000..1999 along start filled");
static double upper[WORST];
// CHECK-DAG: {{^\+}}MAI_STATIC(shifted, "block 5..1904 along start filled");
static double shifted[WORST];
// CHECK-DAG: {{^\+}}MAI_STATIC(small, "block 0..1999 along 9*start filled");
static double small[9 * WORST];
// CHECK-DAG: {{^\+}}MAI_STATIC(rows, "block 0..1999 along start filled");
static double rows[WORST][3];
// CHECK-DAG: {{^\+}}MAI_STATIC(fortran, "block 0..1999 along start filled");
static double fortran[WORST];
// CHECK-DAG: {{^\+}}MAI_STATIC(team, "block 0..1999 for 4 threads along start");
static double team[WORST];
// Not a list of numbers, too small to be placed, one of two, and rows that are not next to each other:
static struct bounds both[N];
// CHECK-DAG: {{^\+}}MAI_STATIC(structs, "block filled");
static double structs[WORST];
static int little[101];
// CHECK-DAG: {{^\+}}MAI_STATIC(few, "block filled");
static double few[WORST];
static int one[N + 1], other[N + 1];
// CHECK-DAG: {{^\+}}MAI_STATIC(chosen, "block filled");
static double chosen[WORST];
// CHECK-DAG: {{^\+}}MAI_STATIC(second, "block filled");
static double second[WORST];
static double sum[N];

// The block is not declared for the worst case, and needs no look at what it holds.
// CHECK-DAG: {{^\+}}  double *block = MAI_PLACED(block, allocate(N, MAI_UNITS(8, WORST), &first), sizeof(double), "block along first" /* mapp: elements that at delimits follow index
static double *allocate(size_t n, size_t count, size_t **of_rows) {
  size_t *first = malloc((n + 1) * sizeof *first);
  double *block = malloc(count * sizeof *block);
  for (size_t i = 0; i <= n; i++)
    first[i] = 20 * i;
  for (size_t k = 0; k < count; k++)
    block[k] = 1;
  *of_rows = first;
  return block;
}

static void add(size_t n, const size_t *at, const double *value) {
#pragma omp parallel for
  for (size_t i = 0; i < n; i++)
    for (size_t k = at[i]; k < at[i + 1]; k++)
      sum[i] += value[k];
}

static void use(const int *which) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int k = which[i]; k < which[i + 1]; k++)
      sum[i] += chosen[k];
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < N; i++) {
    own.row[i + 1] = 20 * i + 20;
    from[i] = 20 * i, to[i] = from[i] + i % 20;
    start[i + 1] = start[i] + i % 20;
    both[i].begin = from[i], both[i].end = to[i], both[i].length = i % 20;
    one[i + 1] = one[i] + i % 20, other[i + 1] = other[i] + i % 7;
    little[i % 100 + 1] = 20 * (i % 100) + 20;
  }
  for (int k = 0; k < WORST; k++) {
    own.value[k] = apart[k] = upper[k] = shifted[k] = fortran[k] = team[k] = structs[k] = k;
    few[k] = chosen[k] = second[k] = rows[k][0] = rows[k][1] = rows[k][2] = small[9 * k] = k;
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    for (long k = own.row[i]; k < own.row[i + 1]; k++)
      sum[i] += own.value[k];
    for (int k = from[i]; k < to[i]; k++)
      sum[i] += apart[k];
    for (int k = start[i]; k < start[i + 1]; k++)
      for (int c = 0; c < 9; c++)
        sum[i] += small[9 * k + c];
    for (int k = start[i]; k < start[i + 1]; k++)
      sum[i] += rows[k][0] + rows[k][2];
    for (int k = start[i] + 1; k < start[i + 1] + 1; k++)
      sum[i] += fortran[k - 1];
    for (int k = both[i].begin; k < both[i].end; k++)
      sum[i] += structs[k];
  }
#pragma omp parallel for
  for (int i = 1000; i < 2000; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      sum[i] += upper[k];
#pragma omp parallel for
  for (int i = 0; i < 1900; i++)
    for (int k = start[i + 5]; k < start[i + 6]; k++)
      sum[i] += shifted[k];
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      sum[i] += team[k];
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    for (int k = little[i]; k < little[i + 1]; k++)
      sum[i] += few[k];
#pragma omp parallel for
  for (int i = 0; i < N / 2; i++)
    for (int k = start[2 * i]; k < start[2 * i + 1]; k++)
      sum[i] += second[k];
  use(argc > 9 ? one : other);
  size_t *first;
  double *block = allocate(N, WORST, &first);
  add(N, first, block);
  free(block);
  free(first);
  double all = 0;
  for (int i = 0; i < N; i++)
    all += sum[i] * (i % 13);
  printf("%.0f\n", all);
  return 0;
}
