/* Each array is accessed a known number of times, in each of the ways that compilers have. */
#include <stdatomic.h>
#include <string.h>

enum { N = 1000 };

/* No two arrays share a line: a line's accesses are those of one array. */
#define ALIGNED _Alignas(64)

ALIGNED double plain_read[N], plain_write[N], updated[N];
ALIGNED char bytes[N];
ALIGNED short shorts[N];
ALIGNED float floats[N];
ALIGNED __int128 wide[N];
ALIGNED char cleared[8 * N], copied[8 * N], source[8 * N];
ALIGNED struct pair {
  double left[16];
} pairs[64];
ALIGNED struct __attribute__((packed)) odd {
  char c;
  double d;
} odd[N];
ALIGNED _Atomic int atomics[N];
ALIGNED _Atomic long long exchanged[N];
ALIGNED volatile double twice[N];
ALIGNED double by_thread[N];

__attribute__((noinline)) static void loops(int n) {
  for (int i = 0; i < n; i++)
    plain_write[i] = plain_read[i] * 2;
  for (int i = 0; i < n; i++)
    updated[i] += 1;
  for (int i = 0; i < n; i++)
    bytes[i] = (char)i;
  for (int i = 0; i < n; i++)
    shorts[i] = (short)(floats[i] + 1);
  for (int i = 0; i < n; i++)
    wide[i] = i;
  for (int i = 0; i < n; i++)
    odd[i].d = i;
}

__attribute__((noinline)) static void calls(size_t n) {
  memset(cleared, 1, n);
  memcpy(copied, source, n);
}

__attribute__((noinline)) static void structures(int n) {
  for (int i = 1; i < n; i++)
    pairs[i] = pairs[i - 1];
}

__attribute__((noinline)) static void atomic_operations(int n) {
  for (int i = 0; i < n; i++)
    atomic_fetch_add(&atomics[i], 1);
  for (int i = 0; i < n; i++) {
    long long expected = i % 2; /* half of them fail: only a read */
    atomic_compare_exchange_strong(&exchanged[i], &expected, 7);
  }
  for (int i = 0; i < n; i++)
    twice[i] = twice[i] + twice[i];
}

int main(void) {
  loops(N);
  calls(sizeof cleared);
  structures(64);
  atomic_operations(N);
#pragma omp parallel for schedule(static) num_threads(4)
  for (int i = 0; i < N; i++)
    by_thread[i] = i;
  for (int i = 0; i < N; i++)
    if (atomics[i] != 1 || exchanged[i] != (i % 2 ? 0 : 7) || updated[i] != 1 || odd[i].d != i)
      return 1;
  return 0;
}
