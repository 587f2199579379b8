// Threads that go through lists whose members are too small for names.
#include <stdlib.h>

struct member {
  struct member *next;
  double value;
};

int main(void) {
  struct member *lists[8] = {NULL};
  for (int i = 0; i < 80000; i++) {
    struct member *new = malloc(sizeof *new);
    *new = (struct member){lists[i % 8], i};
    lists[i % 8] = new;
  }
  for (int pass = 0; pass < 100; pass++)
#pragma omp parallel for
    for (int list = 0; list < 8; list++)
      for (struct member *at = lists[list]; at; at = at->next)
        at->value += 1;
  return 0;
}
