/*===-- launcher.c - who has started this rank --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "launcher.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    /* The launcher's process is that of all ranks; who was not launched is a run by itself. */
    snprintf(name, size, "%d",
             (int)(launcher_tells().launcher == LAUNCHER_NONE ? getpid() : getppid()));
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '.')
      *name = '-';
}

/* Slurm writes a number for each machine of the job, as "16(x2),8": this one's, or -1. */
static long number_of_machine(const char *list, long machine) {
  char *end;
  for (; isdigit((unsigned char)*list); list = end + 1) {
    long number = strtol(list, &end, 10), repeats = 1;
    if (strncmp(end, "(x", 2) == 0)
      repeats = strtol(end + 2, &end, 10), end += *end == ')';
    if (machine < repeats)
      return number;
    machine -= repeats;
    if (*end != ',')
      break;
  }
  return -1;
}

long launcher_job_cpus(void) {
  const char *list = getenv("SLURM_JOB_CPUS_PER_NODE");
  long machine = number_in("SLURM_NODEID");
  return list && machine >= 0 ? number_of_machine(list, machine) : -1;
}

static bool job_is_too_small(long cpus) {
  long own = launcher_job_cpus();
  return own >= 0 && own < cpus;
}

void launcher_advice(const struct place_among_ranks *place, long ranks, long cores, char *text,
                     size_t size) {
  switch (place->launcher) {
  case LAUNCHER_OPEN_MPI:
    snprintf(text, size, "mpirun -n %ld --map-by ppr:%ld:node:PE=%ld --bind-to core", place->size,
             ranks, cores);
    break;
  case LAUNCHER_MPICH:
    snprintf(text, size, "mpiexec -n %ld -ppn %ld -bind-to core:%ld", place->size, ranks, cores);
    break;
  case LAUNCHER_PALS:
    snprintf(text, size, "mpiexec -n %ld --ppn %ld --cpu-bind depth -d %ld", place->size, ranks,
             cores);
    break;
  case LAUNCHER_SLURM:
    snprintf(text, size, "srun -n %ld --ntasks-per-node=%ld --cpus-per-task=%ld --cpu-bind=cores%s",
             place->size, ranks, cores,
             job_is_too_small(ranks * cores) ? ", in a job with so many CPUs" : "");
    break;
  default:
    snprintf(text, size, "before the program, and neither taskset nor numactl");
  }
}
