/*===-- folder.h - what is in a folder of the system ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_FOLDER_H
#define MINAS_FOLDER_H

#include <stdbool.h>

/** Whether a folder has an entry whose name `matches`; hidden entries are not looked at.
 *  @return 1 or 0; -1 with errno when it cannot be opened */
int minas_folder_has(const char *path, bool (*matches)(const char *name));

/** Call `visit` with the name of each entry that is not hidden.
 *  @return 0, or -1 with errno when the folder cannot be opened */
int minas_folder_visit(const char *path, void (*visit)(const char *name, void *context),
                       void *context);

#endif /* MINAS_FOLDER_H */
