/* Keys are counted in buckets of each thread, which a table of pointers leads to, then ranked.

   RUN: %{try} %{program}
   CHECK: MAPP001 keys: block
   CHECK: MAPP005 sorted: cyclic on threads: indexed indirectly in main()
   CHECK: MAPP010 ranks: left alone: used by one thread only
   CHECK: MAPP015 counts: local: each thread has a part of its own, by its number, in main(): the first to touch it is its user
   CHECK: 1 array smaller than 4096 bytes left alone
*/
#include <omp.h>
#include <stdio.h>
#define KEYS 16384
#define BUCKETS 1024
#define MOST 64
static int keys[KEYS], sorted[KEYS], ranks[BUCKETS + 1], counts[MOST][BUCKETS];
static int *by_thread[MOST];

int main(void) {
  long check = 0;
  for (int t = 0; t < MOST; t++)
    by_thread[t] = counts[t];
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    int *mine = by_thread[me];
#pragma omp for schedule(static)
    for (int i = 0; i < KEYS; i++)
      keys[i] = (int)((i * 16807L) % BUCKETS);
    for (int b = 0; b < BUCKETS; b++)
      mine[b] = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < KEYS; i++)
      mine[keys[i]]++;
#pragma omp single
    for (int b = 0; b < BUCKETS; b++) {
      int at = ranks[b];
      for (int t = 0; t < threads; t++) {
        const int n = by_thread[t][b];
        by_thread[t][b] = at;
        at += n;
      }
      ranks[b + 1] = at;
    }
#pragma omp for schedule(static)
    for (int i = 0; i < KEYS; i++)
      sorted[mine[keys[i]]++] = i;
  }
  for (int i = 1; i < KEYS; i++)
    check += keys[sorted[i - 1]] <= keys[sorted[i]];
  printf("%ld\n", check);
  return 0;
}
