/* A call that bears a name bears it until it ends, as part of the calls that it is in, whatever it returns; each thread has
   calls of its own. One that is left by longjmp() ends with the call around it, and of more than 16 inside one another the
   outer ones are known.

   RUN: %{gcc} %s %{mai} -o %t -pthread && %t
   RUN: %{clang} %s %{mai} -o %t -pthread && %t
 */
#undef NDEBUG
#include <assert.h>
#include <mai_static.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static jmp_buf out;

static int inner(int value) {
  assert(MAI_CALLED_FROM("inner") && MAI_CALLED_FROM("outer") && !MAI_CALLED_FROM("other"));
  return value;
}

static int outer(int value) {
  int result = MAI_CALLING("inner", inner(value));
  assert(!MAI_CALLED_FROM("inner") && MAI_CALLED_FROM("outer"));
  return result;
}

static void leave(void) { longjmp(out, 1); }

static void around(void) {
  if (setjmp(out) == 0)
    MAI_CALLING("left", leave());
}

static void deep(int levels) {
  if (levels > 0)
    MAI_CALLING("deep", deep(levels - 1));
  else
    assert(MAI_CALLED_FROM("first"));
}

static void *other_thread(void *nothing) {
  assert(!MAI_CALLED_FROM("outside"));
  return nothing;
}

static void with_thread(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, other_thread, NULL) == 0);
  pthread_join(thread, NULL);
}

int main(void) {
  assert(MAI_CALLING("outer", outer(42)) == 42);
  assert(!MAI_CALLED_FROM("outer"));
  MAI_CALLING("around", around());
  assert(!MAI_CALLED_FROM("left") && !MAI_CALLED_FROM("around"));
  MAI_CALLING("first", deep(40));
  assert(!MAI_CALLED_FROM("first") && !MAI_CALLED_FROM("deep"));
  MAI_CALLING("outside", with_thread());
  return 0;
}
