/* A function that mai_on_node() or mai_parallel_nodes() runs is the program's own, not a part of the library: its
   thread can be cancelled there, and what the function says of that holds afterwards.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: timeout 60 %t | FileCheck %s
   CHECK: on a node: can be cancelled
   CHECK-NEXT: on all nodes: can be cancelled
   CHECK-NEXT: cancelled in it: 2 of 2
   CHECK-NEXT: left as it was: 1
*/
#include <mai.h>
#include <pthread.h>
#include <unistd.h>

static int set_cancel_state(int to) {
  int before;
  pthread_setcancelstate(to, &before);
  return before;
}

static void look(void *where) {
  int state = set_cancel_state(PTHREAD_CANCEL_ENABLE);
  printf("%s: %s be cancelled\n", (char *)where, state == PTHREAD_CANCEL_ENABLE ? "can" : "cannot");
}

static void look_on_first(unsigned node, void *where) {
  if (node == 0)
    look(where);
}

static void wait_for_end(void *unused) {
  (void)unused;
  for (;;)
    pause();
}

static void *wait_on_node(void *unused) {
  mai_on_node(0, wait_for_end, unused);
  return NULL;
}

static int is_cancelled(void) {
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, wait_on_node, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  return result == PTHREAD_CANCELED;
}

static void forbid(void *unused) {
  (void)unused;
  set_cancel_state(PTHREAD_CANCEL_DISABLE);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  mai_on_node(0, look, "on a node");
  mai_parallel_nodes(look_on_first, "on all nodes");
  printf("cancelled in it: %d of 2\n", is_cancelled() + is_cancelled());
  mai_on_node(0, forbid, NULL);
  printf("left as it was: %d\n", set_cancel_state(PTHREAD_CANCEL_ENABLE) == PTHREAD_CANCEL_DISABLE);
  return 0;
}
