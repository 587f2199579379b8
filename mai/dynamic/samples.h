/*===-- samples.h - what threads access, by a clock -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each thread is looked at when it has used so much time: the kernel's cpu-clock, with the thread's
 * registers, from which follows what it reads or writes next (instructions.h).  The threads notice
 * nothing: there is no signal, no page is taken from them, nothing of theirs fails.
 *
 * It takes no rights where kernel.perf_event_paranoid is 2 or less, and a processor whose
 * instructions are known: x86-64.
 *
 * The descriptors are in the table of the thread that asks, as those of watch.h.
 */
#ifndef MAI_SAMPLES_H
#define MAI_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

struct mai_samples;

/** Whether the kernel lets this process sample its threads. @return 0, or the errno with which it
 *  refuses; ENOSYS: not on this processor */
int mai_samples_probe(void);

/** Begin to look at threads.
 *  @param threads their numbers as the kernel has them; those that have ended are left out
 *  @param period of their time: nanoseconds
 *  @return NULL with errno */
struct mai_samples *mai_samples_begin(const uint32_t *threads, unsigned count, uint64_t period);

/** What a thread was about to access: some addresses, in the order of the accesses, maybe none. */
struct mai_seen {
  unsigned thread; /**< counts the threads that were asked for */
  double when;     /**< by minas_now() */
  const uintptr_t *addresses;
  size_t count;
};

/** Call `visit` for each sample since the last call.  Allocates nothing.
 *  @return how many samples there were */
size_t mai_samples_read(struct mai_samples *samples,
                        void (*visit)(void *context, const struct mai_seen *seen), void *context);

/** Look at the threads more often, or more seldom. */
void mai_samples_set_period(const struct mai_samples *samples, uint64_t period);

/** Forget those that nobody has read: they are of another time. */
void mai_samples_skip(struct mai_samples *samples);

/** NULL is allowed. */
void mai_samples_end(struct mai_samples *samples);

#endif /* MAI_SAMPLES_H */
