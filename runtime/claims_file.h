/*===-- claims_file.h - where programs tell of their CPUs -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A file of the user's in which each CPU has a byte for each kind of claim.  Who has claimed the
 * CPU holds a lock of that byte (fcntl), so nothing is ever written, and the kernel gives back what
 * a process had that ends.
 *
 * The folder is private (0700), the user's, and no link: nobody else can have put the file there.
 * It is /dev/shm/minas-UID, which all programs of a user see, however they were started; where that
 * cannot be had, it is in XDG_RUNTIME_DIR.
 */
#ifndef MINAS_CLAIMS_FILE_H
#define MINAS_CLAIMS_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/** As many as the kernel has. */
#define MINAS_CLAIMS_CPUS 8192

/** The places of CPU 0: the byte of who means to use it, then of who does. */
enum {
  MINAS_CLAIMS_MEANT = 0,
  MINAS_CLAIMS_USED = MINAS_CLAIMS_CPUS,
  MINAS_CLAIMS_END = 2 * MINAS_CLAIMS_CPUS
};

/** Open the file.
 *  @param runtime_folder what XDG_RUNTIME_DIR says, or NULL
 *  @param makes whether it is made where there is none, and opened for locks
 *  @return a descriptor, or -1: nobody claims anything then */
int minas_claims_open(const char *runtime_folder, bool makes);

/** Bytes that another process has locked. */
struct minas_locked {
  long start;
  long end;
  pid_t process;
};

/** One of the locks that others have of some bytes. @return whether there is one */
bool minas_find_lock(int file, long start, long end, struct minas_locked *locked);

/** Visit all locks that others have of some bytes. */
void minas_visit_locked(int file, long start, long end,
                        void (*visit)(const struct minas_locked *locked, void *context),
                        void *context);

#endif /* MINAS_CLAIMS_FILE_H */
