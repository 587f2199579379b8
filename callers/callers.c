/*===-- callers.c - the calls that have led to a place ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "callers.h"

#include <unwind.h>

struct walk {
  uintptr_t innermost;
  struct minas_callers *callers;
};

static _Unwind_Reason_Code see_frame(struct _Unwind_Context *frame, void *argument) {
  const struct walk *walk = argument;
  struct minas_callers *callers = walk->callers;
  uintptr_t code = _Unwind_GetIP(frame);
  if (code && (callers->count > 0 || code == walk->innermost))
    callers->code[callers->count++] = code;
  return callers->count == MINAS_CALLERS_SEEN ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void minas_callers_find(const void *innermost, struct minas_callers *callers) {
  struct walk walk = {(uintptr_t)innermost, callers};
  callers->count = 0;
  _Unwind_Backtrace(see_frame, &walk);
  if (callers->count == 0)
    callers->code[callers->count++] = walk.innermost;
}

uint64_t minas_callers_hash(const struct minas_callers *callers) {
  uint64_t hash = callers->count;
  for (unsigned i = 0; i < callers->count; i++) {
    hash = (hash ^ callers->code[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  return hash;
}
