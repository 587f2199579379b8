/* What a careful project asks of its compilers, the rewritten text fulfils, too.

   RUN: %{try} %{program} -std=c11 -pedantic-errors -Wshadow -Wconversion -Wundef -Wstrict-prototypes -Wredundant-decls -Wcast-qual
   PLACE: MAPP001 field: block
   HEAP: MAPP057 field: left alone: its address is in the static initialiser of begin
   CHECK: MAPP004 plane: block by columns: index j of the parallel loop in main() drives dimension 2
   PLACE: MAPP001 record.values: block
   HEAP: MAPP068 record.values: left alone: it is a member of a struct
   CHECK: MAPP001 inner: block
   CHECK: MAPP001 rows: block
*/
#include <stdio.h>
static double field[5000], plane[4][20000];
static const double *const begin = field;

static struct {
  int n;
  float values[5000];
} record;

int main(void) {
  static long inner[5000];
  static double *restrict rows[5000];
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 5000; i++) {
    field[i] = i;
    inner[i] = i;
    rows[i] = &field[i];
    record.values[i] = (float)i;
  }
#pragma omp parallel for
  for (int j = 0; j < 20000; j++)
    for (int i = 0; i < 4; i++)
      plane[i][j] = i - j;
  for (int i = 0; i < 5000; i++)
    sum += begin[i] + (double)inner[i] + (double)record.values[i] + plane[1][i] + *rows[i];
  printf("%g\n", sum);
  return 0;
}
