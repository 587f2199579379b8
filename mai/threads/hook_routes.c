/*===-- hook_routes.c - where calls of OpenMP go that come by here *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "hook_routes.h"

#include <errno.h>
#include <stdlib.h>

#include "left_out.h"
#include "mai/process/call.h"
#include "mai/process/message.h"

#define FUNCTION_NAME(number, name) [number] = #name,
static const char *const names[] = {MAI_FUNCTIONS(FUNCTION_NAME)};

/* What programs call without asking whether it is there: compilers do. */
static bool is_of_compilers(enum mai_function function) {
  return function <= MAI_FN___kmpc_serialized_parallel || function >= MAI_FN_GOMP_task;
}

static void say_uncertain(const struct mai_object *caller) {
  static bool said;
  mai_message_once(&said,
                   "it cannot be told which OpenMP run-time %s%s uses: its threads are left alone",
                   *caller->path ? "" : "the program", caller->path);
}

static const struct mai_route *find(const struct mai_object *object, const void *caller,
                                    enum mai_function function) {
  const struct mai_route *route = mai_route_of(caller);
  if (!route->functions[function].next && mai_left_out_load(object))
    route = mai_route_of(caller);
  if (route->functions[function].next && !route->functions[function].runtime)
    say_uncertain(object);
  return route;
}

static void end_without(enum mai_function function) {
  mai_message("the program calls %s(), which no library that it has loaded defines",
              names[function]);
  mai_call_leave(); /* says it */
  abort();
}

const struct mai_route *mai_hook_find_route(const void *caller, enum mai_function function) {
  MAI_CALL;
  int error = errno;
  struct mai_object object = {.path = ""};
  mai_object_at(caller, &object);
  const struct mai_route *route = find(&object, caller, function);
  if (!route->functions[function].next && is_of_compilers(function))
    end_without(function);
  errno = error;
  return route;
}
