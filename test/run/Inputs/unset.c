/* How many words of a thread's stack, below a function's frame, are not 0 when its first region begins, or when it is
   made by pthread_create().  What the dynamic linker writes there where a function is called for the first time is not
   counted: all have been called before. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 1024, OVERHEAD = 8, THREADS = 3 };

static __attribute__((noinline)) int count_set(void) {
  unsigned long unset[WORDS];
  int count = 0;
  for (int i = 0; i < WORDS; i++) {
    __asm__ volatile("" : "+m"(unset[i]));
    count += unset[i] != 0;
  }
  return count;
}

static int found[THREADS];

static void *look(void *number) {
  *(int *)number = count_set();
  return NULL;
}

static int most(void) {
  int words = 0;
  for (int thread = 1; thread < THREADS; thread++)
    words = found[thread] > words ? found[thread] : words;
  return words;
}

static void look_in_region(void) {
#pragma omp parallel num_threads(THREADS)
  {
    int set = count_set();
    found[omp_get_thread_num()] = set;
  }
}

static void look_in_threads(void) {
  pthread_t threads[THREADS];
  for (int i = 1; i < THREADS; i++)
    pthread_create(&threads[i], NULL, look, &found[i]);
  for (int i = 1; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

int main(int count, char **arguments) {
  if (omp_get_thread_num() == 0 && count > 1 && strcmp(arguments[1], "threads") == 0)
    look_in_threads();
  else
    look_in_region();
  printf("%d: %s set\n", most(), most() <= OVERHEAD ? "few words" : "many words");
  return 0;
}
