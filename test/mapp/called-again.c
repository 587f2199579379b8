/* What a function does counts as often as it is called, also where it has been called before in a loop of another
   length, as a step of warming up is; here the sweep along the columns outweighs the rows.

   RUN: mapp-rewrite %s | FileCheck --match-full-lines --strict-whitespace --check-prefix=DIFF %s
   RUN: mapp-rewrite --explain=u %s | FileCheck %s
*/
enum { N = 2048 };

//      DIFF:+MAI_STATIC_2D(u, "block by columns"); /* mapp: index j of the parallel loop in along_columns() drives dimension 2 */
static double u[N][N];

static void along_columns(void) {
#pragma omp parallel for
  for (int j = 0; j < N; j++)
    for (int i = 1; i < N; i++)
      u[i][j] += u[i - 1][j];
}

static void along_rows(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 1; j < N; j++)
      u[i][j] += u[i][j - 1];
}

static void run(int steps) {
  for (int step = 0; step < steps; step++)
    along_columns();
}

int main(void) {
  run(1);
  run(20);
  along_rows();
  along_rows();
  along_rows();
  return (int)u[1][1];
}

/* CHECK-DAG: {{.*}}called-again.c:16: read and write: index j {{.*}}, 672 MiB
   CHECK-DAG: {{.*}}called-again.c:23: read and write: rows follow index i {{.*}}, 96.0 MiB
*/
