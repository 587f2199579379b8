/*===-- launcher.c - who has started this rank --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "launcher.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A launcher of MPI within an allocation of Slurm's sets its own variables beside those. */
static const struct {
  enum launcher launcher;
  const char *rank;
  const char *size;
} variables[] = {{LAUNCHER_OPEN_MPI, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                 {LAUNCHER_PALS, "PALS_RANKID", "PALS_SIZE"},
                 {LAUNCHER_SLURM, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
                 {LAUNCHER_MPICH, "PMI_RANK", "PMI_SIZE"}};

static long number_in(const char *name) {
  const char *text = getenv(name);
  char *end;
  long number = text ? strtol(text, &end, 10) : -1;
  return text && end != text && *end == '\0' && number < INT_MAX ? number : -1;
}

struct place_among_ranks launcher_tells(void) {
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    long rank = number_in(variables[i].rank);
    long size = number_in(variables[i].size);
    if (rank >= 0 && rank < size)
      return (struct place_among_ranks){variables[i].launcher, rank, size};
  }
  return (struct place_among_ranks){LAUNCHER_NONE, 0, 1};
}

void launcher_run_name(char *name, size_t size) {
  static const char *const jobs[] = {"PMIX_NAMESPACE", "PALS_APID", "SLURM_JOB_ID", "PMI_JOBID"};
  const char *job = NULL, *step = getenv("SLURM_STEP_ID");
  for (size_t i = 0; !job && i < sizeof jobs / sizeof *jobs; i++)
    job = getenv(jobs[i]);
  if (job)
    snprintf(name, size, "%s.%s", job, step ? step : "0");
  else
    snprintf(name, size, "%d", (int)getppid()); /* the launcher's process is that of all ranks */
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '.')
      *name = '-';
}

void launcher_advice(enum launcher launcher, long ranks, long cores, char *text, size_t size) {
  switch (launcher) {
  case LAUNCHER_OPEN_MPI:
    snprintf(text, size, "mpirun --map-by ppr:%ld:node:PE=%ld --bind-to core", ranks, cores);
    break;
  case LAUNCHER_MPICH:
    snprintf(text, size, "mpiexec -ppn %ld -bind-to core:%ld", ranks, cores);
    break;
  case LAUNCHER_PALS:
    snprintf(text, size, "mpiexec --ppn %ld --cpu-bind depth -d %ld", ranks, cores);
    break;
  case LAUNCHER_SLURM:
    snprintf(text, size, "srun --ntasks-per-node=%ld --cpus-per-task=%ld --cpu-bind=cores", ranks,
             cores);
    break;
  default:
    snprintf(text, size, "before the program, and neither taskset nor numactl");
  }
}
