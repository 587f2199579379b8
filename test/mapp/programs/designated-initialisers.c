/* Initialised arrays: {0}, designators, extents that the initialiser gives, tables of strings.

   RUN: %{try} %{program}
   PLACE: MAPP004 rows: block by columns: index i of the parallel loop in main() drives dimension 2
   PLACE: MAPP001 counted: block
   PLACE: MAPP002 zero: block, 0, 3000
   PLACE: MAPP001 text: block
   PLACE: MAPP001 names: block
   PLACE: MAPP001 open: block
   PLACE: MAPP001 table.values: block
   HEAP: MAPP053 rows: left alone: it has an initialiser
   HEAP: MAPP053 counted: left alone: it has an initialiser
   HEAP: MAPP053 zero: left alone: it has an initialiser
   HEAP: MAPP053 text: left alone: it has an initialiser
   HEAP: MAPP053 names: left alone: it has an initialiser
   HEAP: MAPP053 open: left alone: it has an initialiser
   HEAP: MAPP068 table.values: left alone: it is a member of a struct
*/
#include <stdio.h>
static double rows[2][3000] = {[1] = {[5] = 2.5}}, counted[] = {[4999] = 1};
static int zero[5000] = {0};
static char text[5000] = "hello", *names[1000] = {"a", "b", [500] = "c"}, open[] = {[5000] = 'x'};
static struct {
  int n;
  double values[5000];
} table = {.n = 5000, .values = {[3] = 4}};

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 3000; i++) {
    rows[0][i] = rows[1][i] + 1;
    zero[i] += i;
  }
#pragma omp parallel for
  for (int i = 0; i < 5000; i++) {
    counted[i] += 1;
    text[i] = text[i] ? text[i] : '.';
    open[i] += 1;
    table.values[i] += i;
  }
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    if (!names[i])
      names[i] = text + i;
  for (int i = 0; i < 3000; i++)
    sum += rows[0][i] + counted[i] + zero[i] + open[i] + table.values[i];
  printf("%g %.5s %.3s %s %zu\n", sum, text, names[3], names[500], sizeof counted);
  return 0;
}
