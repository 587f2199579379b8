/*===-- routes.c - where calls go that the library stands in front of *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The dynamic linker looks for a function first in the global order of libraries, in which this one
 * comes early, and then among those that were loaded with the object that calls.  It did so when
 * the object was loaded or made its first call, and libraries may have joined the order since.  The
 * best evidence is therefore what it has found for other functions of the same run-time, in front
 * of which nobody stands: omp_get_thread_num() goes where GOMP_parallel() would have gone.
 */
#include "routes.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/heap.h"
#include "runtime/lock.h"

_Thread_local struct mai_last_route mai_last_routes[MAI_LAST_ROUTES];
atomic_ulong mai_unloads = 1;

/* Functions that one object takes from the same run-time. */
enum family { GOMP, KMPC, OMP, FAMILIES };

static const struct {
  const char *prefix;
  const char *typical; /* every run-time has it that has one of them */
} families[FAMILIES] = {
    [GOMP] = {"GOMP_", "GOMP_parallel"},
    [KMPC] = {"__kmpc_", "__kmpc_fork_call"},
    [OMP] = {"omp_", "omp_get_max_threads"},
};

#define FUNCTION_NAME(number, name) [number] = #name,
static const char *const names[] = {MAI_FUNCTIONS(FUNCTION_NAME)};

static enum family family_of(const char *function) {
  enum family family = GOMP;
  while (family < OMP &&
         strncmp(function, families[family].prefix, strlen(families[family].prefix)) != 0)
    family++;
  return family;
}

/*===-- The run-times ------------------------------------------------------===*/

static struct mai_runtime *_Atomic runtimes;

struct mai_runtime *mai_runtimes(void) {
  return atomic_load_explicit(&runtimes, memory_order_acquire);
}

/* Another may have been loaded where this one was. */
static bool is_same(const struct mai_openmp *left, const struct mai_openmp *right) {
  return left->get_level == right->get_level && left->get_thread_num == right->get_thread_num &&
         left->set_num_threads == right->set_num_threads && left->is_llvm == right->is_llvm;
}

static struct mai_runtime *find_runtime(const struct mai_openmp *openmp) {
  struct mai_runtime *runtime = mai_runtimes();
  while (runtime && !is_same(&runtime->openmp, openmp))
    runtime = runtime->before;
  return runtime;
}

/* What is found once stays: threads may be using it.  It is little. */
static struct mai_runtime *new_runtime(const struct mai_openmp *openmp) {
  struct mai_runtime *runtime = minas_alloc(sizeof *runtime);
  if (!runtime)
    return NULL;
  runtime->openmp = *openmp;
  runtime->changes = 1;
  runtime->before = mai_runtimes();
  do {
    struct mai_runtime *other = find_runtime(openmp); /* by another thread, just now */
    if (other) {
      minas_free(runtime);
      return other;
    }
    runtime->number = runtime->before ? runtime->before->number + 1 : 0;
  } while (!atomic_compare_exchange_weak(&runtimes, &runtime->before, runtime));
  return runtime;
}

/* NULL when the object is no run-time. */
static struct mai_runtime *runtime_in(const struct mai_object *object) {
  struct mai_openmp openmp;
  if (!mai_openmp_in(object, &openmp))
    return NULL;
  struct mai_runtime *runtime = find_runtime(&openmp);
  return runtime ? runtime : new_runtime(&openmp);
}

/*===-- Who could be called ------------------------------------------------===*/

enum { MOST_CANDIDATES = 32 };

struct candidate {
  struct mai_object object;
  struct mai_runtime *runtime; /* NULL: a tool, which stands in front of one as we do */
};

struct search {
  struct mai_object self;
  struct mai_object caller;
  struct mai_runtime *caller_is; /* it calls itself */
  struct candidate candidates[MOST_CANDIDATES];
  size_t count;
  bool tools;
};

static bool defines_any(const struct mai_object *object) {
  for (enum family family = 0; family < FAMILIES; family++)
    if (mai_object_function(object, families[family].typical))
      return true;
  return false;
}

static bool note_candidate(const struct mai_object *object, void *context) {
  struct search *search = context;
  if (object->start == search->self.start || !defines_any(object))
    return false;
  struct candidate candidate = {*object, runtime_in(object)};
  if (object->start == search->caller.start) {
    search->caller_is = candidate.runtime;
    if (!candidate.runtime)
      return false;
  }
  search->tools |= !candidate.runtime;
  search->candidates[search->count++] = candidate;
  return search->count == MOST_CANDIDATES;
}

static const struct candidate *candidate_at(const struct search *search, const void *address) {
  for (size_t i = 0; i < search->count; i++)
    if (mai_object_has(&search->candidates[i].object, address))
      return &search->candidates[i];
  return NULL;
}

static const struct candidate *candidate_of(const struct search *search,
                                            const struct mai_runtime *runtime) {
  for (size_t i = 0; i < search->count; i++)
    if (search->candidates[i].runtime == runtime)
      return &search->candidates[i];
  return NULL;
}

static struct mai_runtime *runtime_at(const struct search *search, const void *address) {
  const struct candidate *candidate = address ? candidate_at(search, address) : NULL;
  return candidate ? candidate->runtime : NULL;
}

static bool has(const struct candidate *candidate, enum family family) {
  return candidate->runtime && mai_object_function(&candidate->object, families[family].typical);
}

/*===-- Which of them it is ------------------------------------------------===*/

struct imports {
  const struct search *search;
  struct mai_runtime *runtimes[FAMILIES];
};

static bool note_import(const char *name, const void *address, void *context) {
  struct imports *imports = context;
  for (enum family family = 0; family < FAMILIES; family++)
    if (strncmp(name, families[family].prefix, strlen(families[family].prefix)) == 0 &&
        !imports->runtimes[family])
      imports->runtimes[family] = runtime_at(imports->search, address);
  return false;
}

static struct mai_runtime *runtime_found(const struct imports *imports, enum family family) {
  const enum family order[] = {family, OMP, GOMP, KMPC};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    struct mai_runtime *runtime = imports->runtimes[order[i]];
    if (runtime && has(candidate_of(imports->search, runtime), family))
      return runtime;
  }
  return NULL;
}

/* In the order of libraries after this one. */
static void *next_in_order(const char *function) {
  MINAS_CALLS_OUT();
  return dlsym(RTLD_NEXT, function);
}

static void *next_for_caller(const struct mai_object *caller, const char *function) {
  int (*close)(void *);
  MINAS_CALLS_OUT();
  *(void **)&close = dlsym(RTLD_NEXT, "dlclose"); /* not the one that says that something goes */
  if (!caller->path || !close)
    return NULL;
  void *scope = dlopen(*caller->path ? caller->path : NULL, RTLD_LAZY | RTLD_NOLOAD);
  void *found = scope ? dlsym(scope, function) : NULL;
  if (scope)
    close(scope);
  return found;
}

static struct mai_runtime *only_one(const struct search *search, enum family family) {
  struct mai_runtime *only = NULL;
  for (size_t i = 0; i < search->count; i++)
    if (has(&search->candidates[i], family)) {
      if (only)
        return NULL;
      only = search->candidates[i].runtime;
    }
  return only;
}

/* NULL when it cannot be told. */
static struct mai_runtime *choose(const struct imports *imports, enum family family) {
  const struct search *search = imports->search;
  const char *function = families[family].typical;
  struct mai_runtime *runtime = search->caller_is;
  if (!runtime)
    runtime = only_one(search, family);
  if (!runtime)
    runtime = runtime_found(imports, family);
  if (!runtime && search->count)
    runtime = runtime_at(search, next_in_order(function));
  if (!runtime && search->count)
    runtime = runtime_at(search, next_for_caller(&search->caller, function));
  return runtime;
}

/*===-- Routes -------------------------------------------------------------===*/

/* Where a call goes for which there is no better reason. */
static void *first_that_has(const struct search *search, const char *function) {
  void *found = NULL;
  for (size_t i = 0; i < search->count && !found; i++)
    found = mai_object_function(&search->candidates[i].object, function);
  return found;
}

static void *next_of(const struct search *search, const struct mai_runtime *runtime,
                     const char *function) {
  void *next = search->tools ? next_in_order(function) : NULL;
  const struct candidate *tool = next ? candidate_at(search, next) : NULL;
  if (tool && !tool->runtime)
    return next;
  next = runtime ? mai_object_function(&candidate_of(search, runtime)->object, function) : NULL;
  return next ? next : first_that_has(search, function);
}

static void resolve(struct search *search, struct mai_route *route) {
  struct imports imports = {.search = search};
  struct mai_runtime *chosen[FAMILIES];
  mai_object_at((const void *)&mai_route_find, &search->self);
  mai_objects_visit(note_candidate, search);
  if (search->count > 1 && search->caller.dynamic)
    mai_object_imports(&search->caller, note_import, &imports);
  for (enum family family = 0; family < FAMILIES; family++)
    chosen[family] = choose(&imports, family);
  for (int i = 0; i < MAI_FUNCTION_COUNT; i++) {
    struct mai_runtime *runtime = chosen[family_of(names[i])];
    route->functions[i].next = next_of(search, runtime, names[i]);
    route->functions[i].runtime = runtime;
  }
}

/* Objects take few different routes. */
static const struct mai_route *keep_route(const struct mai_route *route) {
  static const struct mai_route *_Atomic routes[64];
  struct mai_route *kept = minas_copy(route, sizeof *route);
  if (!kept)
    abort(); /* there is not a page left, and any other route might be a wrong one */
  for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
    const struct mai_route *known = NULL;
    if (atomic_compare_exchange_strong(&routes[i], &known, kept))
      return kept;
    if (memcmp(known, route, sizeof *route) == 0) {
      minas_free(kept);
      return known;
    }
  }
  return kept;
}

/*===-- The callers that are known -----------------------------------------===*/

/* Those that no object holds (code made at run time) are known as one. */
struct caller {
  _Atomic uintptr_t start; /* and 1; 0: none */
  _Atomic uintptr_t end;
  _Atomic(const struct mai_route *) route;
  atomic_ulong unloads; /* set last */
};

enum { CALLERS = 1024, MOST_PROBES = 16 };

static struct caller callers[CALLERS];
static struct minas_lock writing = MINAS_LOCK_INITIALISER;

static struct caller *slot_of(const struct mai_object *object, size_t probe) {
  uint64_t hash = (uint64_t)(object->start >> 12) * UINT64_C(0x9e3779b97f4a7c15);
  return &callers[((hash >> 48) + probe) % CALLERS];
}

static bool is_of(const struct caller *caller, const struct mai_object *object,
                  unsigned long unloads) {
  return atomic_load(&caller->unloads) == unloads && atomic_load(&caller->end) == object->end &&
         atomic_load(&caller->start) == object->start + 1;
}

static const struct mai_route *known_route(const struct mai_object *object, unsigned long unloads) {
  for (size_t probe = 0; probe < MOST_PROBES; probe++) {
    struct caller *caller = slot_of(object, probe);
    if (!is_of(caller, object, unloads))
      continue;
    const struct mai_route *route = atomic_load(&caller->route);
    if (is_of(caller, object, unloads)) /* still */
      return route;
  }
  return NULL;
}

static void note_caller(const struct mai_object *object, const struct mai_route *route,
                        unsigned long unloads) {
  minas_lock(&writing);
  for (size_t probe = 0; probe < MOST_PROBES; probe++) {
    struct caller *caller = slot_of(object, probe);
    uintptr_t start = atomic_load(&caller->start);
    if (start && start != object->start + 1 && probe < MOST_PROBES - 1)
      continue;
    atomic_store(&caller->unloads, 0);
    atomic_store(&caller->start, object->start + 1);
    atomic_store(&caller->end, object->end);
    atomic_store(&caller->route, route);
    atomic_store(&caller->unloads, unloads);
    break;
  }
  minas_unlock(&writing);
}

static const struct mai_route *route_of_object(const struct mai_object *object,
                                               unsigned long unloads) {
  struct search search = {.caller = *object};
  struct mai_route route = {0};
  const struct mai_route *known = known_route(object, unloads);
  if (known)
    return known;
  resolve(&search, &route);
  known = keep_route(&route);
  note_caller(object, known, unloads);
  return known;
}

static void remember(struct mai_last_route newest) {
  memmove(mai_last_routes + 1, mai_last_routes, (MAI_LAST_ROUTES - 1) * sizeof newest);
  mai_last_routes[0] = newest;
}

const struct mai_route *mai_route_find(const void *caller) {
  unsigned long unloads = atomic_load(&mai_unloads);
  struct mai_object object = {0};
  bool in_object = mai_object_at(caller, &object);
  const struct mai_route *route = route_of_object(&object, unloads);
  if (in_object)
    remember((struct mai_last_route){object.start, object.end - object.start, unloads, route});
  return route;
}
