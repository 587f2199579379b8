/*===-- links.h - lines between threads that share most ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef NUMARCH_LINKS_H
#define NUMARCH_LINKS_H

#include "picture.h"
#include "report.h"

/** Draw a line between the CPUs of each pair of threads that a report lists, the wider the more
 *  they share, into the SVG on standard output. */
void draw_links(const struct picture *picture, const numarch_t *machine,
                const struct report *report);

#endif /* NUMARCH_LINKS_H */
