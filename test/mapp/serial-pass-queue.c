/* Of loops over a queue nothing tells how long they are: that one thread's pass over the lists of a graph, which it fills by a counter,
   is no longer than theirs cannot be said, and the lists are left alone.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
// CHECK: lists: left alone: one thread writes it first, in main()
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20000, next = 0, found = 1, sum = 0;
  int *start = malloc((size_t)(n + 1) * sizeof *start), *lists = malloc(16 * (size_t)n * sizeof *lists);
  int *queue = malloc((size_t)n * sizeof *queue);
  for (int i = 0; i < n; i++) {
    start[i] = next;
    for (int k = 0; k < 4 + i % 9; k++)
      lists[next++] = (i * 7 + k) % n;
  }
  start[n] = next;
  queue[0] = 0;
  while (found > 0) {
    int more = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : sum, more)
    for (int i = 0; i < found; i++)
      for (int e = start[queue[i]]; e < start[queue[i] + 1]; e++) {
        sum += lists[e];
        more += lists[e] > n / 2;
      }
    found = more < n && sum < 1000000 ? more : 0;
  }
  printf("%d\n", sum);
}
