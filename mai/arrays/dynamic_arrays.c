/*===-- dynamic_arrays.c - arrays whose policy is found while the program runs *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "dynamic_arrays.h"

#include <stdatomic.h>

static void (*_Atomic listener)(void);
static atomic_bool left;

void mai_dynamic_arrays_listen(void (*first)(void)) { atomic_store(&listener, first); }

void mai_dynamic_arrays_note(void) {
  void (*first)(void) = atomic_load_explicit(&listener, memory_order_relaxed);
  if (first && (first = atomic_exchange(&listener, NULL)))
    first();
}

void mai_dynamic_arrays_leave(void) { atomic_store(&left, true); }

bool mai_dynamic_arrays_are_left(void) { return atomic_load_explicit(&left, memory_order_relaxed); }
