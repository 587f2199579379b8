/*===-- threads.c - who decides where threads run ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "threads.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mai/process/affinity.h"
#include "mai/process/call.h"
#include "team_size.h"
#include "mai/process/interpose.h"
#include "mai.h"
#include "mai/maps/map_file.h"
#include "mai/maps/named_maps.h"
#include "neighbours.h"
#include "mai/process/message.h"
#include "mai/process/omp_settings.h"
#include "binding.h"
#include "runtime/heap.h"
#include "runtime/nearest.h"
#include "runtime/system.h"
#include "mai/process/settings.h"
#include "mai/process/start.h"
#include "team_cache.h"
#include "thread_samples.h"
#include "thread_map.h"
#include "thread_memory.h"
#include "omp_places.h"

enum { NO_NAMED_MAP = -1 };

static struct {
  _Atomic int decision; /* enum mai_decision; once it is made, what follows is constant */
  bool follow;          /* changes of the team */
  bool noted;           /* threads that nobody pins */
  atomic_bool runtime;  /* is there */
  const numarch_t *machine;
  uint32_t nodes[MAI_AFFINITY_CPUS]; /* of CPUs, by OS index, and 1; 0: it has none */
  _Atomic unsigned team_size;
  atomic_bool team_matters;
  _Atomic int named_map;    /* the enum mai_named_map of the map; NO_NAMED_MAP: it has none */
  _Atomic uint32_t claimed; /* the process that has claimed CPUs; a child of fork() has to again */
  const char *setting;      /* of the user's who binds threads: "OMP_PROC_BIND=close" */
} threads;

static struct mai_team_listener listener;

void mai_threads_listen(const struct mai_team_listener *new) { listener = *new; }
void mai_threads_tell_change(void) { listener.changed(); }

bool mai_threads_tell_begin(const struct mai_openmp *openmp) {
  atomic_store_explicit(&threads.runtime, true, memory_order_relaxed);
  return listener.begins(openmp);
}

bool mai_threads_have_runtime(void) {
  return atomic_load_explicit(&threads.runtime, memory_order_relaxed);
}

enum mai_decision mai_threads_decision(void) {
  return (enum mai_decision)atomic_load_explicit(&threads.decision, memory_order_acquire);
}

const numarch_t *mai_threads_machine(void) { return threads.machine; }

bool mai_threads_are_noted(void) { return threads.noted; }

void mai_threads_give_up(void) {
  atomic_store_explicit(&threads.decision, MAI_KERNEL_DECIDES, memory_order_release);
}

/* Threads that look for the nearest one ask this of all. */
static void list_nodes_of_cpus(void) {
  for (uint32_t i = 0; i < numarch_cpu_count(threads.machine); i++) {
    const struct numarch_cpu *cpu = numarch_get_cpu(threads.machine, i);
    if (cpu->os_index < MAI_AFFINITY_CPUS)
      threads.nodes[cpu->os_index] = cpu->node + 1;
  }
}

uint32_t mai_threads_node_of_cpu(uint32_t os_index) {
  return os_index < MAI_AFFINITY_CPUS ? threads.nodes[os_index] - 1 : NUMARCH_NONE;
}

/*===-- Deciding -----------------------------------------------------------===*/

static enum mai_decision let_user_bind(const char *setting) {
  mai_message("%s is set: MAi pins no threads%s", setting,
              mai_settings()->map_file ? " and does not read MAI_MAP_FILE" : "");
  threads.setting = setting;
  mai_omp_places_read(threads.machine);
  return MAI_USER_BINDS;
}

static enum mai_decision refuse(const char *reason) {
  mai_message("threads are not pinned: %s", reason);
  return MAI_KERNEL_DECIDES;
}

static int read_map_file(const char *name, struct mai_cpu_list *list,
                         struct mai_map_remark *remark) {
  int result = mai_map_file_read(name, threads.machine, list, remark);
  if (result != 0 && mai_settings()->strict)
    mai_message_and_stop("%s: stopped, as MAI_STRICT asks", remark->text);
  if (remark->text[0] && result == 0)
    mai_message("%s", remark->text);
  return result;
}

static enum mai_decision use_map_file(const char *name) {
  struct mai_map_remark remark = {0};
  struct mai_cpu_list list;
  char origin[PATH_MAX];
  snprintf(origin, sizeof origin, "map file %s", name);
  if (read_map_file(name, &list, &remark) != 0)
    return refuse(remark.text);
  return mai_thread_map_use(origin, &list, UINT_MAX) == 0 ? MAI_PINS : MAI_UNDECIDED;
}

static bool has_claimed(void) { return atomic_load(&threads.claimed) == minas_process(); }

/* Before the first region there is nothing to share out but nodes. */
static bool means_cpus(void) {
  return numarch_node_count(threads.machine) > 1 && mai_interpose_finds_openmp();
}

static int share_out(enum mai_named_map map, struct mai_cpu_list *list, unsigned *pinned) {
  *pinned = UINT_MAX;
  if (!has_claimed() && !means_cpus())
    return 0;
  return mai_neighbours_share(threads.machine, map, mai_threads_team_size_now(),
                              has_claimed() ? MAI_CLAIM_USED : MAI_CLAIM_MEANT, list, pinned);
}

static enum mai_decision use_named_map(enum mai_named_map map) {
  struct mai_cpu_list list;
  unsigned pinned;
  if (mai_named_map_make(threads.machine, map, mai_threads_team_size_now(), &list) != 0)
    return MAI_UNDECIDED;
  if (share_out(map, &list, &pinned) != 0) {
    mai_cpu_list_free(&list);
    return MAI_UNDECIDED;
  }
  atomic_store(&threads.named_map, (int)map);
  return mai_thread_map_use(mai_named_map_name(map), &list, pinned) == 0 ? MAI_PINS : MAI_UNDECIDED;
}

static void say_unknown_map(const char *name) {
  const char *names[] = {mai_named_map_name(MAI_NAMED_MAP_COMPACT),
                         mai_named_map_name(MAI_NAMED_MAP_SCATTER),
                         mai_named_map_name(MAI_NAMED_MAP_PER_CACHE),
                         mai_named_map_name(MAI_NAMED_MAP_PER_NODE), "none"};
  const char *nearest = minas_nearest_name(name, names, sizeof names / sizeof *names);
  mai_message(
      "MAI_MAPPING: expected compact, scatter, per-cache, per-node or none, found '%s'%s%s%s: "
      "threads are mapped compactly",
      name, nearest ? " (is " : "", nearest ? nearest : "", nearest ? " meant?)" : "");
}

/* What MAI_MAPPING says, where no map file is named. */
static enum mai_decision use_map_called(const char *name) {
  enum mai_named_map map = MAI_NAMED_MAP_COMPACT;
  if (name && strcmp(name, "none") == 0)
    return refuse("MAI_MAPPING=none");
  if (name && !mai_named_map_by_name(name, &map))
    say_unknown_map(name);
  return use_named_map(map);
}

/* Why threads do not come by here. */
static const char *find_obstacle(void) {
  if (mai_interpose_passed_by("__kmpc_fork_call"))
    return "the program finds libomp before libmai: link with -lmai before -lomp, or run it with "
           "LD_PRELOAD=libmai.so";
  if (mai_interpose_passed_by("GOMP_parallel"))
    return "the program finds libgomp before libmai: link with -lmai before -lgomp, or run it with "
           "LD_PRELOAD=libmai.so";
  return NULL;
}

/* @return MAI_UNDECIDED when there is no memory */
static enum mai_decision decide(bool watch_only) {
  if (watch_only)
    return MAI_KERNEL_DECIDES;
  if (!numarch_is_this_system(threads.machine))
    return refuse("HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine");
  const char *setting = mai_omp_binding(mai_interpose_exists("__kmpc_fork_call"));
  if (setting)
    return let_user_bind(setting);
  const char *obstacle = find_obstacle();
  if (obstacle)
    return refuse(obstacle);
  const char *name = mai_settings()->map_file;
  return name ? use_map_file(name) : use_map_called(mai_settings()->mapping);
}

static unsigned likely_team_size(void) {
  unsigned said = mai_team_size_said();
  unsigned size = said ? said : mai_omp_team_size(mai_cpu_mask_count(mai_affinity_of_process()));
  return size > 0 ? size : 1;
}

/* It is just sent there: run-times count the CPUs that its mask has, and have not begun. */
void mai_threads_start_in_place(void) {
  struct mai_cpu_mask before;
  struct mai_cpu_mask there = {0};
  if (mai_threads_decision() != MAI_PINS || numarch_node_count(threads.machine) < 2 ||
      !mai_binding_is_first_thread() || mai_affinity_get(&before) != 0)
    return;
  mai_cpu_mask_add(&there, mai_thread_map_cpu(0));
  if (mai_affinity_set(&there) == 0)
    mai_affinity_set(&before);
}

/* Children of fork() begin with the process's own mask. */
static void begin_child(void) {
  mai_binding_begin_child();
  mai_team_cache_clear();
}

int mai_threads_init(const numarch_t *machine, bool watch_only) {
  errno = pthread_atfork(NULL, NULL, begin_child);
  if (errno)
    return -1;
  threads.machine = machine;
  list_nodes_of_cpus();
  mai_thread_memory_init();
  atomic_store(&threads.named_map, NO_NAMED_MAP);
  atomic_store(&threads.team_size, likely_team_size());
  threads.follow = !watch_only;
  atomic_store(&threads.runtime, mai_interpose_finds_openmp());
  threads.noted = watch_only || mai_settings()->report;
  enum mai_decision decision = decide(watch_only);
  atomic_store_explicit(&threads.decision, decision, memory_order_release);
  mai_threads_start_in_place();
  return decision == MAI_UNDECIDED ? -1 : 0;
}

/* A program that calls nothing of ours and whose threads do not come by here. */
__attribute__((destructor)) static void say_if_never_asked(void) {
  MAI_CALL;
  if (mai_threads_decision() != MAI_UNDECIDED)
    return;
  const char *obstacle = find_obstacle();
  if (obstacle)
    mai_message("threads were not pinned: %s", obstacle);
}

unsigned mai_threads_team_size_now(void) {
  return atomic_load_explicit(&threads.team_size, memory_order_relaxed);
}

unsigned mai_threads_team_size(void) {
  atomic_store_explicit(&threads.team_matters, true, memory_order_relaxed);
  return mai_threads_team_size_now();
}

bool mai_threads_team_matters(void) {
  return atomic_load_explicit(&threads.team_matters, memory_order_relaxed);
}

bool mai_threads_follow(void) { return mai_threads_decision() != MAI_UNDECIDED && threads.follow; }

int mai_threads_set_team_size(unsigned size) {
  atomic_store(&threads.team_size, size);
  int map = atomic_load(&threads.named_map);
  if (map == NO_NAMED_MAP)
    return 0;
  return use_named_map((enum mai_named_map)map) == MAI_PINS ? 0 : -1;
}

/*===-- Beside other programs ----------------------------------------------===*/

static void claim_given(void) {
  unsigned count = mai_thread_map_count();
  unsigned size = mai_threads_team_size_now();
  count = count < size ? count : size;
  uint32_t *cpus = minas_alloc_list(count, sizeof *cpus);
  for (unsigned i = 0; cpus && i < count; i++)
    cpus[i] = mai_thread_map_cpu(i);
  if (cpus)
    mai_neighbours_claim_given(threads.machine, cpus, count, mai_thread_map_origin());
  minas_free(cpus);
}

/* So far there may have been no other program. @return whether threads have other CPUs now */
static bool map_anew(enum mai_named_map map) {
  unsigned size = mai_threads_team_size_now();
  uint32_t *before = minas_alloc_list(size, sizeof *before);
  bool changed = false;
  for (unsigned i = 0; before && i < size; i++)
    before[i] = mai_thread_map_cpu(i);
  if (before && use_named_map(map) == MAI_PINS)
    for (unsigned i = 0; i < size; i++)
      changed |= before[i] != mai_thread_map_cpu(i);
  minas_free(before);
  return changed;
}

bool mai_threads_claim_cpus(void) {
  uint32_t self = minas_process();
  int map = atomic_load(&threads.named_map);
  if (atomic_exchange(&threads.claimed, self) == self)
    return false;
  if (map != NO_NAMED_MAP)
    return map_anew((enum mai_named_map)map);
  claim_given();
  return false;
}

bool mai_threads_may_pin(unsigned entry) {
  if (atomic_load(&threads.named_map) == NO_NAMED_MAP)
    return true;
  return mai_thread_map_is_cpu(entry) && mai_neighbours_leave(mai_thread_map_cpu(entry));
}

/*===-- What is known ------------------------------------------------------===*/

/* Where it was seen; before that, where it is to be expected. */
static uint32_t node_where_user_binds(unsigned thread) {
  struct mai_thread_sample sample = mai_thread_sample_of(thread);
  return sample.seen ? sample.node : mai_omp_places_node(thread, mai_threads_team_size_now());
}

uint32_t mai_threads_node(unsigned thread) {
  switch (mai_threads_decision()) {
  case MAI_PINS:
    return mai_threads_node_of_cpu(mai_thread_map_cpu(thread));
  case MAI_USER_BINDS:
    return node_where_user_binds(thread);
  case MAI_KERNEL_DECIDES:
    return mai_cpu_mask_node(mai_affinity_of_process(), threads.machine);
  default:
    return NUMARCH_NONE;
  }
}

static bool is_pinning(void) { return mai_threads_decision() == MAI_PINS; }

static unsigned known_threads(void) {
  unsigned known = mai_thread_samples_count();
  if (is_pinning() && known < mai_threads_team_size_now())
    known = mai_threads_team_size_now();
  return known < MAI_MOST_THREAD_SAMPLES ? known : MAI_MOST_THREAD_SAMPLES;
}

bool mai_threads_state(unsigned thread, struct mai_thread_state *state) {
  if (thread >= known_threads())
    return false;
  struct mai_thread_sample sample = mai_thread_sample_of(thread);
  state->seen = sample.seen;
  state->pinned = sample.pinned;
  state->last_cpu = sample.cpu;
  bool loose = sample.seen && !sample.pinned;
  state->cpu = is_pinning() && !loose ? mai_thread_map_cpu(thread) : sample.cpu;
  return true;
}

const char *mai_threads_origin(void) {
  if (is_pinning())
    return mai_thread_map_origin();
  return threads.setting ? threads.setting : "not pinned";
}

unsigned mai_threads_on_node(uint32_t node) {
  unsigned count = 0;
  for (unsigned thread = 0; is_pinning() && thread < mai_threads_team_size_now(); thread++)
    count += mai_threads_node_of_cpu(mai_thread_map_cpu(thread)) == node;
  return count ? count : 1;
}

int mai_cpu_of_thread(unsigned thread) {
  MAI_CALL;
  if (mai_start() == 0 && is_pinning())
    return (int)mai_thread_map_cpu(thread);
  errno = ENOENT;
  return -1;
}

static int check_cpus(const unsigned *cpus, unsigned count) {
  bool known = count > 0;
  for (unsigned i = 0; i < count && known; i++)
    known = numarch_cpu_by_os_index(threads.machine, cpus[i]) != NUMARCH_NONE;
  if (!known)
    errno = EINVAL;
  return known ? 0 : -1;
}

int mai_map_threads(const unsigned *cpus, unsigned count) {
  MAI_CALL;
  if (mai_start() != 0)
    return -1;
  if (!is_pinning()) {
    errno = EBUSY;
    return -1;
  }
  if (check_cpus(cpus, count) != 0)
    return -1;
  struct mai_cpu_list list = {minas_alloc_list(count, sizeof *list.cpus), count};
  if (!list.cpus)
    return -1;
  for (unsigned i = 0; i < count; i++)
    list.cpus[i] = cpus[i];
  atomic_store(&threads.named_map, NO_NAMED_MAP);
  int result = mai_thread_map_use("mai_map_threads", &list, UINT_MAX);
  if (result == 0 && has_claimed())
    claim_given();
  return result;
}

int mai_map_file(const char *file) {
  MAI_CALL;
  struct mai_map_remark remark = {0};
  struct mai_cpu_list list;
  if (mai_start() != 0)
    return -1;
  if (read_map_file(file, &list, &remark) != 0) {
    mai_message("%s", remark.text);
    errno = EINVAL;
    return -1;
  }
  int result = mai_map_threads(list.cpus, list.count);
  if (result != 0)
    mai_message("the map file %s has no effect: %s", file, strerrordesc_np(errno));
  mai_cpu_list_free(&list);
  return result;
}

unsigned mai_team_size(void) {
  MAI_CALL;
  return mai_start() == 0 ? mai_threads_team_size() : 1;
}
