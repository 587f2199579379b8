/*===-- svg.h - what pictures of machines are drawn with --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Lengths are pixels; all is written to standard output. */
#ifndef NUMARCH_SVG_H
#define NUMARCH_SVG_H

#include "numarch.h"

static const double SVG_FONT = 11;
static const double SVG_LINE = 15; /**< from one line of text to the next */

/** Any text, cut with an ellipsis where the width has no room for it. @param anchor "start",
 *  "middle" or "end": what of it is at x */
void svg_text(double x, double y, double width, const char *anchor, const char *text);

/** @param style attributes */
void svg_rectangle(double x, double y, double width, double height, const char *style);

struct svg_size {
  double width;
  double height;
};

/** Tables of what is known of the memory's speed: on the left what was measured, on the right what
 *  the firmware tells, so that nobody takes one for the other. */
void svg_speeds(const numarch_t *machine, double y);

/** The room that they take; 0 × 0: there are none. */
struct svg_size svg_speeds_size(const numarch_t *machine);

#endif /* NUMARCH_SVG_H */
