/*===-- home.h - where a task's data is ---------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The program says it before it makes a task (mai_task_near(), mai_task_on()); else it is learned
 * from what the task gets: pointers into arrays of MAi, which know where their pages belong.
 *
 * Nobody asks the kernel, and the registry of arrays is asked once for many tasks: each thread
 * remembers runs of pages that belong on one node.
 */
#ifndef MAI_HOME_H
#define MAI_HOME_H

#include <stddef.h>
#include <stdint.h>

#include "mai/tasks/functions/known.h"
#include "near.h"

/** What the program has said of the next task of the calling thread, which is this one;
 *  MAI_NO_HOME: nothing. */
unsigned mai_home_said(void);

enum { MAI_MOST_VOTED = 8 };

/** What speaks for homes: bytes of a task's data.  Of few homes: those that its data are on. */
struct mai_home_votes {
  unsigned count; /**< zero: none yet */
  unsigned homes[MAI_MOST_VOTED];
  size_t bytes[MAI_MOST_VOTED];
};

/** Memory whose pages belong on one node, or on none. */
struct mai_home_run {
  uintptr_t begin;
  uintptr_t end;
  uintptr_t array; /**< the beginning of the array it is of; 0: of none */
  size_t bytes;    /**< of the array */
  unsigned home;
  unsigned long changes; /**< of the registry, before it was asked */
};

enum { MAI_HOME_RUNS = 4 };

/** What a thread remembers; all zero in the beginning. */
struct mai_home_notes {
  struct mai_home_run runs[MAI_HOME_RUNS];
  unsigned next; /**< to be replaced */
  unsigned node; /**< a home, and 1, that the program has named for the next task; 0: none */
  struct mai_home_votes said; /**< for the next task's data */
};

/** Count the bytes of some memory. */
void mai_home_vote(struct mai_home_votes *votes, const void *memory, size_t bytes);

/** The home of most bytes; of several that have as much, the one that came first; MAI_NO_HOME. */
unsigned mai_home_winner(const struct mai_home_votes *votes);

struct mai_home_found {
  unsigned home;  /**< or MAI_NO_HOME */
  unsigned guess; /**< where there is none: it may be this one, but does not say so of tasks that
                     this one makes */
};

/** The home of most of the pointers among the arguments of a task, which runs `function`, that
 * point into arrays and say where its data is (mai_known_extent()).
 * @param pointers get these; all are 0 */
struct mai_home_found mai_home_of_arguments(const void *function, const void *arguments,
                                            size_t bytes, unsigned level,
                                            struct mai_pointers *pointers);

/** That of the same task by what is known now; MAI_NO_HOME. */
unsigned mai_home_of_pointers(const void *function, unsigned level,
                              const struct mai_pointers *pointers);

/** The home of most of the bytes that a part of a loop uses of the arrays whose beginnings are
 * among its arguments: the part that the iterations [first, first + count) are of all. */
unsigned mai_home_of_share(const void *arguments, size_t bytes, uint64_t first, uint64_t count,
                           uint64_t all);

#endif /* MAI_HOME_H */
