/*===-- launcher.h - who has started this rank --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef CHECK_LAUNCHER_H
#define CHECK_LAUNCHER_H

#include <stddef.h>

enum launcher { LAUNCHER_NONE, LAUNCHER_OPEN_MPI, LAUNCHER_MPICH, LAUNCHER_PALS, LAUNCHER_SLURM };

struct place_among_ranks {
  enum launcher launcher;
  long rank; /* of all */
  long size;
};

/** What the environment tells; rank 0 of 1 where nobody says. */
struct place_among_ranks launcher_tells(void);

/** A word that is the same for all ranks of a run, and for no other run at the same time. */
void launcher_run_name(char *name, size_t size);

/** How many CPUs of this machine the launcher gave to the whole job; -1 where it does not tell. */
long launcher_job_cpus(void);

/** What to write so that each of `ranks` on a machine gets so many cores of its own.
 *  @param text of `size` bytes */
void launcher_advice(const struct place_among_ranks *place, long ranks, long cores, char *text,
                     size_t size);

#endif /* CHECK_LAUNCHER_H */
