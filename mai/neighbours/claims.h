/*===-- claims.h - which CPUs the user's other programs have ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Programs that pin threads claim their CPUs, by locks of a file (runtime/claims_file.h).  The
 * kernel gives locks back when a process ends, however it ends, and children of fork() have none.
 *
 * Where there is no such file, because there is no folder for it, or because the process may not or
 * should not make one, nobody has claimed anything, and everything can be.
 */
#ifndef MAI_CLAIMS_H
#define MAI_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

#include "mai/process/affinity.h"

/** More are not told apart. */
#define MAI_MOST_CLAIMANTS 256U

enum mai_claim {
  MAI_CLAIM_MEANT, /**< threads would be pinned there, once there is a parallel region */
  MAI_CLAIM_USED   /**< threads are pinned there */
};

/** Begin to choose CPUs: other programs that do wait meanwhile, if not for long. */
void mai_claims_begin_choice(void);
void mai_claims_end_choice(void);

/** Add the CPUs that other programs have claimed. */
void mai_claims_of_others(enum mai_claim kind, struct mai_cpu_mask *mask);

/** Other processes that have claimed CPUs, or are about to. */
struct mai_claimants {
  uint32_t processes[MAI_MOST_CLAIMANTS];
  uint32_t count;
};

void mai_claims_list_claimants(struct mai_claimants *claimants);

bool mai_claims_is_claimant(const struct mai_claimants *claimants, uint32_t process);

/** Claim these CPUs, those that another program has left out, and no others any more.
 *  @return whether none was left out */
bool mai_claims_set(enum mai_claim kind, const struct mai_cpu_mask *mask);

/** Claim one more CPU to be used, after mai_claims_set(). @return false where another program has
 * it */
bool mai_claims_add_used(uint32_t cpu);

/** The process that has claimed to use a CPU; 0: none, or this one. */
uint32_t mai_claims_user_of(uint32_t cpu);

#endif /* MAI_CLAIMS_H */
