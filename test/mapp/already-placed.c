/* Rewriting the output again changes nothing, and the report says why.

   RUN: mapp-rewrite -q -o %t.c %s
   RUN: mapp-rewrite %t.c 2>%t.report | count 0
   RUN: FileCheck %s --match-full-lines < %t.report
   RUN: mapp-rewrite -q -i %t.c && not ls %t.c.orig
   RUN: mapp-rewrite --mode=heap -q -o %t.heap.c %s
   RUN: mapp-rewrite --mode=heap %t.heap.c 2>%t.report | count 0
   RUN: FileCheck %s --match-full-lines < %t.report
*/

// CHECK: {{.*}}c:[[#]]: a: already placed [MAPP006]
// CHECK-NEXT: {{.*}}c:[[#]]: b: already placed [MAPP006]
// CHECK-NOT: {{.}}
static double a[9000];
static double b[90][100];

double sum(void) {
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < 90; i++)
    for (int j = 0; j < 100; j++)
      total += a[i] = b[i][j]++;
  return total;
}
