/* Each thread copies a table once, and looks up in its copy.

   verdict: none
 */
#include <stdlib.h>

enum { SIZE = 1 << 15, LOOKUPS = 1 << 20 };
static double table[SIZE];

int main(void) {
  double sum = 0;
  for (int i = 0; i < SIZE; i++)
    table[i] = i;
#pragma omp parallel reduction(+ : sum) num_threads(8)
  {
    double *mine = malloc(sizeof table);
    for (int i = 0; i < SIZE; i++)
      mine[i] = table[i];
    for (unsigned i = 0; i < LOOKUPS; i++)
      sum += mine[(i * 2654435761U) >> 17];
    free(mine);
  }
  return sum < 0;
}
