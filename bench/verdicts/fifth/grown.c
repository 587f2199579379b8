/* The first thread reads values one by one into an array that grows.

   verdict: placement values
   cure: block|#pragma
 */
#include <stdlib.h>

enum { N = 200000, ROUNDS = 8 };

int main(void) {
  double *values = NULL;
  int room = 0;
  for (int i = 0; i < N; i++) {
    if (i == room) {
      room = room ? 2 * room : 1024;
      values = realloc(values, (size_t)room * sizeof *values);
    }
    values[i] = i;
  }
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      values[i] = values[i] * 0.5 + round;
  return values[1] < 0;
}
