/* The text around an allocation passes what a careful project asks of its compilers, in C90, too.

   DEFINE: %{strict} = -pedantic-errors -Wshadow -Wconversion -Wundef -Wstrict-prototypes -Wcast-qual -Wdeclaration-after-statement -Werror
   RUN: rm -rf %t && mkdir %t && mapp-rewrite -q -o %t/out.c %s -- -std=c90 && FileCheck %s < %t/out.c
   RUN: %{gcc} -std=c90 %{strict} %t/out.c -o %t/gcc %{mai} && %t/gcc > %t/out.gcc
   RUN: %{clang} -std=c90 %{strict} %t/out.c -o %t/clang %{mai} && %t/clang > %t/out.clang
   RUN: %{gcc} %s -o %t/original && %t/original > %t/out.original
   RUN: cmp %t/out.original %t/out.gcc && cmp %t/out.original %t/out.clang
*/
#include <stdio.h>
#include <stdlib.h>

static const int *made(int n) {
  int i, *block = malloc((size_t)n * sizeof *block);
  if (!block)
    abort();
#pragma omp parallel for
  for (i = 0; i < n; i++)
    block[i] = i;
  return block;
}

int main(int argc, char **argv) {
  const int n = 20000 * argc;
  /* CHECK: const int *numbers = MAI_PLACED(numbers, made(MAI_UNITS(4, n)), sizeof(int), "block */
  const int *numbers = made(n);
  int i;
  double sum = 0;
  /* CHECK: float **table = MAI_PLACED_NEW(table, malloc(MAI_BYTES((size_t)n * sizeof *table)), sizeof(float *), "block */
  float **table = malloc((size_t)n * sizeof *table);
  for (i = 0; i < n; i++)
    /* CHECK: table[i] = MAI_PLACED_ROW(table[i], calloc(MAI_COUNT(5), MAI_BYTES(sizeof(float))), (unsigned long)i, (unsigned long)n, "block */
    table[i] = calloc(5, sizeof(float));
#pragma omp parallel for reduction(+ : sum)
  for (i = 0; i < n; i++)
    sum += (double)(table[i][4] = (float)numbers[i]);
  for (i = 0; i < n; i++)
    free(table[i]);
  free(table);
  free((void *)(size_t)numbers);
  printf("%g %d\n", sum, argv == NULL);
  return 0;
}
