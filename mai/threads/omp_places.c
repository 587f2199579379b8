/*===-- omp_places.c - where the user has threads bound ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "omp_places.h"

#include "mai/process/affinity.h"
#include "openmp/openmp.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

/* omp_proc_bind_t */
enum { PRIMARY = 2, SPREAD = 4 };

/* Constant once they are read. */
static struct {
  uint32_t *nodes; /* of each place */
  unsigned count;
  int bind;
} places;

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

void mai_omp_places_read(const numarch_t *machine) {
  struct place_api api;
  MINAS_CALLS_OUT();
  int count = mai_objects_visit(is_libgomp, &api) ? api.get_num_places() : 0;
  if (count <= 0 || !(places.nodes = minas_alloc_list((size_t)count, sizeof *places.nodes)))
    return;
  for (int place = 0; place < count; place++)
    places.nodes[place] = node_of_place(&api, place, machine);
  places.bind = api.get_proc_bind();
  places.count = (unsigned)count;
}

/* As OpenMP says for a team of the first thread, which is in the first place. */
uint32_t mai_omp_places_node(unsigned thread, unsigned team_size) {
  if (!places.count || thread >= team_size)
    return NUMARCH_NONE;
  uint64_t place = thread;
  if (places.bind == PRIMARY)
    place = 0;
  else if (team_size > places.count || places.bind == SPREAD)
    place = place * places.count / team_size;
  return places.nodes[place];
}
