/*===-- left_out.c - run-times that the linker has left out ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "left_out.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "mai/process/interpose.h"
#include "runtime/lock.h"

#define FUNCTION_NAME(number, name) #name,
static const char *const functions[] = {MAI_FUNCTIONS(FUNCTION_NAME) NULL};

struct imports {
  bool any;
  bool llvms;
};

static bool note_import(const char *name, const void *address, void *context) {
  struct imports *imports = context;
  (void)address;
  for (size_t i = 0; functions[i] && !imports->any; i++)
    imports->any = strcmp(name, functions[i]) == 0;
  imports->llvms |= strncmp(name, "__kmpc_", strlen("__kmpc_")) == 0;
  return false;
}

static bool is_linked_with_us(const struct mai_object *object) {
  struct mai_object self;
  return mai_object_at((const void *)&is_linked_with_us, &self) && mai_object_name(&self) &&
         mai_object_needs(object, mai_object_name(&self));
}

bool mai_left_out_load(const struct mai_object *object) {
  static const char *const gnu[] = {"libgomp.so.1", NULL};
  static const char *const llvm[] = {"libomp.so.5", "libomp.so", "libiomp5.so", NULL};
  struct imports imports = {0};
  if (!is_linked_with_us(object))
    return false;
  mai_object_imports(object, note_import, &imports);
  if (!imports.any ||
      mai_interpose_exists(imports.llvms ? "__kmpc_fork_call" : "omp_get_max_threads"))
    return false;
  MINAS_CALLS_OUT();
  const char *const *library = imports.llvms ? llvm : gnu;
  while (*library && !dlopen(*library, RTLD_LAZY | RTLD_GLOBAL))
    library++;
  atomic_fetch_add(&mai_unloads, 1); /* calls that went nowhere go there now */
  return *library;
}

static bool take_first(const struct mai_object *object, void *program) {
  *(struct mai_object *)program = *object;
  return true;
}

void mai_left_out_load_of_program(void) {
  struct mai_object program;
  if (mai_objects_visit(take_first, &program))
    mai_left_out_load(&program);
}
