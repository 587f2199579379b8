/*===-- created.h - threads that the program makes by itself ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_CREATED_H
#define MAI_CREATED_H

#include <pthread.h>
#include <stdbool.h>

/** What a new thread is to begin with. */
struct mai_created {
  void *(*start)(void *);
  void *argument;
};

/** Have a new thread call `first` with a number before it begins.
 *  @param created what it is to begin with, which changes
 *  @return whether it will */
bool mai_created_call_first(struct mai_created *created, void (*first)(unsigned number),
                            unsigned number);

/** Have `pin` called in new threads, with their numbers from 1.  Before main(). */
void mai_created_pin_by(void (*pin)(unsigned number));

/** Told of each thread that the program makes by itself, in the thread that makes it. */
typedef void mai_created_watcher(const struct mai_created *created);

/** Before main(), when libraries may have made threads already. */
void mai_created_watch(mai_created_watcher *watcher);

/** Have who watches told of a thread that `caller` creates, and it pinned when it begins, where the
 * user asks for that and it is not one of a run-time's, whose teams are pinned, or the library's.
 *  @param created what the thread is to begin with, which changes */
void mai_created_prepare(struct mai_created *created, const void *caller);

/** The calling thread creates one: what threads leave on their stacks depends on how small these
 * may be.
 *  @param attributes NULL: the usual ones */
void mai_created_see_stack(const pthread_attr_t *attributes);

/** Clear what the library has left on the stack of the calling thread, which is not the first. */
void mai_created_leave_nothing(void);

/** The thread could not be created. */
void mai_created_cancel(const struct mai_created *created);

#endif /* MAI_CREATED_H */
