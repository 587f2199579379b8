/* The linker throws away what nothing names; code is independent of its position.

   RUN: %{try} %{program} -fdata-sections -ffunction-sections -Wl,--gc-sections -fPIC -Wno-unused-command-line-argument
   CHECK: MAPP001 field: block
   PLACE: MAPP001 global: block
   HEAP: MAPP052 global: left alone: other files may declare it: it is not static
*/
#include <stdio.h>
static double field[5000];
double global[5000];

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 5000; i++)
    field[i] = global[i] = i;
  for (int i = 0; i < 5000; i++)
    sum += field[i] + global[i];
  printf("%g\n", sum);
  return 0;
}
