/* A thread begins where its creator is, reads where it is to go, and goes there. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 100000 };

static int to;
static double *values;

static void pin(int cpu) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(cpu, &mask);
  if (sched_setaffinity(0, sizeof mask, &mask) != 0)
    abort();
}

static void *work(void *unused) {
  pin(to);
  for (int i = 0; i < COUNT; i++)
    values[i] = i;
  return unused;
}

int main(void) {
  cpu_set_t mask;
  pthread_t thread;
  int first = 0;
  sched_getaffinity(0, sizeof mask, &mask);
  while (!CPU_ISSET(first, &mask))
    first++;
  for (int cpu = first; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &mask))
      to = cpu;
  values = malloc(COUNT * sizeof *values);
  pin(first);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  printf("%d\n", to);
  free(values);
  return 0;
}
