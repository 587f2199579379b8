/*===-- openmp.c - the functions of an OpenMP run-time -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "openmp.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool mai_openmp_around(const void *address, struct mai_openmp *openmp) {
  Dl_info info;
  *openmp = (struct mai_openmp){0};
  if (!address || !dladdr(address, &info))
    return false;
  /* Never closed: what is found in the library is used until the end. */
  openmp->library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!openmp->library)
    return false;
  struct {
    const char *name;
    void *function;
  } wanted[] = {
      {"omp_get_level", (void *)&openmp->get_level},
      {"omp_get_thread_num", (void *)&openmp->get_thread_num},
      {"omp_get_ancestor_thread_num", (void *)&openmp->get_ancestor_thread_num},
      {"omp_get_team_size", (void *)&openmp->get_team_size},
      {"omp_get_max_threads", (void *)&openmp->get_max_threads},
      {"omp_get_dynamic", (void *)&openmp->get_dynamic},
      {"omp_set_num_threads", (void *)&openmp->set_num_threads},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!(*(void **)wanted[i].function = dlsym(openmp->library, wanted[i].name)))
      return false;
  return true;
}

bool mai_openmp_of_program(struct mai_openmp *openmp) {
  void *function = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
  return function && mai_openmp_around(function, openmp);
}

const void *mai_openmp_llvm_function(void) {
  return dlsym(RTLD_DEFAULT, "__kmpc_global_thread_num");
}

void mai_openmp_run_team(const struct mai_openmp *openmp, void (*function)(void *)) {
  void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
  int (*pause)(int);
  const int soft = 1;
  *(void **)&parallel = dlsym(openmp->library, "GOMP_parallel");
  *(void **)&pause = dlsym(openmp->library, "omp_pause_resource_all");
  if (!parallel)
    return;
  parallel(function, NULL, 0, 0);
  /* libgomp's threads do not survive a fork(), and the program may fork before its first region;
     LLVM's run-time looks after that itself.  libgomp ends them with pthread_exit(), which needs
     libgcc_s. */
  bool is_llvm = dlsym(openmp->library, "__kmpc_global_thread_num");
  if (pause && !is_llvm && dlopen("libgcc_s.so.1", RTLD_LAZY))
    pause(soft);
}

static bool contains(const char *value, const char *word) {
  return word && strcasestr(value, word);
}

const char *mai_openmp_binding_variable(void) {
  /* The first that is set decides. */
  static const struct {
    const char *name;
    const char *off[2]; /* values with these words bind nothing */
    bool llvm_only;
  } variables[] = {{"OMP_PROC_BIND", {"false"}, false},
                   {"OMP_PLACES", {0}, false},
                   {"GOMP_CPU_AFFINITY", {0}, false},
                   {"KMP_AFFINITY", {"none", "disabled"}, true}};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i].name);
    if (!value || !*value || (variables[i].llvm_only && !mai_openmp_llvm_function()))
      continue;
    bool off = contains(value, variables[i].off[0]) || contains(value, variables[i].off[1]);
    return off ? NULL : variables[i].name;
  }
  return NULL;
}
