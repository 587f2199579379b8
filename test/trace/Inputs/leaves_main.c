/* The initial thread ends before the others do. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static double array[1024];

static void *work(void *argument) {
  for (int i = 0; i < 1024; i++)
    ((volatile double *)array)[i] = i;
  usleep(1500000); /* until after a checkpoint */
  puts("worked");
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_exit(NULL);
}
