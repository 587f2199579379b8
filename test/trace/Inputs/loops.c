/* Loops whose accesses can be counted at once, and some whose cannot, of few iterations and many. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, LONG = 3 << 20 };

_Alignas(64) double up[N], down[N], few[N], rows[40][40], ends[N], middle[N];
_Alignas(64) float first_half[24], second_half[1000]; /* they share a line */
_Alignas(64) char bytes[N];
_Alignas(64) struct triple {
  double x, y, z;
} triples[N];
_Alignas(64) __int128 wide[N];
_Alignas(64) long sum[8];
_Alignas(64) int chosen[N], indirect[N], found[N], roots[N];
double large[LONG]; /* several chunks of 16 MiB */

__attribute__((noinline)) static void regular(int n) {
  for (int i = 1; i < n; i++)
    up[i] = up[i - 1] + 1;
  for (int i = n - 1; i >= 0; i--)
    down[i] = i;
  for (int i = 0; i < n; i++)
    triples[i].y += 1;
  for (int i = 0; i < n; i++)
    wide[i] = i;
  for (int i = 3; i < n; i += 5)
    bytes[i] ^= 1;
}

__attribute__((noinline)) static void few_iterations(int n) {
  for (int i = 0; i < n; i++)
    few[i] += 1;
}

__attribute__((noinline)) static void nested(int n) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      rows[i][j] = rows[j][i] + 1;
}

__attribute__((noinline)) static void one_address(volatile long *to, int n) {
  for (int i = 0; i < n; i++)
    *to += i;
}

__attribute__((noinline)) static void not_each(int n) {
  for (int i = 0; i < n; i++)
    if (i % 3 == 0)
      chosen[i] = i;
  for (int i = 0; i < n; i++)
    indirect[chosen[i]]++;
  for (int i = 0; i < n; i++)
    roots[i] = (int)sqrt(i);
}

__attribute__((noinline)) static int with_exits(int n, int wanted) {
  for (int i = 0; i < n; i++) {
    if (found[i] == wanted)
      return i;
    found[i] = i;
  }
  for (int i = 0; i < n; i++) {
    ends[i] = i;
    if (i == wanted)
      exit(1);
  }
  return 0;
}

__attribute__((noinline)) static void tested_in_the_middle(int n) {
  int i = 0;
  for (;;) {
    middle[i] = i;
    if (++i >= n)
      break;
    middle[i] += 1;
  }
}

__attribute__((noinline)) static void of_two_arrays(float *from, int n) {
  for (int i = 0; i < n; i++)
    from[i] += 1;
}

__attribute__((noinline)) static void many(int n) {
  for (int i = 0; i < n; i++)
    large[i] = i;
}

int main(void) {
  regular(N);
  for (int n = 0; n < 20; n++)
    few_iterations(n);
  nested(40);
  one_address(sum, N);
  not_each(N);
  if (with_exits(N, -1))
    return 1;
  tested_in_the_middle(N);
  of_two_arrays(first_half, 24);
  of_two_arrays(second_half, 1000);
  many(LONG);
  return 0;
}
