/*===-- pages.c - on which node a page is ------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "pages.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the page table shows it in /proc/self/pagemap. */
static bool is_present(int table, const void *page) {
  enum { PRESENT = 63 };
  uint64_t entry;
  off_t offset = (off_t)((uintptr_t)page / (size_t)sysconf(_SC_PAGESIZE) * sizeof entry);
  return pread(table, &entry, sizeof entry, offset) == (ssize_t)sizeof entry &&
         (entry >> PRESENT & 1);
}

/* move_pages() of Linux 6.1 takes for absent what automatic balancing has made inaccessible for a
   moment, to see who uses it.  This call looks at it as a program would.
   @return the node, or a negative number */
static int look_again(int table, void *page) {
  int node;
  bool known = is_present(table, page) &&
               syscall(SYS_get_mempolicy, &node, NULL, 0UL, page, MPOL_F_NODE | MPOL_F_ADDR) == 0;
  return known ? node : -ENOENT;
}

static void find_hidden(void *const *pages, size_t count, int *status) {
  int table = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  for (size_t i = 0; i < count && table >= 0; i++)
    if (status[i] == -ENOENT || status[i] == -EFAULT)
      status[i] = look_again(table, pages[i]);
  if (table >= 0)
    close(table);
}

void trace_nodes_of_pages(void *const *pages, size_t count, int16_t *nodes) {
  int status[TRACE_PAGES_MAX];
  for (size_t i = 0; i < count; i++)
    status[i] = -1;
  /* Without destinations the call moves nothing and only asks. */
  long result = syscall(SYS_move_pages, 0, count, pages, NULL, status, 0);
  if (result == 0)
    find_hidden(pages, count, status);
  for (size_t i = 0; i < count; i++)
    nodes[i] = (int16_t)(result == 0 && status[i] >= 0 ? status[i] + 1 : 0);
}

void trace_nodes_of_range(uintptr_t start, size_t count, size_t page_size, int16_t *nodes) {
  void *pages[TRACE_PAGES_MAX];
  for (size_t done = 0; done < count;) {
    size_t some = count - done < TRACE_PAGES_MAX ? count - done : TRACE_PAGES_MAX;
    for (size_t i = 0; i < some; i++)
      pages[i] = (void *)(start + (done + i) * page_size);
    trace_nodes_of_pages(pages, some, nodes + done);
    done += some;
  }
}
