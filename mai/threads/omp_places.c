/*===-- omp_places.c - where the user has threads bound ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "omp_places.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mai/process/affinity.h"
#include "mai/process/interpose.h"
#include "omp_place_list.h"
#include "openmp/openmp.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

/* Constant once they are read. */
static struct {
  uint32_t *nodes; /* of each place */
  unsigned count;
  enum mai_omp_bind bind;
  bool is_llvm;
} places;

/*===-- libgomp tells ------------------------------------------------------===*/

struct place_api {
  int (*get_num_places)(void);
  int (*get_place_num_procs)(int place);
  void (*get_place_proc_ids)(int place, int *cpus);
  int (*get_proc_bind)(void);
};

static bool is_libgomp(const struct mai_object *object, void *context) {
  struct place_api *api = context;
  struct mai_openmp openmp;
  if (!mai_openmp_in(object, &openmp) || openmp.is_llvm)
    return false;
  *(void **)&api->get_num_places = mai_object_function(object, "omp_get_num_places");
  *(void **)&api->get_place_num_procs = mai_object_function(object, "omp_get_place_num_procs");
  *(void **)&api->get_place_proc_ids = mai_object_function(object, "omp_get_place_proc_ids");
  *(void **)&api->get_proc_bind = mai_object_function(object, "omp_get_proc_bind");
  return api->get_num_places && api->get_place_num_procs && api->get_place_proc_ids &&
         api->get_proc_bind;
}

static uint32_t node_of_place(const struct place_api *api, int place, const numarch_t *machine) {
  struct mai_cpu_mask mask = {0};
  int count = api->get_place_num_procs(place);
  int *cpus = count > 0 ? minas_alloc_list((size_t)count, sizeof *cpus) : NULL;
  if (!cpus)
    return NUMARCH_NONE;
  api->get_place_proc_ids(place, cpus);
  for (int i = 0; i < count; i++)
    mai_cpu_mask_add(&mask, (uint32_t)cpus[i]);
  minas_free(cpus);
  return mai_cpu_mask_node(&mask, machine);
}

static enum mai_omp_bind bind_of(int proc_bind) {
  enum { PRIMARY = 2, SPREAD = 4 }; /* omp_proc_bind_t */
  if (proc_bind == PRIMARY)
    return MAI_OMP_PRIMARY;
  return proc_bind == SPREAD ? MAI_OMP_SPREAD : MAI_OMP_CLOSE;
}

static void ask(const struct place_api *api, const numarch_t *machine) {
  int count = api->get_num_places();
  if (count <= 0 || !(places.nodes = minas_alloc_list((size_t)count, sizeof *places.nodes)))
    return;
  for (int place = 0; place < count; place++)
    places.nodes[place] = node_of_place(api, place, machine);
  places.bind = bind_of(api->get_proc_bind());
  places.count = (unsigned)count;
}

/*===-- LLVM's run-time is not asked ---------------------------------------===*/

static bool keep_place(const struct mai_cpu_mask *place, void *context) {
  const numarch_t *const *machine = context;
  places.nodes[places.count++] = mai_cpu_mask_node(place, *machine);
  return places.count < MAI_AFFINITY_CPUS;
}

static bool begins_with(const char *text, const char *word) {
  return text && strncasecmp(text, word, strlen(word)) == 0;
}

/* It spreads threads where nothing else is said. */
static enum mai_omp_bind bind_by_environment(void) {
  const char *setting = getenv("OMP_PROC_BIND");
  if (begins_with(setting, "primary") || begins_with(setting, "master"))
    return MAI_OMP_PRIMARY;
  return begins_with(setting, "close") ? MAI_OMP_CLOSE : MAI_OMP_SPREAD;
}

static void read_environment(const numarch_t *machine) {
  const char *list = getenv("OMP_PLACES");
  places.nodes = list ? minas_alloc_list(MAI_AFFINITY_CPUS, sizeof *places.nodes) : NULL;
  if (places.nodes &&
      !mai_omp_place_list_read(list, mai_affinity_of_process(), keep_place, &machine))
    places.count = 0;
  places.bind = bind_by_environment();
  places.is_llvm = true;
}

/*===-- What is to be expected ---------------------------------------------===*/

void mai_omp_places_read(const numarch_t *machine) {
  struct place_api api;
  MINAS_CALLS_OUT();
  if (mai_objects_visit(is_libgomp, &api))
    ask(&api, machine);
  else if (mai_interpose_exists("__kmpc_fork_call"))
    read_environment(machine);
}

uint32_t mai_omp_places_node(unsigned thread, unsigned team_size) {
  const struct mai_omp_team team = {team_size, places.count, places.bind, places.is_llvm};
  if (!places.count || thread >= team_size)
    return NUMARCH_NONE;
  return places.nodes[mai_omp_place_of(thread, &team)];
}
