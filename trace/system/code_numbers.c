/*===-- code_numbers.c - numbers of places in the code ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "code_numbers.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a number is the place's: already, or from now on. */
static bool is_number_of(struct trace_code_numbers *numbers, unsigned number, uintptr_t code) {
  uintptr_t known = atomic_load_explicit(&numbers->codes[number], memory_order_relaxed);
  if (known == 0 && atomic_compare_exchange_strong(&numbers->codes[number], &known, code)) {
    atomic_store(&numbers->ranks[number], 1 + atomic_fetch_add(&numbers->count, 1));
    return true;
  }
  return known == code;
}

unsigned trace_number_of_code(struct trace_code_numbers *numbers, const void *code) {
  size_t start = ((uintptr_t)code >> 2) * 0x9e3779b97f4a7c15U >> 40;
  for (unsigned i = 0; i < numbers->room - 1; i++) {
    unsigned number = 1 + (unsigned)((start + i) % (numbers->room - 1));
    if (is_number_of(numbers, number, (uintptr_t)code))
      return number;
  }
  return 0;
}
