/* Many blocks that are placed, some while other threads change the environment. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 4096, BYTES = 2 << 20 };

static void *change_environment(void *unused) {
  char name[32];
  for (int i = 0; i < 3000; i++) {
    snprintf(name, sizeof name, "VARIABLE_%d", i);
    setenv(name, "some text that makes the environment grow", 1);
  }
  return unused;
}

int main(void) {
  static char *blocks[BLOCKS];
  pthread_t thread;
  pthread_create(&thread, NULL, change_environment, NULL);
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i] = malloc(BYTES);
    blocks[i][BYTES / 2] = (char)i;
  }
  pthread_join(thread, NULL);
  int wrong = 0;
  for (int i = 0; i < BLOCKS; i++)
    wrong += blocks[i][BYTES / 2] != (char)i;
  for (int i = 0; i < BLOCKS; i += 2)
    free(blocks[i]);
  printf("wrong: %d\n", wrong);
}
