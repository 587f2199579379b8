/*===-- threads.h - which context a thread counts into -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A thread is known by omp_get_thread_num() in the top-level team, the outermost one with several
 * threads.  The threads of teams inside count as the one that opened these.  What the initial
 * thread does outside of teams is thread 0's.
 */
#ifndef MAI_TRACE_THREADS_H
#define MAI_TRACE_THREADS_H

#include <stdbool.h>

#include "counters.h"
#include "openmp/openmp.h"
#include "trace/system/code_numbers.h"
#include "trace/system/settings.h"

/** Whether counting has started, which mai_trace_initialise() of hooks.h does; before that nothing
 * else here may be called. */
MAI_TRACE_GENERAL_REGISTERS bool trace_started(void);

const struct trace_settings *trace_settings(void);

/** What this thread counts into; NULL before it counts. */
struct trace_context *trace_own_context(void);

/** Enter a region. @param region identifies it: an address of code */
void trace_enter(const struct mai_openmp *openmp, const void *region);

/** The thread that opened a region goes on as before it: with its context of then. */
void trace_leave(struct trace_context *before);

enum { TRACE_PHASES_MAX = 1024, TRACE_TASKS_MAX = 256 };

/** Whether loops of a phase gave threads pieces as these came. */
bool trace_phase_is_dynamic(unsigned phase);

/** The number of a task's code, its body; 0: it counts as what is around it. */
unsigned trace_task_of(const void *body);

/** The regions by phase, and the bodies of tasks by number. */
const struct trace_code_numbers *trace_regions(void);
const struct trace_code_numbers *trace_tasks(void);

/** The calling thread begins to run a task of that number.
 *  @return its context of before, for trace_leave() */
struct trace_context *trace_task_begin(unsigned task);

/** The same where the end is told apart from the beginning: these nest. */
void trace_task_push(unsigned task);
void trace_task_pop(void);

/** Count from now on, all threads; or not. */
void trace_record(bool on);

enum { TRACE_SLICES_MAX = 64 };

/** The next slice of time begins.  @param now milliseconds since the first one did
 *  @return whether there may be more */
bool trace_slice_begin(uint64_t now);

/** How many have begun, and when one did. */
unsigned trace_slice_count(void);
uint64_t trace_slice_start(unsigned slice);

/** Whether some of the run is not counted. */
bool trace_has_gaps(void);

/** A thread begins, the `created`th that was made, on its own stack. */
void trace_thread_is_created(unsigned created);

/** The number by which contexts are this thread's; 0 before it counts. */
unsigned trace_owner(void);

/** Counting by this thread pauses (nests), so that the library's own work is not seen. */
void trace_pause(void);
void trace_resume(void);

/** Begin anew in a child of fork(). */
void trace_thread_in_child(void);

#endif /* MAI_TRACE_THREADS_H */
