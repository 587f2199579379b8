/*===-- pages.c - on which node a page is ------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "pages.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdbool.h>

#include "trace/system/kernel.h"
#include "threads.h"

/* As the page table shows it in /proc/thread-self/pagemap. */
static bool is_present(int table, uintptr_t page) {
  enum { PRESENT = 63 };
  uint64_t entry = 0;
  off_t offset = (off_t)(page / trace_settings()->page * sizeof entry);
  return kernel_pread(table, &entry, sizeof entry, offset) == (ssize_t)sizeof entry &&
         (entry >> PRESENT & 1);
}

/* move_pages() of Linux 6.1 takes for absent what automatic balancing has made inaccessible for a
   moment, to see who uses it.  This call looks at it as a program would.
   @return the node, or a negative number */
static int look_again(int table, uintptr_t page) {
  int node = 0;
  long flags = MPOL_F_NODE | MPOL_F_ADDR;
  bool known = is_present(table, page) &&
               minas_kernel_call(SYS_get_mempolicy, (long)&node, 0, 0, (long)page, flags, 0) == 0;
  return known ? node : -ENOENT;
}

static void find_hidden(const uintptr_t *pages, size_t count, int *status) {
  int table = kernel_open("/proc/thread-self/pagemap", O_RDONLY, 0);
  for (size_t i = 0; i < count && table >= 0; i++)
    if (status[i] == -ENOENT || status[i] == -EFAULT)
      status[i] = look_again(table, pages[i]);
  if (table >= 0)
    kernel_close(table);
}

void trace_nodes_of_pages(const uintptr_t *pages, size_t count, int16_t *nodes) {
  int status[TRACE_PAGES_MAX];
  for (size_t i = 0; i < count; i++)
    status[i] = -1;
  /* Without destinations the call moves nothing and only asks. */
  long result = minas_kernel_call(SYS_move_pages, 0, (long)count, (long)pages, 0 /* nowhere */,
                                  (long)status, 0);
  if (result == 0)
    find_hidden(pages, count, status);
  for (size_t i = 0; i < count; i++)
    nodes[i] = (int16_t)(result == 0 && status[i] >= 0 ? status[i] + 1 : 0);
}
