/*===-- occupied.h - which nodes have threads to spare -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A task is worth waiting for a thread of its home: if that has threads that run no task one is on
 * its way, else if they work, and do not wait themselves.  These get tickets from the run-time, not
 * always of the right queues; so a thread that finds nothing at home gives a ticket back when there
 * is something for it elsewhere.
 *
 * Where nearly all data is on one node, the threads of the others would be idle for most of the
 * time did they leave the tasks to those at home.  So a thread compares how many tasks have been
 * run lately at its own home and at that whose tasks it could take: the fewer at its own, the
 * sooner it helps.
 */
#ifndef MAI_OCCUPIED_H
#define MAI_OCCUPIED_H

#include <stdbool.h>

#include "near.h"

/** The calling thread, on `home`, begins to run a ticket, maybe inside others, and ends it.
 *  @param stays the task that it goes on with has made the ticket's, and most likely waits for them
 */
void mai_occupied_begin(unsigned home);
void mai_occupied_end(bool stays);

/** The calling thread, on `home`, makes a task. */
void mai_occupied_make(unsigned home);

/** Whether the ticket that the calling thread runs is inside no other. */
bool mai_occupied_once(void);

/** The calling thread, which runs a ticket, begins to wait for tasks, and does so no longer. */
void mai_occupied_wait(void);
void mai_occupied_go_on(void);

/** Whether one of the threads that belong on a home, so many, runs no ticket. */
bool mai_home_has_idle_thread(unsigned home, unsigned threads);

/** Whether a thread on a home runs a task, and does not wait in it for others. */
bool mai_home_works(unsigned home);

/** Whether a thread on a home runs a ticket that is inside no other: after that it may run any. */
bool mai_home_is_free_soon(unsigned home);

/** A task waits for any thread of a home, and does so no longer. */
void mai_home_calls(unsigned home);
void mai_home_calls_no_longer(unsigned home);

/** Whether one does. */
bool mai_home_is_calling(unsigned home);

/** The calling thread, on `here`, looks at a home whose tasks it could take.
 *  @return how many tasks have been run at home there, ever */
unsigned long mai_shares_look(unsigned here, unsigned home);

/** Of `most` naps those for which the calling thread leaves the tasks of the home that it has
 * looked at to that one's threads, when these have as many more to run. */
unsigned mai_shares_naps(unsigned most, unsigned long more);

#endif /* MAI_OCCUPIED_H */
