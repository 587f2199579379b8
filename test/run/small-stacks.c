/* Coroutines and threads with stacks of 16 KiB, of which variables of threads take some, ask for memory as they do without mai-run,
   whatever is to be found out of it.
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q -s 4096 -p '*: cyclic' %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q --dynamic %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q --threads all %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q --list -r %t.list %t | FileCheck %s
   RUN: FileCheck --check-prefix=LIST %s < %t.list
   RUN: %{build}/bin/mai-run -q -r %t.json %t | FileCheck %s
   CHECK: coroutine: 3
   CHECK-NEXT: thread: 3
   CHECK-NEXT: small one: 1
   LIST-DAG: coroutine
   LIST-DAG: thread
*/
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 16 << 10, GUARD = 4096, ARRAY = 2 << 20 };

static ucontext_t outside, inside;

static int touched(char *array) {
  memset(array, 1, ARRAY);
  return array[0] + array[ARRAY / 2] + array[ARRAY - 1];
}

static int use(void) {
  char *allocated = malloc(ARRAY);
  char *grown = realloc(calloc(2, ARRAY / 2), 2 * ARRAY);
  char *mapped = mmap(NULL, ARRAY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int sum = touched(allocated) + touched(grown) + touched(mapped);
  munmap(mapped, ARRAY);
  free(grown);
  free(allocated);
  return sum / 3;
}

static int sum;

static void coroutine(void) { sum = use(); }

static void *thread(void *unused) {
  sum = use();
  return unused;
}

/* What lies below it ends a program that goes there. */
static void run_coroutine(void) {
  char *stack =
      mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(stack, GUARD, PROT_NONE);
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack + GUARD;
  inside.uc_stack.ss_size = STACK;
  inside.uc_link = &outside;
  makecontext(&inside, coroutine, 0);
  swapcontext(&outside, &inside);
  printf("coroutine: %d\n", sum);
}

static void run_thread(const char *name, void *(*function)(void *)) {
  pthread_attr_t attributes;
  pthread_t one;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK);
  sum = 0;
  if (pthread_create(&one, &attributes, function, NULL) == 0)
    pthread_join(one, NULL);
  printf("%s: %d\n", name, sum);
}

/* As large as those of some allocators. */
static _Thread_local char used_by_all[3 << 10];

static void *small_thread(void *unused) {
  used_by_all[0] = 1;
  sum = used_by_all[0];
  return unused;
}

int main(void) {
  run_coroutine();
  run_thread("thread", thread);
  run_thread("small one", small_thread);
  return 0;
}
