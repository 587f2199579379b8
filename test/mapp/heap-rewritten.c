/* Arrays of one and of several dimensions become pointers to memory of the same size.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^}}+static double *restrict line;
// CHECK-NEXT: {{^}}+MAI_HEAP(line, sizeof(double[9000]), "block");
static double line[9000];
// CHECK: {{^}}+static double (*restrict plane)[60];
// CHECK-NEXT: {{^}}+MAI_HEAP(plane, sizeof(double[150][60]), "block");
static double plane[150][60];
// CHECK: {{^}}+static unsigned long (*cube)[6][7];
// CHECK-NEXT: {{^}}+MAI_HEAP(cube, sizeof(unsigned long[150][6][7]), "block");
static unsigned long cube[150][6][7];

static unsigned long total(unsigned long (*rows)[6][7]) {
  unsigned long sum = 0;
  for (int i = 0; i < 150; i++)
    sum += rows[i][5][i % 7] * (unsigned long)i;
  return sum;
}

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 150; i++)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 7; k++) {
        plane[i][j * 7 + k] += i;
        cube[i][j][k] = (unsigned long)(i * j + k);
      }
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    line[i] += i;
  printf("%.0f %.0f %lu\n", line[8999], plane[149][41], total(cube));
  return 0;
}
