/*===-- threads.c - the thread map and how it is applied ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A *top-level* team is the outermost one of several threads; teams of one around it do not count.
 * Its threads are pinned to the map's CPUs.  Threads of teams inside it are kept on the node of the
 * top-level thread they work for.  A team of one that stands alone is pinned only if it is the
 * program's first thread: other threads that run such regions side by side must not end up on one
 * CPU.
 */
#include "threads.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "affinity.h"
#include "filled.h"
#include "follow.h"
#include "hooks.h"
#include "mai.h"
#include "map_file.h"
#include "mapping.h"
#include "message.h"
#include "place.h"
#include "sightings.h"

/* Who decides where threads run. */
enum decision {
  UNDECIDED,     /* mai_init() has not come here yet */
  PINNED_BY_MAI, /* the map */
  BOUND_BY_USER, /* the run-time, by the user's settings */
  LEFT_ALONE     /* the kernel */
};

enum { NO_MAPPING = -1 };

static struct {
  _Atomic int decision; /* from when it is made on, what follows is constant */
  bool follow;          /* changes of the team */
  const numarch_t *machine;
  struct map *_Atomic map; /* the newest: a thread may still look at an older one */
  _Atomic unsigned team_size;
  _Atomic int mapping; /* the enum mai_mapping of the map; NO_MAPPING: it has none */
  char *binding;       /* what the user has set: "OMP_PROC_BIND=close" */
} threads;

/* Maps are never freed; each knows the one before it. */
struct map {
  struct map *before;
  char *origin;
  struct mai_cpu_list list;
};

static const struct map *current_map(void) {
  return atomic_load_explicit(&threads.map, memory_order_acquire);
}

static uint32_t cpu_of(unsigned thread) {
  const struct mai_cpu_list *list = &current_map()->list;
  bool is_listed = thread < list->count || list->count == 0; /* no map is empty */
  return list->cpus[is_listed ? thread : thread % list->count];
}

/* Takes the list over. @return 0, or -1 with errno ENOMEM and the list is freed */
static int use_map(const char *origin, struct mai_cpu_list *list) {
  struct map *map = malloc(sizeof *map);
  char *copy = strdup(origin);
  if (!map || !copy) {
    free(map);
    free(copy);
    mai_cpu_list_free(list);
    errno = ENOMEM;
    return -1;
  }
  *map = (struct map){atomic_load(&threads.map), copy, *list};
  while (!atomic_compare_exchange_weak(&threads.map, &map->before, map))
    ;
  mai_settled_change();
  return 0;
}

/* Logical index of the node of a CPU named by OS index. */
static uint32_t node_of_cpu(uint32_t os_index) {
  uint32_t cpu = numarch_cpu_by_os_index(threads.machine, os_index);
  return cpu == NUMARCH_NONE ? NUMARCH_NONE : numarch_get_cpu(threads.machine, cpu)->node;
}

static void say_pinned(unsigned thread, uint32_t os_index) {
  uint32_t index = numarch_cpu_by_os_index(threads.machine, os_index);
  const struct numarch_cpu *cpu = numarch_get_cpu(threads.machine, index);
  const struct numarch_node *node = cpu ? numarch_get_node(threads.machine, cpu->node) : NULL;
  if (node)
    mai_message("thread %u on CPU %u, core %u, node %u (%s)", thread, os_index, cpu->core,
                node->os_index, mai_threads_origin());
  else if (cpu)
    mai_message("thread %u on CPU %u, core %u (%s)", thread, os_index, cpu->core,
                mai_threads_origin());
}

static bool keep(enum mai_place_kind kind, uint32_t index, const struct mai_cpu_mask *mask) {
  static bool said;
  if (mai_place_keep(kind, index, mask) == 0)
    return true;
  mai_message_once(&said, "the kernel does not let a thread be pinned (%s): it runs anywhere",
                   strerror(errno));
  return false;
}

static void pin(unsigned thread) {
  static bool said;
  struct mai_cpu_mask mask = {0};
  uint32_t cpu = cpu_of(thread);
  if (thread >= current_map()->list.count)
    mai_message_once(&said,
                     "threads share CPUs: the mapping (%s) has %u, and thread %u begins again with "
                     "CPU %u",
                     mai_threads_origin(), current_map()->list.count, thread, cpu);
  mai_cpu_mask_add(&mask, cpu);
  bool pinned = keep(MAI_ON_CPU, cpu, &mask);
  mai_sighting_note(threads.machine, thread);
  if (pinned && mai_sighting_note_pinned(thread) && mai_environment_flag("MAI_VERBOSE"))
    say_pinned(thread, cpu);
}

static void keep_on_node(uint32_t node) {
  struct mai_cpu_mask mask = {0};
  if (node == NUMARCH_NONE) {
    mai_place_release();
  } else if (!mai_place_is(MAI_ON_NODE, node)) {
    mai_cpu_mask_add_node(&mask, threads.machine, node);
    keep(MAI_ON_NODE, node, &mask);
  }
}

/* The calling thread may not be where a thread of a region at this level belongs. */
static void take_place(const struct mai_openmp *openmp, int level) {
  int top = 1;
  while (top < level && openmp->get_team_size(top) == 1)
    top++;
  unsigned top_thread = (unsigned)openmp->get_ancestor_thread_num(top);
  bool alone = openmp->get_team_size(level) == 1;
  if (top == level) {
    if (!mai_place_is(MAI_ON_CPU, cpu_of(top_thread)) && (!alone || mai_place_is_first_thread()))
      pin(top_thread);
  } else if (!alone && openmp->get_thread_num() != 0) {
    /* Thread 0 of an inner team is the thread that opened it and keeps its place. */
    keep_on_node(node_of_cpu(cpu_of(top_thread)));
  }
}

static void enter_pinned(const struct mai_openmp *openmp, unsigned thread) {
  int level = openmp->get_level();
  if (level == 1 && mai_place_is(MAI_ON_CPU, cpu_of(thread)))
    return;
  if (level > 0)
    take_place(openmp, level);
}

/* Have the map ready before a region begins. */
static void prepare(void) {
  int undecided = UNDECIDED;
  if (atomic_load_explicit(&threads.decision, memory_order_acquire) == UNDECIDED && mai_init() != 0)
    atomic_compare_exchange_strong(&threads.decision, &undecided, LEFT_ALONE);
}

struct mai_opening mai_threads_open(const struct mai_openmp *openmp, unsigned requested) {
  prepare();
  mai_follow_region(openmp, requested);
  struct mai_opening opening = {
      .home = mai_place_home(), .requested = requested, .changes = mai_settled_change()};
  if (mai_filled_divide(openmp))
    opening.changes = 0;
  /* A team of dynamic size gets as many threads as this thread's mask has CPUs. */
  if (openmp->get_dynamic())
    mai_place_release();
  else
    opening.team_size = requested ? requested : (unsigned)openmp->get_max_threads();
  return opening;
}

static void enter_kept(const struct mai_openmp *openmp, unsigned thread,
                       const struct mai_opening *opening) {
  if (opening->home != MAI_NO_HOME) {
    keep_on_node(opening->home);
    return;
  }
  enter_pinned(openmp, thread);
  if (thread == 0)
    mai_settle(openmp, opening);
  else
    mai_settled_forget();
}

void mai_threads_enter(const struct mai_openmp *openmp, unsigned thread,
                       const struct mai_opening *opening) {
  mai_place_set_home(opening->home);
  if (atomic_load_explicit(&threads.decision, memory_order_acquire) == PINNED_BY_MAI)
    enter_kept(openmp, thread, opening);
  else if (threads.machine && openmp->get_level() == 1)
    mai_sighting_note(threads.machine, thread);
}

static const char *map_file_name(void) {
  const char *name = getenv("MAI_MAP_FILE");
  return name && *name ? name : NULL;
}

static enum decision let_user_bind(const char *variable) {
  if (asprintf(&threads.binding, "%s=%s", variable, getenv(variable)) < 0)
    return UNDECIDED;
  mai_message("%s is set: MAi pins no threads%s", threads.binding,
              map_file_name() ? " and does not read MAI_MAP_FILE" : "");
  return BOUND_BY_USER;
}

static enum decision refuse(const char *reason) {
  mai_message("threads are not pinned: %s", reason);
  return LEFT_ALONE;
}

/* Exit handlers are not run: some would find the library half started. */
static enum decision refuse_map_file(const struct mai_map_remark *remark) {
  if (!mai_environment_flag("MAI_STRICT"))
    return refuse(remark->text);
  mai_message("%s: stopped, as MAI_STRICT asks", remark->text);
  fflush(NULL);
  _exit(EXIT_FAILURE);
}

static enum decision use_map_file(const char *name) {
  struct mai_map_remark remark = {0};
  struct mai_cpu_list list;
  char origin[PATH_MAX];
  snprintf(origin, sizeof origin, "map file %s", name);
  if (mai_map_file_read(name, threads.machine, &list, &remark) != 0)
    return refuse_map_file(&remark);
  if (remark.text[0])
    mai_message("%s", remark.text);
  return use_map(origin, &list) == 0 ? PINNED_BY_MAI : UNDECIDED;
}

static enum decision use_mapping(enum mai_mapping mapping) {
  struct mai_cpu_list list;
  if (mai_mapping_make(threads.machine, mapping, mai_threads_team_size(), &list) != 0)
    return UNDECIDED;
  atomic_store(&threads.mapping, (int)mapping);
  return use_map(mai_mapping_name(mapping), &list) == 0 ? PINNED_BY_MAI : UNDECIDED;
}

/* What MAI_MAPPING says, where no map file is named. */
static enum decision use_named_mapping(const char *name) {
  enum mai_mapping mapping = MAI_MAPPING_COMPACT;
  if (name && strcmp(name, "none") == 0)
    return refuse("MAI_MAPPING=none");
  if (name && *name && !mai_mapping_by_name(name, &mapping))
    mai_message("MAI_MAPPING: expected compact, scatter, per-cache, per-node or none, found '%s': "
                "threads are mapped compactly",
                name);
  return use_mapping(mapping);
}

/* @return UNDECIDED when there is no memory */
static enum decision decide(bool watch_only) {
  if (watch_only)
    return LEFT_ALONE;
  if (!numarch_is_this_system(threads.machine))
    return refuse("HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine");
  const char *variable = mai_openmp_binding_variable();
  if (variable)
    return let_user_bind(variable);
  const char *obstacle = mai_gomp_obstacle();
  if (!obstacle)
    obstacle = mai_kmpc_obstacle();
  if (obstacle)
    return refuse(obstacle);
  const char *name = map_file_name();
  return name ? use_map_file(name) : use_named_mapping(getenv("MAI_MAPPING"));
}

/* What the first thread touches before its first region is to be where its threads' map has it.  It
   is just sent there: run-times count the CPUs that its mask has, and have not begun. */
static void start_in_place(void) {
  struct mai_cpu_mask before;
  struct mai_cpu_mask there = {0};
  if (!mai_place_is_first_thread() || mai_affinity_get(&before) != 0)
    return;
  mai_cpu_mask_add(&there, cpu_of(0));
  if (mai_affinity_set(&there) == 0)
    mai_affinity_set(&before);
}

/* Inside a region, that region's team: omp_get_max_threads() would speak of a nested one. */
static unsigned ask_team_size(void) {
  struct mai_openmp openmp;
  if (!mai_openmp_of_program(&openmp))
    return 1;
  int size = openmp.get_level() > 0 ? openmp.get_team_size(1) : openmp.get_max_threads();
  return size > 0 ? (unsigned)size : 1;
}

int mai_threads_init(const numarch_t *machine, bool watch_only) {
  if (mai_process_hooks_init() != 0)
    return -1;
  threads.machine = machine;
  atomic_store(&threads.mapping, NO_MAPPING);
  atomic_store(&threads.team_size, ask_team_size());
  threads.follow = !watch_only;
  enum decision decision = decide(watch_only);
  if (decision == PINNED_BY_MAI && numarch_node_count(machine) > 1)
    start_in_place();
  atomic_store_explicit(&threads.decision, decision, memory_order_release);
  return decision == UNDECIDED ? -1 : 0;
}

/* A program that calls nothing of ours and whose threads do not come by here. */
__attribute__((destructor)) static void say_if_never_asked(void) {
  if (atomic_load_explicit(&threads.decision, memory_order_acquire) != UNDECIDED)
    return;
  const char *obstacle = mai_gomp_obstacle();
  if (!obstacle)
    obstacle = mai_kmpc_obstacle();
  if (obstacle)
    mai_message("threads were not pinned: %s", obstacle);
}

unsigned mai_threads_team_size(void) {
  return atomic_load_explicit(&threads.team_size, memory_order_relaxed);
}

static void observe_in_team(void *unused) {
  struct mai_openmp openmp;
  (void)unused;
  if (mai_openmp_of_program(&openmp))
    mai_sighting_note(threads.machine, (unsigned)openmp.get_thread_num());
}

/* Where the run-time binds threads is its affair, so it is asked and not modelled: a team is sent
   to look.  Within a region there is no need, its threads have been seen. */
static void look_where_user_binds(void) {
  struct mai_openmp openmp;
  if (mai_sightings_count() == 0 && mai_openmp_of_program(&openmp) && openmp.get_level() == 0)
    mai_openmp_run_team(&openmp, observe_in_team);
}

bool mai_threads_follow(void) {
  return atomic_load_explicit(&threads.decision, memory_order_acquire) != UNDECIDED &&
         threads.follow;
}

bool mai_threads_are_bound_by_user(void) {
  return atomic_load_explicit(&threads.decision, memory_order_acquire) == BOUND_BY_USER;
}

int mai_threads_set_team_size(unsigned size) {
  struct mai_openmp openmp;
  atomic_store(&threads.team_size, size);
  if (mai_threads_are_bound_by_user() && mai_openmp_of_program(&openmp))
    mai_openmp_run_team(&openmp, observe_in_team);
  int mapping = atomic_load(&threads.mapping);
  if (mapping == NO_MAPPING)
    return 0;
  return use_mapping((enum mai_mapping)mapping) == PINNED_BY_MAI ? 0 : -1;
}

static uint32_t node_where_user_binds(unsigned thread) {
  static pthread_once_t looked = PTHREAD_ONCE_INIT;
  pthread_once(&looked, look_where_user_binds);
  return mai_sighting_of(thread).node;
}

uint32_t mai_threads_node(unsigned thread) {
  switch (atomic_load_explicit(&threads.decision, memory_order_acquire)) {
  case PINNED_BY_MAI:
    return node_of_cpu(cpu_of(thread));
  case BOUND_BY_USER:
    return node_where_user_binds(thread);
  case LEFT_ALONE:
    return mai_cpu_mask_node(mai_affinity_of_process(), threads.machine);
  default:
    return NUMARCH_NONE;
  }
}

static bool is_pinning(void) {
  return atomic_load_explicit(&threads.decision, memory_order_acquire) == PINNED_BY_MAI;
}

unsigned mai_threads_known(void) {
  unsigned known = mai_sightings_count();
  if (is_pinning() && known < mai_threads_team_size())
    known = mai_threads_team_size();
  return known < MAI_SIGHTINGS ? known : MAI_SIGHTINGS;
}

bool mai_threads_state(unsigned thread, struct mai_thread_state *state) {
  if (thread >= mai_threads_known())
    return false;
  struct mai_sighting sighting = mai_sighting_of(thread);
  state->seen = sighting.seen;
  state->pinned = sighting.pinned;
  state->last_cpu = sighting.cpu;
  state->cpu = is_pinning() ? cpu_of(thread) : sighting.cpu;
  return true;
}

const char *mai_threads_origin(void) {
  if (is_pinning())
    return current_map()->origin;
  return threads.binding ? threads.binding : "not pinned";
}

void mai_threads_keep_on_node(uint32_t node) {
  if (is_pinning())
    keep_on_node(node);
}

unsigned mai_threads_on_node(uint32_t node) {
  unsigned count = 0;
  for (unsigned thread = 0; is_pinning() && thread < mai_threads_team_size(); thread++)
    count += node_of_cpu(cpu_of(thread)) == node;
  return count ? count : 1;
}

int mai_cpu_of_thread(unsigned thread) {
  if (mai_init() == 0 && is_pinning())
    return (int)cpu_of(thread);
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
  if (mai_init() != 0)
    return -1;
  if (!is_pinning()) {
    errno = EBUSY;
    return -1;
  }
  if (check_cpus(cpus, count) != 0)
    return -1;
  struct mai_cpu_list list = {calloc(count, sizeof *list.cpus), count};
  if (!list.cpus)
    return -1;
  for (unsigned i = 0; i < count; i++)
    list.cpus[i] = cpus[i];
  atomic_store(&threads.mapping, NO_MAPPING);
  return use_map("mai_map_threads", &list);
}
