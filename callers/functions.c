/*===-- functions.c - the function that an address lies in ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * By the symbols of the file, not the dynamic linker's alone: most functions of a program are its
 * own business.  The dynamic linker's lock, which a constructor may hold while it waits for the
 * calling thread, is not taken.
 */
#include "functions.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "function_index.h"
#include "function_name.h"
#include "runtime/path.h"
#include "runtime/system.h"

static const char program_file[] = "/proc/self/exe";

/*===-- Objects ------------------------------------------------------------===*/

/* glibc before 2.35 does not have it. */
#pragma weak _dl_find_object

static const struct link_map *object_of(uintptr_t code) {
  struct dl_find_object found;
  struct link_map *map = NULL;
  Dl_info info;
  if (_dl_find_object)
    return _dl_find_object((void *)code, &found) == 0 ? found.dlfo_link_map : NULL;
  return dladdr1((void *)code, &info, (void **)&map, RTLD_DL_LINKMAP) ? map : NULL;
}

static bool begins(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool begins_with_one_of(const char *text, const char *const *list) {
  for (; *list; list++)
    if (begins(text, *list))
      return true;
  return false;
}

/* Libraries that ask for memory on behalf of others: those of languages, run-times, allocators, and
   our own. */
static bool is_passing_library(const char *name) {
  static const char *const list[] = {
      "libc.so",      "libc-",         "libm.so",     "libpthread",  "ld-linux",    "libdl.so",
      "libstdc++.so", "libc++.so",     "libc++abi",   "libgcc_s",    "libgfortran", "libquadmath",
      "libflang",     "libFortran",    "libgomp",     "libomp.so",   "libiomp5",    "libmai.so",
      "libmai-run",   "libmai-record", "libmaitrace", "libmai_",     "libasan",     "libtsan",
      "liblsan",      "libubsan",      "libjemalloc", "libtcmalloc", "libmimalloc", "libtbb",
      "libgc.so",     "libnuma.so",    NULL};
  return begins_with_one_of(name, list);
}

/*===-- Names --------------------------------------------------------------===*/

static bool (*is_wrapper)(const char *name);

void minas_functions_pass(bool (*tells)(const char *name)) { is_wrapper = tells; }

/* The same in programs that have these libraries' code in them. */
static bool is_passing_name(const char *name) {
  static const char *const list[] = {"std::", "__gnu_cxx::", "__cxxabiv1::", "operator new",
                                     "tbb::", "_gfortran_",  "GOMP_",        "gomp_",
                                     "__kmp", "mai_",        "mai::",        NULL};
  static const char *const exact[] = {
      "malloc",         "calloc", "realloc",       "reallocarray", "memalign",
      "posix_memalign", "valloc", "aligned_alloc", "_start",       NULL};
  for (size_t i = 0; exact[i]; i++)
    if (strcmp(name, exact[i]) == 0)
      return true;
  return begins_with_one_of(name, list) || (is_wrapper && is_wrapper(name));
}

/* Where an object's file is, and the name that it has. */
static const char *file_of(const struct link_map *object) {
  return *object->l_name ? object->l_name : program_file;
}

static void read_file_name(const struct link_map *object, char *name, size_t size) {
  char path[1024];
  const char *file = object->l_name;
  if (!*file) {
    long length = minas_system(SYS_readlinkat, AT_FDCWD, (long)program_file, (long)path,
                               sizeof path - 1, 0, 0);
    path[length > 0 ? length : 0] = '\0';
    file = path;
  }
  size_t length = strnlen(minas_file_name(file), size - 1);
  memcpy(name, minas_file_name(file), length);
  name[length] = '\0';
}

static void add_offset(uintptr_t offset, char *place, size_t size) {
  char digits[2 * sizeof offset + 4] = "";
  char *at = digits + sizeof digits - 1;
  do
    *--at = "0123456789abcdef"[offset % 16];
  while (offset /= 16);
  *--at = 'x';
  *--at = '0';
  *--at = '+';
  size_t length = strlen(place);
  size_t room = size - 1 - length;
  size_t wanted = (size_t)(digits + sizeof digits - 1 - at);
  memcpy(place + length, at, wanted < room ? wanted : room);
  place[length + (wanted < room ? wanted : room)] = '\0';
}

static void describe_place(const struct link_map *object, uintptr_t code, char *place,
                           size_t size) {
  enum { MOST_OFFSET = 20 };
  *place = '\0';
  if (object)
    read_file_name(object, place, size - MOST_OFFSET);
  add_offset(code - (object ? object->l_addr : 0), place, size);
}

void minas_function_place(uintptr_t code, char *place, size_t size) {
  describe_place(object_of(code), code, place, size);
}

/*===-- Functions ----------------------------------------------------------===*/

static bool is_first_name(const char *name) {
  return strcmp(name, "main") == 0 || strcmp(name, MINAS_STATIC_CONSTRUCTOR) == 0;
}

static void describe_function(const char *symbol, struct minas_function *function) {
  bool outlined = minas_function_name(symbol, function->name, sizeof function->name);
  function->kind = is_passing_name(function->name)             ? MINAS_FUNCTION_PASSES
                   : outlined || is_first_name(function->name) ? MINAS_FUNCTION_FIRST
                                                               : MINAS_FUNCTION_OWN;
  if (function->kind == MINAS_FUNCTION_PASSES &&
      !minas_function_in_line(symbol, function->name, sizeof function->name))
    *function->name = '\0';
}

/* A function that does not return ends with its last call. */
static void find_function(const struct link_map *object, uintptr_t code,
                          struct minas_function *function) {
  const char *symbol = minas_function_symbol(file_of(object), object->l_addr, code - 1);
  if (symbol)
    describe_function(symbol, function);
  else
    describe_place(object, code, function->name, sizeof function->name);
}

void minas_function_at(uintptr_t code, struct minas_function *function) {
  int error = errno;
  const struct link_map *object = object_of(code);
  *function = (struct minas_function){.kind = MINAS_FUNCTION_OWN};
  if (!object || is_passing_library(minas_file_name(object->l_name)))
    function->kind = MINAS_FUNCTION_PASSES;
  else
    find_function(object, code, function);
  errno = error;
}

bool minas_function_is_passed(const void *code) {
  const struct link_map *object = object_of((uintptr_t)code - 1);
  return object && is_passing_library(minas_file_name(object->l_name));
}
