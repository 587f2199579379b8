/* An array is declared several times: without an extent, tentatively, in a block, with an initialiser.

   RUN: %{try} %{program}
   PLACE: MAPP001 open: block
   PLACE: MAPP001 twice: block
   PLACE: MAPP002 hidden: block, 0, 6000
   PLACE: MAPP001 first: block
   PLACE: MAPP002 late: block, 0, 6000
   HEAP: MAPP052 open: left alone: other files may declare it: it is not static
   HEAP: MAPP052 twice: left alone: other files may declare it: it is not static
   HEAP: MAPP055 hidden: left alone: it is declared more than once
   HEAP: MAPP052 first: left alone: other files may declare it: it is not static
   HEAP: MAPP052 late: left alone: other files may declare it: it is not static
*/
#include <stdio.h>
extern double open[];
double open[6000];
double twice[6000];
double twice[];
extern double twice[6000];
static int hidden[9000];
static int hidden[9000];
int first[9000];
int first[9000] = {7};

int main(void) {
  extern double open[6000], late[];
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 6000; i++)
    open[i] = twice[i] = hidden[i] = late[i] = i;
#pragma omp parallel for
  for (int i = 1; i < 9000; i++)
    first[i] = i;
  for (int i = 0; i < 6000; i++)
    sum += open[i] + twice[i] + hidden[i] + late[i] + first[i];
  printf("%g\n", sum);
  return 0;
}
double late[8000];
