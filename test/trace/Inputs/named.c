/* An array of MAi that takes all of the time. */
#include <mai.h>

enum { N = 1 << 20, TIMES = 50 };

int main(void) {
  double *hot = mai_alloc(N, sizeof *hot, "block", "temperature");
  double sum = 0;
  for (int i = 0; i < N; i++)
    hot[i] = i;
  for (int times = 0; times < TIMES; times++)
    for (int i = 0; i < N; i++)
      sum += hot[i];
  mai_free(hot);
  return sum < 0;
}
