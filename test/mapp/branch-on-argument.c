/* A branch on an argument that is constant at each call: what runs only in some calls counts in these. A direction
   that is never asked for, or only once, does not decide.

   RUN: mapp-rewrite %s | FileCheck %s
   RUN: mapp-rewrite --explain=unknown %s | FileCheck --check-prefix=UNKNOWN %s
*/
enum { N = 2048 };
enum direction { ALONG_ROWS, ALONG_COLUMNS };

// CHECK: +MAI_STATIC_2D(columns, "block by columns")
static double columns[N][N];
// CHECK: +MAI_STATIC(rows, "block")
static double rows[N][N];
// CHECK: +MAI_STATIC(guarded, "block")
static double guarded[N][N];
// CHECK: +MAI_STATIC(both, "block")
static double both[N][N];
// UNKNOWN-DAG: read and write: index j of the parallel loop
// UNKNOWN-DAG: read and write: rows follow index i of the parallel loop
static double unknown[N][N];

static void sweep(double (*a)[N], int along) {
  if (along == ALONG_ROWS) {
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      for (int j = 1; j < N; j++)
        a[i][j] += a[i][j - 1];
  } else {
#pragma omp parallel for
    for (int j = 0; j < N; j++)
      for (int i = 1; i < N; i++)
        a[i][j] += a[i - 1][j];
  }
}

static void sweep_guarded(double (*a)[N], int columns_too) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 1; j < N; j++)
      a[i][j] += a[i][j - 1];
  if (!columns_too)
    return;
  for (int again = 0; again < 10; again++)
    sweep(a, ALONG_COLUMNS);
}

static void sweep_between(double (*a)[N], int first, int last) {
  if (first > 2 && last <= 5)
    sweep(a, ALONG_COLUMNS);
  if (first <= 2 || last > 5)
    sweep(a, ALONG_ROWS);
}

int main(int count, char **arguments) {
  (void)arguments;
  for (int step = 0; step < 20; step++) {
    sweep(columns, ALONG_COLUMNS);
    sweep(rows, ALONG_ROWS);
    sweep_guarded(guarded, 0);
    sweep_between(both, 2, 4);
    sweep_between(both, 3, 6);
    sweep(unknown, count);
  }
  sweep(columns, ALONG_ROWS);
  sweep(rows, ALONG_COLUMNS);
  return (int)(columns[1][1] + rows[1][1] + guarded[1][1] + both[1][1] + unknown[1][1]);
}
