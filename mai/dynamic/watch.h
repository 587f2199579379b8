/*===-- watch.h - who writes pages next -------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Pages are write-protected by userfaultfd: who writes one waits until the watching thread has
 * noted it and given the right back.  The contents stay where they are, so a page is never in the
 * way of anybody: not of a child of fork(), which is not watched, nor of whoever reads.
 *
 * It is used only where the kernel lets its own writes wait as well: a read() into a watched page
 * succeeds, where pages without the right of access (mprotect(), or userfaultfd for user mode only)
 * make it fail with EFAULT.  That takes CAP_SYS_PTRACE or vm.unprivileged_userfaultfd=1.  And from
 * Linux 5.19 on: before, a page that a device uses could be copied when its right came back.
 *
 * The watching thread keeps the descriptor in a table of its own: the program cannot close it, nor
 * can it stay open in the program's children.
 */
#ifndef MAI_WATCH_H
#define MAI_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A few pages that follow each other, watched as one. */
struct mai_watched {
  uintptr_t begin;
  uintptr_t end;
  bool armed;      /**< nobody has written them yet */
  uint32_t thread; /**< that has, by the kernel's number; 0: none */
  uint32_t region; /**< what mai_watching::region gave then */
  double after;    /**< seconds after they were armed */
};

/** Memory in which pages are watched, at page boundaries. */
struct mai_watched_range {
  uintptr_t begin;
  uintptr_t end;
};

/** What is watched, and how. */
struct mai_watching {
  const struct mai_watched_range *ranges; /**< ascending */
  size_t range_count;
  struct mai_watched *pages; /**< ascending, in the ranges */
  size_t count;
  double seconds;                   /**< how long at most */
  bool (*is_to_end)(void);          /**< asked every few milliseconds: end early */
  uint32_t (*region)(void);         /**< what threads are doing now */
  void (*meanwhile)(void *context); /**< called as often; NULL: none */
  void *context;
};

/** The calling thread has descriptors of its own from now on, and none of the process's.
 *  @return 0, or -1 with errno */
int mai_watch_leave_descriptors(void);

/** Whether the kernel lets this process watch.
 *  @return 0, or the errno with which it refuses */
int mai_watch_probe(void);

/** Watch until all pages are written, or the time is over.  Ranges that cannot be watched,
 *  such as those of files, or with pages that the program watches itself, are left out: their pages
 * are not armed, and never written.
 *  @return 0, or -1 with errno: then nothing was watched */
int mai_watch(struct mai_watching *watching);

#endif /* MAI_WATCH_H */
