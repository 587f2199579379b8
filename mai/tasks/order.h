/*===-- order.h - what checkers of data races are told -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * ThreadSanitizer sees neither the queues' locks nor who runs which task: LLVM's run-time tells it
 * of tickets only.  It defines these functions in programs that are compiled for it.
 */
#ifndef MAI_ORDER_H
#define MAI_ORDER_H

__attribute__((weak)) void AnnotateHappensBefore(const char *file, int line,
                                                 const volatile void *address);
__attribute__((weak)) void AnnotateHappensAfter(const char *file, int line,
                                                const volatile void *address);

/** What the calling thread has done comes before what others do after mai_comes_after(). */
static inline void mai_comes_before(const volatile void *address) {
  if (AnnotateHappensBefore)
    AnnotateHappensBefore(__FILE__, __LINE__, address);
}

static inline void mai_comes_after(const volatile void *address) {
  if (AnnotateHappensAfter)
    AnnotateHappensAfter(__FILE__, __LINE__, address);
}

#endif /* MAI_ORDER_H */
