/*===-- sum.c - the threads of a team each sum up their share ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: sum THREADS [CPUS]
   Prints the sum of 0..999, in which each number is counted by the thread that OpenMP's number of the
   thread gives it to; wrong where that number is of another run-time than the team.  Then on which CPUs
   the threads may run. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 1000, MOST_THREADS = 64 };

static char cpus[MOST_THREADS][256];

static void look(char *text) {
  cpu_set_t mask;
  text[0] = '\0';
  sched_getaffinity(0, sizeof mask, &mask);
  for (int cpu = 0; cpu < MOST_THREADS; cpu++)
    if (CPU_ISSET(cpu, &mask))
      sprintf(text + strlen(text), "%s%d", *text ? "," : "", cpu);
}

int main(int argc, char **argv) {
  long sum = 0;
  int size = argc > 1 ? atoi(argv[1]) : 1;
#pragma omp parallel num_threads(size) reduction(+ : sum)
  {
    int threads = omp_get_num_threads();
    int thread = omp_get_thread_num();
    for (long i = (long)NUMBERS * thread / threads; i < (long)NUMBERS * (thread + 1) / threads; i++)
      sum += i;
    look(cpus[thread]);
  }
  printf("sum %ld on", sum);
  for (int thread = 0; thread < size && argc > 2; thread++)
    printf(" %s", cpus[thread]);
  printf("\n");
  return 0;
}
