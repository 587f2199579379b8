/*===-- cache_folder.h - where Minas keeps what it found out ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_CACHE_FOLDER_H
#define MINAS_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/** The user's folder, which need not be there: $XDG_CACHE_HOME/minas or ~/.cache/minas.  What is in
 *  it is believed where the folder is the user's alone.
 *  @return 0, or -1 with errno ENOENT where there is none that a path could name */
int minas_cache_folder(char path[PATH_MAX]);

/** Whether a folder of this status is the user's alone. */
static inline bool minas_cache_is_private(const struct stat *status) {
  return S_ISDIR(status->st_mode) && status->st_uid == geteuid() &&
         (status->st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

#endif /* MINAS_CACHE_FOLDER_H */
