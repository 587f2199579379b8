/*===-- callers.c - the calls that have led to a place ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "callers.h"

#include <unwind.h>

/* Where this thread's stack is known to be: the calls that it has last been followed by lie there.
   The model of thread-local storage spares a call for each access, which could take memory. */
static _Thread_local struct {
  uintptr_t low, high;
} known_stack __attribute__((tls_model("initial-exec")));

struct walk {
  uintptr_t innermost;
  struct minas_callers *callers;
};

static _Unwind_Reason_Code see_frame(struct _Unwind_Context *frame, void *argument) {
  const struct walk *walk = argument;
  struct minas_callers *callers = walk->callers;
  uintptr_t code = _Unwind_GetIP(frame);
  if (code && (callers->count > 0 || code == walk->innermost)) {
    callers->code[callers->count] = code;
    callers->stack[callers->count++] = _Unwind_GetCFA(frame);
  }
  return callers->count == MINAS_CALLERS_SEEN ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void minas_callers_find(const void *innermost, struct minas_callers *callers) {
  struct walk walk = {(uintptr_t)innermost, callers};
  callers->count = 0;
  _Unwind_Backtrace(see_frame, &walk);
  if (callers->count == 0) {
    callers->code[callers->count] = walk.innermost;
    callers->stack[callers->count++] = 0;
  }
  known_stack.low = callers->stack[0];
  known_stack.high = callers->stack[callers->count - 1];
}

/*===-- The same calls again -----------------------------------------------===*/

#if defined(__x86_64__)

/* A call leaves its return address below the stack pointer that is there behind it, and most
   functions always take as much of the stack: where all addresses lie where they have lain before,
   the calls are the same.  What lies beyond the known end of the stack may not be there to be read:
   a function may take less than before.  What lies below its beginning by less than a page is the
   same stack, or one that no guard page divides from it. */
enum { MOST_BELOW = 1 << 12 };

static bool is_known_stack(uintptr_t stack) {
  return stack <= known_stack.high && stack + MOST_BELOW >= known_stack.low;
}

bool minas_callers_are(const struct minas_callers *callers, const void *innermost,
                       uintptr_t stack) {
  if (callers->code[0] != (uintptr_t)innermost || !is_known_stack(stack))
    return false;
  for (unsigned i = 1; i < callers->count; i++) {
    uintptr_t there = stack + (callers->stack[i] - callers->stack[0]);
    if (there <= stack || there > known_stack.high ||
        ((const uintptr_t *)there)[-1] != callers->code[i])
      return false;
  }
  return true;
}

#else

bool minas_callers_are(const struct minas_callers *callers, const void *innermost,
                       uintptr_t stack) {
  (void)callers, (void)innermost, (void)stack;
  return false;
}

#endif

uint64_t minas_callers_hash(const struct minas_callers *callers) {
  uint64_t hash = callers->count;
  for (unsigned i = 0; i < callers->count; i++) {
    hash = (hash ^ callers->code[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  return hash;
}
