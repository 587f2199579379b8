/*===-- named.h - pins threads by the names that they get ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A list of NAME:LOCATION, with commas between its entries: names have wildcards (pattern.h), and
 * locations are those of mai/maps/location.h.  The threads whose name fits an entry, and none
 * before it, get the CPUs of its location in turn.
 */
#ifndef MAI_NAMED_H
#define MAI_NAMED_H

#include <stddef.h>

#include "numarch.h"

/** Whether a list can be used on this machine.
 *  @param explained receives what is wrong
 *  @return 0, or -1 */
int mai_named_threads_check(const numarch_t *machine, const char *list, char *explained,
                            size_t size);

#endif /* MAI_NAMED_H */
