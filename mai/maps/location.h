/*===-- location.h - CPUs named by the objects they are in ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A location names CPUs as hwloc's tools do:
 *
 *     location = object { "." object }
 *     object   = kind ":" index [ "-" index [ ":" stride ] ]
 *     kind     = "package" | "node" | "l1" ... "l4" | "core" | "pu"
 *
 * Indices are logical, and count within the object before: core:3.pu:0 is the first CPU of the
 * fourth core.  Where the last object is no pu, it stands for the first CPU of each of its cores.
 */
#ifndef MAI_LOCATION_H
#define MAI_LOCATION_H

#include "groups.h"
#include "named_maps.h"

/** Why a location cannot be used. */
struct mai_location_error {
  const char *at;    /**< where in the text */
  char expected[96]; /**< what should be there */
};

/**
 * Read a location.
 *
 * @param groups of the CPUs that this process may use
 * @param at where it begins; receives where it ends
 * @param end of the text
 * @param most how many CPUs it may name
 * @param list receives the CPUs by OS index, to be freed
 * @return 0, or -1 and `error` says why
 */
int mai_location_parse(struct mai_group_table *groups, const char **at, const char *end,
                       uint32_t most, struct mai_cpu_list *list, struct mai_location_error *error);

/** Whether a location may begin with this character. */
bool mai_location_begins(char c);

#endif /* MAI_LOCATION_H */
