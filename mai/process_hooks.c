/*===-- process_hooks.c - what a pinned thread makes is not pinned *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A new thread or process inherits the mask of the thread that makes it: from a pinned one, a
 * single CPU.  So a thread has the process's mask while it makes another, and a child of fork()
 * begins by taking it.
 */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "hooks.h"
#include "interpose.h"
#include "place.h"
#include "settled.h"

MAI_INTERPOSES int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                  void *(*start)(void *), void *argument) {
  struct mai_place_before before = mai_place_release();
  int result = MAI_NEXT(pthread_create)(thread, attributes, start, argument);
  mai_place_return(&before);
  mai_settled_thread_made();
  return result;
}

MAI_INTERPOSES int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  struct mai_place_before before = mai_place_release();
  int result = MAI_NEXT(thrd_create)(thread, start, argument);
  mai_place_return(&before);
  mai_settled_thread_made();
  return result;
}

int mai_process_hooks_init(void) {
  errno = pthread_atfork(NULL, NULL, mai_place_begin_child);
  return errno ? -1 : 0;
}
