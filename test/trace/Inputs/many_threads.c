// 2,200 threads, one after the other.
#include <pthread.h>
#include <stdio.h>

static long counts[4096];

static void *count(void *of) {
  ++*(long *)of;
  return NULL;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 2200; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, count, &counts[i]) != 0 || pthread_join(thread, NULL) != 0)
      return 1;
    sum += counts[i];
  }
  printf("%ld\n", sum);
  return sum != 2200;
}
