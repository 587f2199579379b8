/*===-- maps.h - what the kernel says of the process's memory ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_MAPS_H
#define MINAS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lines.h"

/** A mapping, as a line of /proc/self/maps describes it. */
struct minas_mapping {
  uintptr_t begin;
  uintptr_t end;
  bool readable;
  bool writable;
  bool executable;
  bool shared;    /**< with other processes */
  uint64_t inode; /**< 0: of no file */
  char path[64];  /**< the beginning of that of the file, or a name such as [heap]; empty: none */
};

/** The mappings, ascending: all of them, or those from an address on. */
struct minas_maps {
  struct minas_lines lines;
  uintptr_t next; /**< mappings that end at this address or before it are left out */
  bool can_ask;   /**< the kernel can be asked for the mapping around an address */
};

/** Begin to read all.  @return 0, or -1 with errno; then there is nothing to close */
int minas_maps_open(struct minas_maps *maps);

/** Begin to read those of which something lies at `from` or behind it, without their paths: since
 *  Linux 6.11 the kernel can be asked for them alone. */
int minas_maps_open_from(struct minas_maps *maps, uintptr_t from);

/** The next mapping. @return whether there is one */
bool minas_maps_next(struct minas_maps *maps, struct minas_mapping *mapping);

void minas_maps_close(struct minas_maps *maps);

/** Whether every mapping of [begin, end) has no other properties than those named, and there is one
 *  everywhere.
 *
 *  @param properties codes of two letters of the line VmFlags of /proc/self/smaps, such as
 *    "rd wr mr"
 */
bool minas_maps_have_only(uintptr_t begin, uintptr_t end, const char *properties);

/** The sum of a number of KiB that /proc/self/smaps tells of each mapping, such as "AnonHugePages",
 *  for all that lie in [begin, end), be it in part. */
uint64_t minas_maps_sum_kib(uintptr_t begin, uintptr_t end, const char *name);

/** A number that /proc/self/status tells, such as "VmPin" in KiB; 0 when it does not. */
uint64_t minas_maps_status(const char *name);

#endif /* MINAS_MAPS_H */
