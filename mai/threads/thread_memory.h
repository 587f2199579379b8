/*===-- thread_memory.h - memory that only one thread uses ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The C library sets up a thread's local variables (_Thread_local, threadprivate) and the top of
 * its stack in the thread that creates it, on the node of that one.  They would stay there for
 * good.  Where it is known which node a new thread belongs to, they are set up there; else they are
 * moved, which has all CPUs do something each time.
 */
#ifndef MAI_THREAD_MEMORY_H
#define MAI_THREAD_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/** Find out how large the local variables of a thread are. Threads of libraries that are loaded
 *  later touch theirs first themselves. */
void mai_thread_memory_init(void);

/** Move the local variables of the calling thread, and its stack around where it is now, to a node
 *  (OS index), where there is anything to place and the user has set no policy for threads
 *  (numactl).  What cannot be moved stays. Keeps errno. */
void mai_thread_memory_move(uint32_t node);

/** What the calling thread touches first lies on a node (OS index) until mai_thread_memory_leave():
 *  it creates a thread that belongs there, which gets that from it.
 *  @return whether it is so; not where there is nothing to place or the user has set a policy for
 *    threads */
bool mai_thread_memory_prefer(uint32_t node);

/** What the calling thread touches first lies where it runs. Keeps errno. */
void mai_thread_memory_leave(void);

#endif /* MAI_THREAD_MEMORY_H */
