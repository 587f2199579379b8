/*===-- watch.c - who writes pages next -------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * While pages are armed the watching thread waits for nothing but the descriptor: it allocates
 * nothing, holds no array, and takes no lock.  Who waits for it may hold anything.
 */
#include "watch.h"

#include <errno.h>
#include <linux/close_range.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <time.h>

#include "runtime/clock.h"
#include "runtime/fail.h"
#include "runtime/system.h"

enum { MESSAGES = 16 };

/* How long it may take until the thread sees that it is to end: nanoseconds. */
static const long PATIENCE = 4000000;

/*===-- The descriptor -----------------------------------------------------===*/

int mai_watch_leave_descriptors(void) {
  return (int)minas_system(SYS_close_range, 0, ~0U, CLOSE_RANGE_UNSHARE, 0, 0, 0);
}

static int control(int file, unsigned long request, void *argument) {
  return (int)minas_system(SYS_ioctl, file, (long)request, (long)argument, 0, 0, 0);
}

/* The last of these came with Linux 5.19. */
static int open_watch(void) {
  struct uffdio_api api = {.api = UFFD_API,
                           .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP | UFFD_FEATURE_THREAD_ID |
                                       UFFD_FEATURE_WP_HUGETLBFS_SHMEM};
  int file = (int)minas_system(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK, 0, 0, 0, 0, 0);
  if (file < 0)
    return -1;
  if (control(file, UFFDIO_API, &api) == 0)
    return file;
  int error = errno;
  minas_close(file);
  return fail(error);
}

int mai_watch_probe(void) {
  int file = open_watch();
  if (file < 0)
    return errno;
  minas_close(file);
  return 0;
}

/*===-- Pages --------------------------------------------------------------===*/

/* To give the right back wakes who waits for it. */
static int protect(int file, const struct mai_watched *page, bool protected) {
  struct uffdio_writeprotect change = {.range = {page->begin, page->end - page->begin},
                                       .mode = protected ? UFFDIO_WRITEPROTECT_MODE_WP : 0};
  return control(file, UFFDIO_WRITEPROTECT, &change);
}

/* Where the program has unmapped pages there is no right to give back, and who waits tries again.
 */
static void release(int file, struct mai_watched *page) {
  struct uffdio_range range = {page->begin, page->end - page->begin};
  page->armed = false;
  if (protect(file, page, false) != 0)
    control(file, UFFDIO_WAKE, &range);
}

static bool arm(int file, struct mai_watched *page) {
  page->armed = protect(file, page, true) == 0;
  page->after = minas_now();
  return page->armed;
}

static void disarm(int file, struct mai_watched *page) {
  if (!page->armed)
    return;
  release(file, page);
  page->after = minas_now() - page->after;
}

/* In a whole range: each page of its own would be a mapping of its own.  The kernel refuses what
   the program watches by a descriptor of its own.  What is registered stays so until the descriptor
   is closed: to take it back by its address takes it from the program, too, on older kernels, where
   that has begun to watch there. */
static bool register_range(int file, const struct mai_watched_range *range) {
  struct uffdio_register registration = {.range = {range->begin, range->end - range->begin},
                                         .mode = UFFDIO_REGISTER_MODE_WP};
  return control(file, UFFDIO_REGISTER, &registration) == 0;
}

/*===-- Who writes ---------------------------------------------------------===*/

static struct mai_watched *find(const struct mai_watching *watching, uintptr_t address) {
  size_t first = 0, last = watching->count;
  while (first < last) {
    size_t middle = (first + last) / 2;
    if (watching->pages[middle].end <= address)
      first = middle + 1;
    else
      last = middle;
  }
  bool found = first < watching->count && watching->pages[first].begin <= address;
  return found ? &watching->pages[first] : NULL;
}

/* The first thread counts; others may have tried meanwhile. @return how many pages were armed */
static size_t note(int file, const struct mai_watching *watching, const struct uffd_msg *message) {
  struct mai_watched *page = find(watching, message->arg.pagefault.address);
  if (message->event != UFFD_EVENT_PAGEFAULT || !page)
    return 0;
  bool was_armed = page->armed;
  if (was_armed) {
    page->thread = message->arg.pagefault.feat.ptid;
    page->region = watching->region();
    page->after = minas_now() - page->after;
  }
  release(file, page);
  return was_armed;
}

/* @return how many pages have been written */
static size_t serve(int file, const struct mai_watching *watching) {
  struct uffd_msg messages[MESSAGES] = {0};
  size_t written = 0;
  long bytes = minas_read(file, messages, sizeof messages);
  for (long i = 0; i < bytes / (long)sizeof *messages; i++)
    written += note(file, watching, &messages[i]);
  return written;
}

/* @return false when the descriptor is of no use any more */
static bool wait(int file) {
  struct pollfd poll = {.fd = file, .events = POLLIN};
  struct timespec patience = {.tv_nsec = PATIENCE};
  long ready = minas_system(SYS_ppoll, (long)&poll, 1, (long)&patience, 0, 0, 0);
  return ready == 0 || (ready > 0 && (poll.revents & POLLIN)) || (ready < 0 && errno == EINTR);
}

/* @return how many pages are armed still */
static size_t arm_all(int file, const struct mai_watching *watching) {
  size_t armed = 0, page = 0;
  for (size_t i = 0; i < watching->range_count; i++) {
    const struct mai_watched_range *range = &watching->ranges[i];
    bool registered = register_range(file, range);
    for (; page < watching->count && watching->pages[page].begin < range->end; page++)
      if (registered) {
        armed += arm(file, &watching->pages[page]);
        armed -= serve(file, watching);
      }
  }
  return armed;
}

static void serve_until_over(int file, const struct mai_watching *watching, size_t armed) {
  double end = minas_now() + watching->seconds;
  while (armed > 0 && minas_now() < end && !watching->is_to_end() && wait(file)) {
    armed -= serve(file, watching);
    if (watching->meanwhile)
      watching->meanwhile(watching->context);
  }
}

int mai_watch(struct mai_watching *watching) {
  int file = open_watch();
  if (file < 0)
    return -1;
  serve_until_over(file, watching, arm_all(file, watching));
  for (size_t i = 0; i < watching->count; i++)
    disarm(file, &watching->pages[i]);
  minas_close(file);
  return 0;
}
