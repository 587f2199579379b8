/*===-- occupied.h - which nodes have threads to spare -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A task is worth waiting for a thread of its home, if one is on its way: if the home has threads
 * that run no task.  These get tickets from the run-time, not always of the right queues; so a
 * thread that finds nothing at home gives a ticket back when there is something for it elsewhere.
 */
#ifndef MAI_OCCUPIED_H
#define MAI_OCCUPIED_H

#include <stdbool.h>

#include "near.h"

/** The calling thread, on `home`, begins to run a ticket, maybe inside others, and ends it. */
void mai_occupied_begin(unsigned home);
void mai_occupied_end(void);

/** Whether the ticket that the calling thread runs is inside no other. */
bool mai_occupied_once(void);

/** Whether a thread that belongs on a home runs no ticket. */
bool mai_home_has_idle_thread(unsigned home);

/** A task waits for any thread of a home, and does so no longer. */
void mai_home_calls(unsigned home);
void mai_home_calls_no_longer(unsigned home);

/** Whether one does. */
bool mai_home_is_calling(unsigned home);

#endif /* MAI_OCCUPIED_H */
