/*===-- ranks.h - which of several like processes this one is ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What MPI's launchers and Slurm tell the processes of a program by the environment.  Read once,
 * before main(), as settings.h, and not where the program has rights that its caller has not.
 */
#ifndef MAI_RANKS_H
#define MAI_RANKS_H

#include <stdbool.h>
#include <stdint.h>

struct mai_ranks {
  uint32_t rank;       /**< of all processes of the program; 0 where nobody says */
  uint32_t local_rank; /**< of those on this machine: ... */
  uint32_t local_size; /**< ... so many; 0: nobody says */
};

const struct mai_ranks *mai_ranks(void);

#endif /* MAI_RANKS_H */
