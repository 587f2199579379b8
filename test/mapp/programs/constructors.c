/* Constructors of the program fill arrays before main(), one of them before MAi.

   RUN: %{try} %{program}
   PLACE: MAPP001 late: block
   PLACE: MAPP001 initialised: block
   PLACE: MAPP001 early: block
   HEAP: MAPP067 late: left alone: the constructor fill_early() may run before MAi has its memory
   HEAP: MAPP067 initialised: left alone: the constructor fill_early() may run before MAi has its memory
   HEAP: MAPP067 early: left alone: the constructor fill_early() may run before MAi has its memory
*/
#include <stdio.h>
static double late[5000], initialised[5000] = {1}, early[5000];

__attribute__((constructor)) static void fill(void) {
  for (int i = 0; i < 5000; i++)
    late[i] = initialised[i] + i;
}
__attribute__((constructor(101))) static void fill_early(void) {
  for (int i = 0; i < 5000; i++)
    early[i] = i;
}
__attribute__((destructor)) static void show(void) { printf("%g\n", late[4999] + early[4999]); }

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 5000; i++) {
    late[i] += 1;
    initialised[i] += 1;
    early[i] += 1;
  }
  return 0;
}
