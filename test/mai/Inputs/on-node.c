/*===-- on-node.c - says on which nodes functions and teams run -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Prints, for mai_on_node() and mai_parallel_nodes(), the size of the team that opens on each node and
   how many of its threads, tasks and nested threads may leave it; and where threads are before and
   after. */
#define _GNU_SOURCE
#include <errno.h>
#include <mai.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

/* The guests have two CPUs a node. */
enum { CPUS_A_NODE = 2, MOST_NODES = 16 };

static int may_leave(unsigned node) {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0)
    return 1;
  int outside = (unsigned)sched_getcpu() / CPUS_A_NODE != node;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
    outside |= CPU_ISSET(cpu, &mask) && cpu / CPUS_A_NODE != node;
  return outside;
}

struct finding {
  int calls, threads, strays;
};

static struct finding findings[MOST_NODES];

static void work(unsigned node, void *unused) {
  struct finding *finding = &findings[node];
  int threads = 0;
  int strays = may_leave(node);
  (void)unused;
#pragma omp parallel reduction(+ : threads, strays)
  {
    threads++;
    strays += may_leave(node);
#pragma omp single
    for (int i = 0; i < 20; i++)
#pragma omp task
      if (may_leave(node))
#pragma omp atomic
        finding->strays++;
#pragma omp parallel num_threads(2) reduction(+ : strays)
    strays += may_leave(node);
  }
  finding->calls++;
  finding->threads = threads;
  finding->strays += strays;
}

static void work_on(void *node) { work(*(unsigned *)node, NULL); }

static void report(const char *what, unsigned nodes) {
  printf("%s:", what);
  for (unsigned node = 0; node < nodes; node++)
    printf(" %d call %d threads %d strays%s", findings[node].calls, findings[node].threads,
           findings[node].strays, node + 1 < nodes ? "," : "\n");
  memset(findings, 0, sizeof findings);
}

static void print_mask(const char *when) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  printf("%s: %d CPUs\n", when, CPU_COUNT(&mask));
}

int main(void) {
  unsigned nodes = 4;
  omp_set_max_active_levels(2);
  print_mask("at first");
  for (unsigned node = 0; node < nodes; node++)
    if (mai_on_node(node, work_on, &node) != 0)
      perror("mai_on_node");
  report("on node", nodes);
  print_mask("after that");
  if (mai_parallel_nodes(work, NULL) != 0)
    perror("mai_parallel_nodes");
  report("parallel", nodes);
#pragma omp parallel
#pragma omp single
  printf("team of %d\n", omp_get_num_threads());
  print_mask("pinned");
  unsigned node = 3;
  mai_on_node(node, work_on, &node);
  print_mask("still pinned");
  printf("no node: %s\n", mai_on_node(99, work_on, &node) ? strerrorname_np(errno) : "none");
  return 0;
}
