/* Tables that each thread fills for itself, by its number, and that all threads then add up in shares. What is not divided each thread
   of the team does, and a loop over all threads is short. Where the threads' own accesses are more, each table goes to its thread;
   where the sums are more, each table is divided. A loop from the thread's number to the end of an array is no share of it.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 20000, MOST = 256 };

static int team;
// CHECK-DAG: c:[[#@LINE+1]]: total: block: elements follow index i of the parallel loop in add()
static int total[BINS];
// CHECK-DAG: c:[[#@LINE+1]]: behind: cyclic on threads: every thread goes over it in main()
static int behind[BINS];
static int *own[MOST], *summed[MOST];

static void fill(int *mine, int rounds) {
  for (int i = 0; i < BINS; i++)
    mine[i] = 0;
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < BINS; i++)
      mine[i] += round * i % 3;
}

static void add(int **tables, int rounds) {
  for (int round = 0; round < rounds; round++)
    for (int t = 0; t < team; t++)
#pragma omp for
      for (int i = 0; i < BINS; i++)
        total[i] += tables[t][i];
}

int main(void) {
  long sum = 0;
  team = omp_get_max_threads();
  for (int t = 0; t < team; t++) {
    // CHECK-DAG: c:[[#@LINE+1]]: own[t]: block-cyclic 1: each thread has a part of its own, by its number, in fill()
    own[t] = malloc(sizeof(int) * BINS);
    // CHECK-DAG: c:[[#@LINE+1]]: summed[t]: block: elements follow index i of the parallel loop in add()
    summed[t] = malloc(sizeof(int) * BINS);
  }
#pragma omp parallel for
  for (int i = 0; i < BINS; i++)
    behind[i] = i % 7;
#pragma omp parallel reduction(+ : sum)
  {
    const int me = omp_get_thread_num();
    fill(own[me], 20);
    fill(summed[me], 1);
#pragma omp barrier
    add(own, 1);
    add(summed, 20);
    for (int round = 0; round < 20; round++)
      for (int i = me; i < BINS; i++)
        sum += me ? 0 : behind[i];
  }
  for (int i = 0; i < BINS; i++)
    sum += total[i];
  printf("%ld\n", sum);
  return 0;
}
