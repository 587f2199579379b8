/* Functions of the C library that run over memory from where the parallel index points stay in the thread's part,
   be elements single bytes or whole rows.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// CHECK-DAG: {{^}}+MAI_STATIC(text, "block");
static char text[1 << 16];
// CHECK-DAG: {{^}}+MAI_STATIC(copied, "block");
static char copied[1 << 16];
// CHECK-DAG: {{^}}+MAI_STATIC(rows, "block");
static double rows[128][64];
// CHECK-DAG: {{^}}+MAI_STATIC(flat, "block");
static double flat[128 * 64];
// CHECK-DAG: {{^}}+MAI_STATIC(keys, "block");
static int keys[1 << 14];
// CHECK-DAG: c:[[#]]: whole: cyclic on threads: every thread goes over it in main()
static char whole[1 << 14];

static int compare(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right;
}

int main(void) {
  long sum = 0;
  memset(whole, 1, sizeof whole);
#pragma omp parallel for
  for (int i = 0; i < 1 << 16; i += 64) {
    memset(text + i, 'a' + i / 64 % 26, 63);
    strncpy(&copied[i], &text[i], 64);
  }
#pragma omp parallel for
  for (int i = 0; i < 128; i++) {
    for (int j = 0; j < 64; j++)
      rows[i][j] = i * j;
    memcpy(&flat[64 * i], rows[i], sizeof rows[i]);
  }
#pragma omp parallel for
  for (int i = 0; i < 16; i++) {
    for (int j = 0; j < 1024; j++)
      keys[1024 * i + j] = (j * 37 + i) % 1024;
    qsort(keys + 1024 * i, 1024, sizeof keys[0], compare);
  }
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += memchr(whole, i, sizeof whole) != NULL;
  printf("%ld %.8s %g %d\n", sum, copied + 640, flat[200], keys[3000]);
  return 0;
}
