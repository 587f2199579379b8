/*===-- threads.c - random calls of threads and teams -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <errno.h>
#include <mai.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "machine.h"

/* Compiled without OpenMP, by one thread. */
static void write_by_team(const struct array *array, unsigned threads) {
  size_t cells = count_cells(array);
  (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (size_t cell = 0; cell < cells; cell++)
    if (array->tags[cell])
      write_again(array, cell);
}

static struct array *any_writable(struct worker *worker) {
  struct array *array = any_array(worker, ANY_KIND);
  return array && !array->has_copies ? array : NULL;
}

void call_team(struct worker *worker) {
  struct array *array = any_writable(worker);
  unsigned threads = 1 + (unsigned)draw(worker, 5);
  if (!array)
    return;
  calling(worker, "a team of %u writes to %p", threads, (void *)array->start);
  write_by_team(array, threads);
  check_some(worker, array);
}

/*===-- On nodes -----------------------------------------------------------===*/

struct visit {
  const struct array *array;
  _Atomic unsigned count;
};

static void visit(void *argument) {
  struct visit *visit = argument;
  visit->count++;
  if (visit->array)
    write_by_team(visit->array, 2);
}

static void visit_node(unsigned node, void *argument) {
  struct visit *visit = argument;
  (void)node;
  visit->count++;
}

static unsigned nodes_with_cpus(unsigned node, bool *there) {
  unsigned count = 0;
  *there = false;
  for (uint32_t i = 0; i < numarch_node_count(machine.numarch); i++) {
    const struct numarch_node *each = numarch_get_node(machine.numarch, i);
    count += each->cpu_count > 0;
    *there |= each->os_index == node && each->cpu_count > 0;
  }
  return count;
}

void call_on_node(struct worker *worker) {
  struct visit visited = {.array = any_writable(worker)};
  unsigned node = one_in(worker, 4) ? (unsigned)draw(worker, 2000)
                                    : machine.nodes[draw(worker, machine.node_count)];
  bool there;
  nodes_with_cpus(node, &there);
  calling(worker, "mai_on_node(%u)", node);
  int result = mai_on_node(node, visit, &visited);
  if ((result == 0) != there || visited.count != there)
    wrong(worker, "returned %d after %u calls", result, visited.count);
  expect_done(worker, result, ENODEV, 0);
  if (visited.array)
    check_some(worker, visited.array);
}

void call_parallel_nodes(struct worker *worker) {
  struct visit visited = {0};
  bool there;
  unsigned nodes = nodes_with_cpus(0, &there);
  calling(worker, "mai_parallel_nodes");
  int result = mai_parallel_nodes(visit_node, &visited);
  if (visited.count != (result == 0 ? nodes : 0))
    wrong(worker, "%u calls for %u nodes", visited.count, nodes);
  expect_done(worker, result, EAGAIN, ENOMEM, 0);
}

/* What is said of the next task serves who makes one, and harms nobody else.  Where nobody has asked
   for it, nothing is looked at. */
void call_task_home(struct worker *worker) {
  struct array *array = any_writable(worker);
  unsigned node = (unsigned)draw(worker, 2000);
  calling(worker, "mai_task_on(%u)", node);
  expect_done(worker, mai_task_on(node), ENODEV, 0);
  calling(worker, "mai_task_near(%p)", array ? (const void *)array->start : NULL);
  if (array)
    expect_done(worker, mai_task_near(array->start, array->bytes), 0);
  expect_done(worker, mai_task_near((const void *)UINTPTR_MAX, 2), EOVERFLOW, 0);
}

/*===-- The map ------------------------------------------------------------===*/

static void check_map(struct worker *worker, const unsigned *cpus, unsigned count) {
  unsigned thread = (unsigned)draw(worker, 2 * count + 1);
  calling(worker, "mai_cpu_of_thread(%u)", thread);
  int cpu = mai_cpu_of_thread(thread);
  if (cpu != (int)cpus[thread % count])
    wrong(worker, "CPU %d, not %u", cpu, cpus[thread % count]);
}

static void map_by_file(struct worker *worker) {
  char name[] = "/tmp/minas-random-XXXXXX";
  unsigned cpu = machine.cpus[draw(worker, machine.cpu_count)];
  bool good = !one_in(worker, 8);
  int file = mkstemp(name);
  if (file < 0)
    return;
  dprintf(file, "%s%u\n", good ? "" : "no CPU ", cpu);
  close(file);
  calling(worker, "mai_map_file of %u", cpu);
  int result = mai_map_file(name);
  unlink(name);
  if (result == 0 && !good)
    wrong(worker, "it is no map");
  if (expect_done(worker, result, EINVAL, EBUSY, ENOMEM, 0))
    check_map(worker, &cpu, 1);
}

static void look_at_machine(struct worker *worker) {
  unsigned nodes[MOST_NODES + 1];
  unsigned most = (unsigned)draw(worker, MOST_NODES);
  nodes[most] = 4711;
  calling(worker, "mai_list_nodes of at most %u", most);
  int count = mai_list_nodes(most ? nodes : NULL, most);
  if (count < 1 || nodes[most] != 4711 || (most && nodes[0] != machine.nodes[0]))
    wrong(worker, "%d nodes", count);
  calling(worker, "mai_topology, mai_team_size");
  if (!mai_topology() || numarch_node_count(mai_topology()) < (unsigned)count)
    wrong(worker, "fewer nodes than can be placed on");
  if (mai_team_size() < 1)
    wrong(worker, "a team of none");
}

void call_map_threads(struct worker *worker) {
  unsigned cpus[8];
  unsigned count = (unsigned)draw(worker, 9);
  bool good = count > 0;
  for (unsigned i = 0; i < count; i++) {
    bool none = one_in(worker, 20);
    cpus[i] = none ? 5000 : machine.cpus[draw(worker, machine.cpu_count)];
    good = good && !none;
  }
  calling(worker, "mai_map_threads({%u, ...}, %u)", count ? cpus[0] : 0, count);
  int result = mai_map_threads(cpus, count);
  if (result == 0 && !good)
    wrong(worker, "there is no such CPU");
  if (expect_done(worker, result, EINVAL, EBUSY, ENOMEM, 0))
    check_map(worker, cpus, count);
  if (one_in(worker, 4))
    map_by_file(worker);
  look_at_machine(worker);
  calling(worker, "mai_cpu_of_thread");
  int cpu = mai_cpu_of_thread((unsigned)draw(worker, 1000));
  if (cpu == -1)
    expect_errno(worker, ENOENT, 0);
}

/*===-- Cancelled threads --------------------------------------------------===*/

/* What a victim has: whenever it ends, what it has not freed can be. */
struct victim {
  void *volatile array;
};

/* AddressSanitizer does not see that cancelling leaves functions, and takes their places on the stack
   for theirs still. */
extern void __asan_handle_no_return(void) __attribute__((weak));

static void leave(void *nothing) {
  (void)nothing;
  if (__asan_handle_no_return)
    __asan_handle_no_return();
}

static void *suffer(void *argument) {
  struct victim *victim = argument;
  pthread_cleanup_push(leave, NULL);
  static const char *const skew = "skew";
  for (;;) {
    victim->array = mai_alloc(40, 4096, skew, "victim");
    struct mai_pages pages;
    mai_verify(victim->array, &pages, NULL, 0);
    mai_replace(victim->array, NULL, NULL);
    mai_migrate(victim->array, machine.nodes[0], NULL);
    void *array = victim->array;
    victim->array = NULL;
    mai_free(array);
    pthread_testcancel();
  }
  pthread_cleanup_pop(0);
  return NULL;
}

void call_canceled(struct worker *worker) {
  struct victim victim = {0};
  pthread_t thread;
  void *result;
  calling(worker, "pthread_cancel");
  if (pthread_create(&thread, NULL, suffer, &victim) != 0)
    wrong(worker, "no thread");
  for (size_t i = draw(worker, 2000); i > 0; i--)
    sched_yield();
  pthread_cancel(thread);
  pthread_join(thread, &result);
  calling(worker, "mai_free(%p) of the thread that was canceled", victim.array);
  if (victim.array)
    expect_done(worker, mai_free(victim.array), 0);
}
