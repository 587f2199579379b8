/*===-- index.h - integers that tell tasks their parts -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program that makes tasks of `divide(from + i * part)` may give each `from` and `i`: the
 * pointer, which all get, does not tell them apart, but one of the integers does, the *index*.
 * Which one, and how far from one part to the next, is seen from where the data of some tasks
 * began.
 */
#ifndef MAI_INDEX_H
#define MAI_INDEX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { MAI_NUMBERS = 7, MAI_LARGE_NUMBER = UINT16_MAX };

/** The first integers that a task gets. */
struct mai_numbers {
  uint16_t count;               /**< 0: nobody has looked */
  uint16_t values[MAI_NUMBERS]; /**< MAI_LARGE_NUMBER: one that is no index */
};

/** One more. */
void mai_numbers_add(struct mai_numbers *numbers, uint32_t number);

/** What is known of one pointer of a function's tasks; zero: nothing. */
struct mai_index {
  atomic_bool busy;
  atomic_uint agreed; /**< tasks, one after the other, that were as predicted */
  atomic_uint number; /**< which is the index */
  _Atomic intptr_t start;
  _Atomic intptr_t stride;
  intptr_t last; /**< where the last task's data began, who is busy alone reads it */
  struct mai_numbers last_numbers;
};

/** The data of a task with these integers begins so far behind its pointer. */
void mai_index_note(struct mai_index *index, const struct mai_numbers *numbers, intptr_t offset);

/** @return whether it is known how far behind its pointer the data of such a task begins */
bool mai_index_predicts(const struct mai_index *index, const struct mai_numbers *numbers,
                        intptr_t *offset);

#endif /* MAI_INDEX_H */
