/* A list of blocks that are too small to be known, and a larger block that gets their memory. */
#include <malloc.h>
#include <stdlib.h>

enum { COUNT = 64, ROUNDS = 1000 };

int main(void) {
  char *list[COUNT];
  mallopt(M_MXFAST, 0); /* what is freed is one piece */
  for (int i = 0; i < COUNT; i++)
    list[i] = malloc(300);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < COUNT; i++)
      ((volatile char *)list[i])[0]++;
  char *first = list[0];
  for (int i = 0; i < COUNT; i++)
    free(list[i]);
  volatile char *larger = malloc(12000);
  larger[0] = 1;
  return larger < first || larger > first + 12000;
}
