// Threads of pthreads: what they use a static variable and a static structure lead to.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 200000, THREADS = 4 };

static double *sums;
static struct {
  double *values;
} field;

static void *add(void *part) {
  for (size_t i = (size_t)part; i < COUNT; i += THREADS)
    sums[i] += field.values[i];
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  sums = calloc(COUNT, sizeof *sums);
  field.values = calloc(COUNT, sizeof *field.values);
  for (size_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, add, (void *)i);
  for (size_t i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("sum %g\n", sums[7]);
  free(field.values);
  free(sums);
  return 0;
}
