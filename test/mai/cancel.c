/* A thread that is cancelled inside the library leaves nothing locked behind: it ends when the library's
   work is done.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: timeout 120 %t | FileCheck %s
   CHECK: 300 cancelled, 0 lost
*/
#include <mai.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static char *shared;

static void *use_the_library(void *unused) {
  /* Not on the stack: AddressSanitizer is not told that a cancelled thread's frames end. */
  static struct mai_pages pages;
  (void)unused;
  while (shared) {
    char *array = mai_alloc(20, 4096, "skew", "own");
    mai_replace(shared, NULL, NULL);
    mai_verify(shared, &pages, NULL, 0);
    mai_node_meant(shared);
    mai_free(array);
    pthread_testcancel();
  }
  return NULL;
}

int main(void) {
  int cancelled = 0, lost = 0;
  shared = mai_alloc_cyclic(200, 4096);
  memset(shared, 1, 200 * 4096);
  for (int i = 0; i < 300; i++) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, use_the_library, NULL);
    nanosleep(&(struct timespec){.tv_nsec = i * 10000}, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    cancelled += result == PTHREAD_CANCELED;
    lost += mai_replace(shared, NULL, NULL) != 0;
  }
  printf("%d cancelled, %d lost\n", cancelled, lost);
}
