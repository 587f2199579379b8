/*===-- picture.h - where the parts of a machine are drawn ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A picture is a tree of boxes in the manner of lstopo: packages hold nodes, these caches, these
 * cores, these CPUs; or whatever holds whatever on this machine.
 */
#ifndef NUMARCH_PICTURE_H
#define NUMARCH_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "numarch.h"

/** In the order in which one that has the same CPUs as another is around it. */
enum box_kind { BOX_MACHINE, BOX_PACKAGE, BOX_NODE, BOX_CACHE, BOX_CORE, BOX_CPU };

/** Lengths are pixels; places are those of the upper left corner in the picture. */
struct box {
  enum box_kind kind;
  uint32_t index; /**< logical, of the package, node, ... */
  uint32_t first; /**< the first CPU */
  uint32_t end;   /**< the last CPU + 1 */
  bool continued; /**< of a node whose CPUs are not all together: its memory is in another box */
  struct box *child;
  struct box *next; /**< with the same parent */
  double x, y, width, height;
};

/** What decides how big boxes are. */
struct picture_style {
  double node_width;  /**< at least */
  double node_header; /**< height of what a node shows of its memory */
  double cpu_width;
  double cpu_height;
};

struct picture {
  struct box *boxes; /**< the first is the machine; all others are below it */
  size_t count;
};

/** Lay a machine out, its upper left corner at 0, 0.
 *  @return 0, or -1 with errno ENOMEM and nothing to free */
int picture_make(struct picture *picture, const numarch_t *machine,
                 const struct picture_style *style);

void picture_free(struct picture *picture);

static const double PICTURE_TITLE = 18; /**< height of a box's title */
static const double PICTURE_CACHE = 16; /**< height of a cache's bar */
static const double PICTURE_GAP = 6;    /**< between boxes */

#endif /* NUMARCH_PICTURE_H */
