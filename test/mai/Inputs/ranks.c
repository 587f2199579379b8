/*===-- ranks.c - says where an MPI rank has its threads and pages *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Each rank in turn prints the CPUs of its threads, as the kernel tells them, and the pages that its
   block array has on each of four nodes. */
#define _GNU_SOURCE
#include <mai.h>
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 64, NODES = 4, MOST_THREADS = 64 };

/* The only CPU that a thread may run on and runs on, or -1. */
static int pinned_cpu(void) {
  cpu_set_t mask;
  int cpu = sched_getcpu();
  int pinned = sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_COUNT(&mask) == 1 &&
               CPU_ISSET(cpu, &mask);
  return pinned ? cpu : -1;
}

int main(int argc, char **argv) {
  int rank, ranks;
  int cpus[MOST_THREADS];
  int threads = 0;
  size_t per_node[NODES] = {0};
  struct mai_pages pages;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double(*rows)[512] = mai_alloc_block(ROWS, sizeof *rows);
  if (!rows)
    MPI_Abort(MPI_COMM_WORLD, 2);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < ROWS; i++)
      rows[i][0] = 1;
    if (omp_get_thread_num() < MOST_THREADS)
      cpus[omp_get_thread_num()] = pinned_cpu();
#pragma omp single
    threads = omp_get_num_threads();
  }
  if (mai_verify(rows, &pages, per_node, NODES) != 0)
    MPI_Abort(MPI_COMM_WORLD, 3);
  for (int turn = 0; turn < ranks; turn++) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (turn != rank)
      continue;
    printf("rank %d: CPUs", rank);
    for (int i = 0; i < threads && i < MOST_THREADS; i++)
      printf(" %d", cpus[i]);
    printf(", pages %zu %zu %zu %zu, %zu spilled\n", per_node[0], per_node[1], per_node[2],
           per_node[3], pages.spilled);
    fflush(stdout);
  }
  mai_free(rows);
  return MPI_Finalize();
}
