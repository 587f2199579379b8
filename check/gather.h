/*===-- gather.h - the records of all ranks -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef CHECK_GATHER_H
#define CHECK_GATHER_H

#include <jansson.h>
#include <stddef.h>

/** The folder for the files of this run, below the working folder, which all ranks share.
 *  @return 0, or -1 with errno */
int gather_folder(char *folder, size_t size);

/** Leave this rank's record there. @return 0, or -1 */
int gather_leave(const char *folder, long rank, const json_t *record);

/** Wait some seconds for the records of all ranks, and read them; who has left none is missing.
 *  The folder is removed. @return a list, to be given to json_decref() */
json_t *gather_all(const char *folder, long size);

#endif /* CHECK_GATHER_H */
