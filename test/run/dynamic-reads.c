/* What threads only read is seen, where the kernel lets threads be sampled. The program runs long
   enough to be looked at.

   RUN: %{gcc} -O2 %s -o %t
   RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive MAI_NEIGHBOURS=0 MAI_DYNAMIC_CHAOS=1 \
   RUN:   %{build}/bin/mai-run -q --dynamic=100 -r %t.json %t | FileCheck %s
   CHECK: sum 1047552
   RUN: python3 %S/Inputs/dynamic-reads.py %t.json
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 20 };

static long pass(const int *numbers) {
  long sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < COUNT; i++)
    sum += numbers[i];
  return sum;
}

int main(void) {
  int *numbers = malloc(COUNT * sizeof *numbers);
  for (int i = 0; i < COUNT; i++)
    numbers[i] = i % 1024;
  const double begin = omp_get_wtime();
  long sum;
  do
    sum = pass(numbers);
  while (omp_get_wtime() - begin < 1.5);
  printf("sum %ld\n", sum / (COUNT / 2048));
}
