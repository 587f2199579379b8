/*===-- hook_routes.h - where calls of OpenMP go that come by here *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_HOOK_ROUTES_H
#define MAI_HOOK_ROUTES_H

#include "openmp/routes.h"

/** For mai_hook_route(): finds the route, says what there is to say, and ends the program when
 *  it calls a compiler's function that does not exist. */
const struct mai_route *mai_hook_find_route(const void *caller, enum mai_function function);

/** The route of a call that returns to `caller`.  The function itself is not NULL where compilers
 *  call it. */
static inline const struct mai_route *mai_hook_route(const void *caller,
                                                     enum mai_function function) {
  const struct mai_route *route = mai_route_known(caller);
  return route && route->functions[function].runtime ? route
                                                     : mai_hook_find_route(caller, function);
}

/** The function that such a call goes to. */
static inline void *mai_hook_next(const void *caller, enum mai_function function) {
  return mai_hook_route(caller, function)->functions[function].next;
}

#endif /* MAI_HOOK_ROUTES_H */
