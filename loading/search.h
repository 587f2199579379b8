/*===-- search.h - the files that execvp() would try ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef LOADING_SEARCH_H
#define LOADING_SEARCH_H

#include <stdbool.h>

/** Visits them one after the other until one is what `is_it` looks for: along PATH, for a name
 *  without slashes. @return whether one was */
bool loading_search(const char *name, bool (*is_it)(const char *file, void *context),
                    void *context);

#endif /* LOADING_SEARCH_H */
