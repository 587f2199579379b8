/*===-- thread_samples.h - where threads have been seen ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each thread of a top-level team notes where it is; anyone may read that at any time.  Only the
 * first MAI_MOST_THREAD_SAMPLES threads are noted.
 */
#ifndef MAI_THREAD_SAMPLES_H
#define MAI_THREAD_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "numarch.h"

#define MAI_MOST_THREAD_SAMPLES 4096U

struct mai_thread_sample {
  bool seen;
  bool pinned;   /**< MAi has pinned the thread */
  uint32_t cpu;  /**< OS index of the CPU on which it was last seen; or NUMARCH_NONE */
  uint32_t node; /**< logical index of the node to which it was bound when seen there; NUMARCH_NONE
                    if to several or none */
};

/** Note where the calling thread is, which is thread `thread` of its team. @return whether it is
 *  news to which node it is bound */
bool mai_thread_sample_take(const numarch_t *machine, unsigned thread);

/** Note that MAi has pinned a thread. @return whether that is news */
bool mai_thread_sample_pinned(unsigned thread);

/** What is noted of a thread. */
struct mai_thread_sample mai_thread_sample_of(unsigned thread);

/** Which thread was last seen under the number that the kernel has for it; MAI_MOST_THREAD_SAMPLES
 *  when none was. */
unsigned mai_thread_sample_of_number(uint32_t number);

/** The number that the kernel has for a thread; 0: it was never seen. */
uint32_t mai_thread_sample_number(unsigned thread);

/** 1 + the highest number of a thread that was seen. */
unsigned mai_thread_samples_count(void);

#endif /* MAI_THREAD_SAMPLES_H */
