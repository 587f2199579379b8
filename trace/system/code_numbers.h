/*===-- code_numbers.h - numbers of places in the code ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_TRACE_CODE_NUMBERS_H
#define MAI_TRACE_CODE_NUMBERS_H

#include <stdatomic.h>
#include <stdint.h>

/** Places in the code, each with a number below `room`, from 1; none is ever forgotten. */
struct trace_code_numbers {
  unsigned room;
  atomic_uintptr_t *codes; /**< by number */
  atomic_uint *ranks;      /**< of each, as the program came to them, from 1; 0: not known yet */
  atomic_uint count;
};

#define TRACE_CODE_NUMBERS(name, most)                                                             \
  static atomic_uintptr_t name##_codes[most];                                                      \
  static atomic_uint name##_ranks[most];                                                           \
  static struct trace_code_numbers name = {                                                        \
      .room = (most), .codes = name##_codes, .ranks = name##_ranks}

/** The number of a place; 0: there are too many. */
unsigned trace_number_of_code(struct trace_code_numbers *numbers, const void *code);

#endif /* MAI_TRACE_CODE_NUMBERS_H */
