/* Qualified elements: volatile, _Atomic in both spellings, restrict pointers.

   RUN: %{try} %{program}
   CHECK: MAPP001 seen: block
   CHECK: MAPP001 turned: block
   CHECK: MAPP001 counts: block
   PLACE: MAPP001 parenthesised: block
   HEAP: MAPP056 parenthesised: left alone: its declaration is not of the form `static type name[...]`
   CHECK: MAPP001 totals: block
   CHECK: MAPP001 pointers: block
   CHECK: MAPP001 registers: block
   CHECK: MAPP001 store: block: elements that pointers delimits follow index i of the parallel loop in main()
*/
#include <stdatomic.h>
#include <stdio.h>
static volatile double seen[5000];
static double volatile turned[5000];
static _Atomic int counts[5000];
static _Atomic(int) parenthesised[5000];
static atomic_long totals[2000];
static double *restrict pointers[1000];
static volatile int *volatile registers[1000];
static double store[5000];

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 5000; i++) {
    seen[i] = turned[i] = i;
    counts[i]++;
    parenthesised[i] += 2;
    atomic_fetch_add(&totals[i % 2000], i);
  }
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) {
    pointers[i] = &store[i];
    *pointers[i] = i + (registers[i] == NULL);
  }
  for (int i = 0; i < 1000; i++)
    sum += seen[i] + turned[i] + counts[i] + parenthesised[i] + (double)totals[i] + *pointers[i];
  printf("%g\n", sum);
  return 0;
}
