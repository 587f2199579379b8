/*===-- ranks.c - which of several like processes this one is ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "ranks.h"

#include <stddef.h>

#include "runtime/environment.h"
#include "runtime/lines.h"
#include "runtime/rights.h"

static struct mai_ranks ranks;

/* Who starts a program within an allocation of Slurm's sets its own beside those. */
static const char *const of_all[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",      "PMI_RANK",
                                     "MV2_COMM_WORLD_RANK",  "FLUX_TASK_RANK", "SLURM_PROCID"};

static const struct {
  const char *rank;
  const char *size;
} on_this_machine[] = {{"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                       {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
                       {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
                       {"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"},
                       {"SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"}};

/* A number at the beginning of a variable: Slurm says "4(x2)" of two machines with four each. */
static bool find(char *const *environment, const char *name, uint32_t *number) {
  const char *text = minas_environment_find(environment, name);
  uint64_t value;
  if (!text || !minas_scan_number(&text, 10, &value) || value >= UINT32_MAX)
    return false;
  *number = (uint32_t)value;
  return true;
}

static void read_rank(char *const *environment) {
  for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
    if (find(environment, of_all[i], &ranks.rank))
      return;
}

static void read_local(char *const *environment) {
  uint32_t rank, size;
  for (size_t i = 0; i < sizeof on_this_machine / sizeof *on_this_machine; i++) {
    if (!find(environment, on_this_machine[i].rank, &rank) ||
        !find(environment, on_this_machine[i].size, &size) || rank >= size)
      continue;
    ranks.local_rank = rank;
    ranks.local_size = size;
    return;
  }
}

__attribute__((constructor(101))) static void read_environment(int count, char **arguments,
                                                               char **environment) {
  (void)count;
  (void)arguments;
  if (minas_has_others_rights())
    return;
  read_rank(environment);
  read_local(environment);
}

const struct mai_ranks *mai_ranks(void) { return &ranks; }
