/* Accesses to volatile variables, by index and by member. */
#include <stdio.h>

static volatile int array[4];
volatile struct {
  char tag;
  int values[8];
} mixed;
_Alignas(64) static volatile double matrix[3][8];
static struct {
  volatile long first : 5;
  volatile long second : 40;
} bits;

int main(void) {
  array[1] = 0;
  array[2] = 3;
  mixed.values[array[1]] = array[2];
  mixed.values[5] += mixed.values[0];
  matrix[array[1]][array[2]] = mixed.values[5];
  matrix[2][4] = matrix[0][3] * 2;
  bits.first = array[2];
  bits.second += bits.first;
  volatile int local[3] = {1, 2, 3};
  local[array[1]] += local[2];
  printf("%d %g %d %d\n", mixed.values[5], matrix[2][4], (int)bits.second, local[0]);
  return 0;
}
