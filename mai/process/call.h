/*===-- call.h - what holds while a thread is inside the library *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Every way into the library begins with MAI_CALL.  Until the function returns
 *  - the thread is not cancelled: what it holds would stay held;
 *  - messages wait: a handler of the program's may call the library;
 *  - what stands in front of the allocator passes on: memory that the C library takes on our behalf
 *    is not to be placed.
 * Calls may be nested; what is outermost counts.
 */
#ifndef MAI_CALL_H
#define MAI_CALL_H

#include <stdbool.h>

#define MAI_CALL                                                                                   \
  __attribute__((cleanup(mai_call_end))) struct mai_call mai_this_call = mai_call_begin()

struct mai_call {
  unsigned depth; /**< of nested calls, this one included */
};

struct mai_call mai_call_begin(void);

/** Keeps errno. */
void mai_call_end(struct mai_call *call);

/** Whether the calling thread is inside the library. */
bool mai_call_is_inside(void);

/** A function of the program's is called from the library: it finds everything as if it had been
 *  called from outside, and may never return.  mai_call_return() follows when it does. */
struct mai_call_outside {
  unsigned depth;
};
struct mai_call_outside mai_call_leave(void);
void mai_call_return(struct mai_call_outside outside);

/** Have `say(text)` called when the thread has left the library; at once when it is not inside.
 *  Without memory the message is lost. */
void mai_call_say_later(void (*say)(const char *text), const char *text);

#endif /* MAI_CALL_H */
