/* A library whose constructor waits for a thread that allocates memory. */
#include <pthread.h>
#include <stdlib.h>

static void *allocate(void *unused) {
  for (int i = 0; i < 20; i++) {
    volatile char *block = malloc(8 << 20);
    block[i << 12] = 1;
    free((void *)block);
  }
  return unused;
}

__attribute__((constructor)) static void wait_for_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, allocate, NULL);
  pthread_join(thread, NULL);
}
