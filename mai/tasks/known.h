/*===-- known.h - what is known of the functions of tasks -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program that makes a task of `sort(numbers + half, half)` gives it `numbers` and `half`: where
 * the task's data begins, its function alone knows.  But the tasks that it makes get that place, so
 * the next tasks of its kind are known by these.  How far that is from what it got depends on how
 * often the data has been divided already, on the task's *level*: each level is learned by itself,
 * and until then taken to be half of that above.
 */
#ifndef MAI_KNOWN_H
#define MAI_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAI_POINTERS = 3 };

/** The first pointers into arrays that a task gets, as they are; 0: none. */
struct mai_pointers {
  uintptr_t words[MAI_POINTERS];
  uintptr_t arrays[MAI_POINTERS]; /**< where the arrays begin */
};

/** What is known of a function. */
struct mai_known;

/** NULL when nothing can be. */
struct mai_known *mai_known_of(const void *function);

/** Whether the word of its arguments that ends at an offset has pointed elsewhere than to an
 *  array's beginning, and that it has.  @param known may be NULL, here and below */
bool mai_known_moves(const struct mai_known *known, size_t end);
void mai_known_note_moves(struct mai_known *known, size_t end);

/** How far behind one of its pointers the data of a task on a level begins. */
intptr_t mai_known_offset(const struct mai_known *known, unsigned level, unsigned pointer);

/** A task of the function has got `own`, and the first that it makes gets `made`. */
void mai_known_note_made(struct mai_known *known, unsigned level, const struct mai_pointers *own,
                         const struct mai_pointers *made);

#endif /* MAI_KNOWN_H */
