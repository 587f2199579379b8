/* Keeps values in vector registers while it touches memory for the first time, and checks them. */
#include <stdio.h>

enum { N = 1 << 16, LANES = 8 };

typedef double lanes_t __attribute__((vector_size(LANES * sizeof(double))));

double fresh[N], given[N];

__attribute__((noinline)) static double sum(int n) {
  lanes_t all[3] = {{0}};
  for (int i = 0; i < n; i++) {
    double value = given[i] + 1;
    fresh[i] = value;
    all[0] += value;
    all[1] += value * 2;
    all[2] -= value;
  }
  double total = 0;
  for (int i = 0; i < LANES; i++)
    total += all[0][i] + all[1][i] + all[2][i];
  return total;
}

int main(void) {
  double total = sum(N);
  printf("%s\n", total == 2.0 * LANES * N ? "kept" : "lost");
  return 0;
}
