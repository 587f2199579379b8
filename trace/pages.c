/*===-- pages.c - on which node a page is ------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "pages.h"

#include <sys/syscall.h>
#include <unistd.h>

void trace_nodes_of_pages(void *const *pages, size_t count, int16_t *nodes) {
  int status[TRACE_PAGES_MAX];
  for (size_t i = 0; i < count; i++)
    status[i] = -1;
  /* Without destinations the call moves nothing and only asks. */
  long result = syscall(SYS_move_pages, 0, count, pages, NULL, status, 0);
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
