/*===-- table.h - the table of the running program --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_NAMES_TABLE_H
#define MINAS_NAMES_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "names/layout/layout.h"

/** All lists lie in one piece of memory; every number in them is one of something that is there. */
struct minas_names {
  const struct minas_names_header *header;
  const struct minas_names_region *regions;
  const struct minas_names_variable *variables; /**< those of regions, then the static ones */
  const struct minas_names_type *types;
  const struct minas_names_member *members;
  const struct minas_names_piece *pieces;
  const char *texts;
};

/** Read a table, and check everything in it.
 *  @return 0, or -1 with errno EINVAL (it is no such table, another user may have written it, or
 *  something in it is wrong), ENOMEM or why it cannot be read */
int minas_names_open(const char *path, struct minas_names *names);

/** The same of the table that a program or library carries.  Who could write it could write the
 *  program, so it may be anybody's. */
int minas_names_open_carried(const char *program, struct minas_names *names);

/** Forget a table that was opened. */
void minas_names_close(struct minas_names *names);

/** The same of a table in memory, which stays the caller's: -1 with errno EINVAL. */
int minas_names_check(const void *bytes, size_t size, struct minas_names *names);

/** The region whose function lies here in the file; NULL: there is none. */
const struct minas_names_region *minas_names_region(const struct minas_names *names,
                                                    uint64_t address);

/** The piece of code that has this address in the file; NULL: it stands in none of the program's
 * own sources. */
const struct minas_names_piece *minas_names_piece(const struct minas_names *names,
                                                  uint64_t address);

#endif /* MINAS_NAMES_TABLE_H */
