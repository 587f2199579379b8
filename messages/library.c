/*===-- library.c - the MPI library that is in this process ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "runtime/system.h"

/*===-- Its functions ------------------------------------------------------===*/

struct search {
  const char *name;
  void *found;
};

/* A library that a plugin has brought is not behind this one in the dynamic linker's order. */
static int look_into(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  struct search *search = context;
  const char *file = strrchr(object->dlpi_name, '/');
  if (!file || strncmp(file, "/libmpi", strlen("/libmpi")) != 0)
    return 0;
  void *handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return 0;
  search->found = dlsym(handle, search->name);
  dlclose(handle);
  return search->found != NULL;
}

static void *find_in_plugins(const char *name) {
  struct search search = {name, NULL};
  dl_iterate_phdr(look_into, &search);
  return search.found;
}

static void *find(const char *name) {
  void *next = dlsym(RTLD_NEXT, name);
  return next ? next : find_in_plugins(name);
}

/* A variable may have been moved into the program (a copy relocation), in front of this library. */
static void *find_variable(const char *name) {
  void *first = dlsym(RTLD_DEFAULT, name);
  return first ? first : find_in_plugins(name);
}

static _Noreturn void stop(const char *name) {
  enum { AS_THE_DYNAMIC_LINKER = 127 };
  static const char head[] = "libmai-mpi: there is no ", tail[] = " in this program's MPI\n";
  minas_write_all(STDERR_FILENO, head, sizeof head - 1);
  minas_write_all(STDERR_FILENO, name, strlen(name));
  minas_write_all(STDERR_FILENO, tail, sizeof tail - 1);
  _exit(AS_THE_DYNAMIC_LINKER);
}

void *mpi_next(void *_Atomic *cache, const char *name) {
  void *function = atomic_load_explicit(cache, memory_order_acquire);
  if (function)
    return function;
  function = find(name);
  if (!function)
    stop(name);
  atomic_store_explicit(cache, function, memory_order_release);
  return function;
}

/*===-- Its family ---------------------------------------------------------===*/

static struct mpi_library open_mpi = {
    .root = -4, .cartesian = 1, .graph = 2, .handle_size = sizeof(void *)};

static struct mpi_library mpich = {
    .root = -3, .cartesian = 2, .graph = 1, .handle_size = sizeof(int)};

static void *word(intptr_t value) { return (void *)value; } /* NOLINT(performance-no-int-to-ptr) */

static bool is_open_mpi(void) {
  open_mpi.world = find_variable("ompi_mpi_comm_world");
  open_mpi.byte = find_variable("ompi_mpi_byte");
  open_mpi.in_place = word(1);
  return open_mpi.world && open_mpi.byte;
}

/* By what it calls itself. */
static bool is_like_mpich(void) {
  enum { MOST_TEXT = 8192 }; /* MPI_MAX_LIBRARY_VERSION_STRING */
  static const char *const names[] = {"MPICH", "Intel(R) MPI", "MVAPICH"};
  static char text[MOST_TEXT + 1];
  int length = 0;
  mpich.world = word(0x44000000);
  mpich.byte = word(0x4c00010d);
  mpich.in_place = word(-1);
  if (MPI_CALL(PMPI_Get_library_version, (char *, int *), text, &length) != 0)
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(text, names[i]))
      return true;
  return false;
}

const struct mpi_library *mpi_library(void) {
  enum { UNKNOWN, OPEN_MPI, LIKE_MPICH, OTHER };
  static _Atomic int family; /* asked twice at most, with one answer */
  if (family == UNKNOWN)
    family = is_open_mpi() ? OPEN_MPI : is_like_mpich() ? LIKE_MPICH : OTHER;
  return family == OPEN_MPI ? &open_mpi : family == LIKE_MPICH ? &mpich : NULL;
}

mpi_handle mpi_handle_at(const void *handles, size_t index) {
  const struct mpi_library *library = mpi_library();
  if (library && library->handle_size == sizeof(int))
    return word(((const int *)handles)[index]);
  return ((void *const *)handles)[index];
}
