/*===-- pattern.h - names with wildcards ------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_PATTERN_H
#define MAI_PATTERN_H

#include <stdbool.h>

/**
 * Whether a name fits a pattern as in a shell: * stands for any bytes, ? for one, [a-z] for one of
 * a set, [!a-z] for one outside it; \ takes the next byte as it is.
 *
 * fnmatch() is not for this: names are matched while the program allocates, perhaps inside
 * setlocale(), whose lock fnmatch() takes and releases.
 */
bool mai_pattern_fits(const char *pattern, const char *name);

#endif /* MAI_PATTERN_H */
