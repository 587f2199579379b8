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

#include "index.h"

enum { MAI_POINTERS = 3, MAI_COMPARED_POINTERS = 4, MAI_COMPARED_KINDS = 32 };

/** The first pointers into arrays that a task gets, as they are; 0: none. */
struct mai_pointers {
  uintptr_t words[MAI_POINTERS];
  uintptr_t arrays[MAI_POINTERS]; /**< where the arrays begin */
  struct mai_numbers numbers;     /**< beside them, where such tasks make tasks */
};

/** What is known of a function. */
struct mai_known;

/** NULL when nothing can be. */
struct mai_known *mai_known_of(const void *function);

/** What the last tasks have got that a thread has made, of some functions and levels: pointers into
 *  arrays. */
struct mai_last_tasks {
  unsigned batch; /**< changes when the thread waits or runs others: what it makes then is no
                     sibling of those before */
  struct mai_last_task {
    const void *kind; /**< of its function and level */
    unsigned batch;
    bool is_sibling;                        /**< of the one before */
    uintptr_t words[MAI_COMPARED_POINTERS]; /**< 0: none */
  } tasks[MAI_COMPARED_KINDS];
  struct mai_sibling {
    unsigned batch;
    uintptr_t word;
  } siblings[MAI_COMPARED_POINTERS]; /**< the last ones, of any function */
};

/** A thread makes a task of the function on the level: the last such, of which nothing is known
 * where another had its place; NULL when `known` is.  @param last may be NULL, and what comes of it
 */
struct mai_last_task *mai_known_last(const struct mai_known *known, unsigned level,
                                     struct mai_last_tasks *last);

/** A task gets a pointer into an array, as number `pointer` of such.  @param known may be NULL,
 * here and below */
void mai_known_note_pointer(struct mai_known *known, unsigned level, struct mai_last_task *last,
                            unsigned pointer, uintptr_t word, uintptr_t array, size_t bytes);

/** The bytes behind a pointer among which its task's data is.  They count from where it points, 1,
 *  when most tasks get another one than those before; from there to the next when many get it in
 *  turn.  0: it is not known, as all get the same, or it is the first, and the array's beginning,
 *  and none before has made tasks. */
size_t mai_known_extent(const struct mai_known *known, unsigned level, unsigned pointer,
                        uintptr_t word, uintptr_t array);

/** Whether a pointer may be where a task's data begins as far as it is known: no two tasks have
 * been compared, and the one that its thread has made before, of any function, got another. */
bool mai_known_may_begin(const struct mai_known *known, unsigned level, unsigned pointer,
                         uintptr_t word, struct mai_last_tasks *last);

/** Whether a task of the function has made others on the level. */
bool mai_known_makes_tasks(const struct mai_known *known, unsigned level);

/** How far behind one of its pointers the data of a task on a level begins that gets these
 *  integers, too; 0 where nothing is known.
 *  @return whether that tells it apart from others that get the same pointer */
bool mai_known_offset(const struct mai_known *known, unsigned level, unsigned pointer,
                      const struct mai_numbers *numbers, intptr_t *offset);

/** A task of the function has got `own`, and the first that it makes gets `made`. */
void mai_known_note_made(struct mai_known *known, unsigned level, const struct mai_pointers *own,
                         const struct mai_pointers *made);

#endif /* MAI_KNOWN_H */
