/*===-- pages.h - on which node a page is ------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_TRACE_PAGES_H
#define MAI_TRACE_PAGES_H

#include <stddef.h>
#include <stdint.h>

enum { TRACE_PAGES_MAX = 1024 };

/** Ask the kernel where pages are. @param count at most TRACE_PAGES_MAX @param nodes receives the
 *  OS index of each page's node plus 1, or 0 where it is on none or the kernel does not tell */
void trace_nodes_of_pages(const uintptr_t *pages, size_t count, int16_t *nodes);

#endif /* MAI_TRACE_PAGES_H */
