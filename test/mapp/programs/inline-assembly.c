/* Inline assembly takes arrays as operands: as memory as a whole, an element, the address.

   RUN: %{try} %{program}
   PLACE: MAPP001 whole: block
   HEAP: MAPP066 whole: left alone: it is used other than by subscript
   CHECK: MAPP001 element: block
   CHECK: MAPP001 address: block
*/
#include <stdio.h>
static double whole[5000], element[5000], address[5000];
__asm__("/* at file scope */");

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 5000; i++)
    whole[i] = element[i] = address[i] = i;
  __asm__ volatile("" : "+m"(whole));
  __asm__ volatile("" : "+m"(element[3]));
  __asm__ volatile("" : : "r"(address) : "memory");
  for (int i = 0; i < 5000; i++)
    sum += whole[i] + element[i] + address[i];
  printf("%g\n", sum);
  return 0;
}
