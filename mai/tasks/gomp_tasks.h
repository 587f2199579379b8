/*===-- gomp_tasks.h - tasks of libgomp go where their data is ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_GOMP_TASKS_H
#define MAI_GOMP_TASKS_H

#include <stdbool.h>
#include <stddef.h>

#include "openmp/routes.h"

typedef void mai_gomp_body_t(void *arguments);
typedef void mai_gomp_copy_t(void *to, void *from);

/** libgomp's interface: GOMP_task(), and flags of tasks. */
typedef void mai_gomp_make_t(mai_gomp_body_t *body, void *data, mai_gomp_copy_t *copy, long size,
                             long alignment, bool if_clause, unsigned flags, void **depend,
                             int priority, void *detach);

enum {
  MAI_GOMP_UNTIED = 1 << 0,
  MAI_GOMP_FINAL = 1 << 1,
  MAI_GOMP_MERGEABLE = 1 << 2,
  MAI_GOMP_DEPEND = 1 << 3,
  MAI_GOMP_PRIORITY = 1 << 4,
  MAI_GOMP_UP = 1 << 8, /* this and the others are of loops, but for DETACH */
  MAI_GOMP_GRAINSIZE = 1 << 9,
  MAI_GOMP_IF = 1 << 10,
  MAI_GOMP_NOGROUP = 1 << 11,
  MAI_GOMP_REDUCTION = 1 << 12,
  MAI_GOMP_DETACH = 1 << 13,
  MAI_GOMP_STRICT = 1 << 14
};

/** A task that the program makes. */
struct mai_gomp_task {
  mai_gomp_body_t *body;
  void *data;
  mai_gomp_copy_t *copy; /**< of data; NULL: byte by byte */
  size_t size;
  size_t alignment;
  bool if_clause;
  unsigned flags;
  void **depend;
  int priority;
  void *detach;
};

/** Whether a run-time is libgomp.  LLVM's, too, has functions of its names, for parts of a program
 *  that gcc has compiled: where these make tasks none go near their data any more, as those of
 *  other parts may be among their children. */
bool mai_gomp_runs(const struct mai_runtime *runtime);

/** Make a task of libgomp's, by its GOMP_task(), while tasks go near their data.
 *  @param said the home that the program wants for it, or MAI_NO_HOME */
void mai_gomp_make(const struct mai_gomp_task *task, const struct mai_route *route, unsigned said);

#endif /* MAI_GOMP_TASKS_H */
