/*===-- fortran.c - the original's calls, from Fortran ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Fortran calls a procedure by its name in small letters with an underscore, and hands all
 * arguments by reference.  A program may call these without the interfaces of the module ctof.
 */
#include "mai_compat.h"

#define EXPORTED __attribute__((visibility("default")))

/* NOLINTBEGIN(readability-identifier-naming): Fortran's compilers name them. */

#define ARRAY(name, call)                                                                          \
  EXPORTED void name##_(void *p);                                                                  \
  void name##_(void *p) { call(p); }
#define ARRAY_AND_NUMBER(name)                                                                     \
  EXPORTED void name##_(void *p, const int *number);                                               \
  void name##_(void *p, const int *number) { name(p, *number); }
#define NOTHING(name)                                                                              \
  EXPORTED void name##_(void);                                                                     \
  void name##_(void) { name(); }
#define PRINTED(name, format)                                                                      \
  EXPORTED void name##_(void);                                                                     \
  void name##_(void) { printf(format "\n", name()); }

ARRAY(mai_free_array, mai_free_array)
ARRAY(mai_cyclic, mai_cyclic)
ARRAY(mai_cyclic_possible, mai_cyclic_possible)
ARRAY(mai_skew_mapp, mai_skew_mapp)
ARRAY(mai_random, mai_random)
ARRAY(mai_bind_all, mai_bind_all)
ARRAY(mai_bind_all_mynode, mai_bind_all_mynode)
ARRAY(mai_bind_rows, mai_bind_rows)
ARRAY(mai_bind_columns, mai_bind_columns)
ARRAY(mai_bind_rows_mynode, mai_bind_rows_mynode)
ARRAY(mai_bind_columns_mynode, mai_bind_columns_mynode)
ARRAY(mai_bind_3d, mai_bind_3D)
ARRAY(mai_next_touch, mai_next_touch)
ARRAY(mai_mempol, mai_mempol)
ARRAY(mai_arraynodes, mai_arraynodes)

ARRAY_AND_NUMBER(mai_prime_mapp)
ARRAY_AND_NUMBER(mai_cyclic_rows)
ARRAY_AND_NUMBER(mai_cyclic_columns)
ARRAY_AND_NUMBER(mai_skew_mapp_rows)
ARRAY_AND_NUMBER(mai_skew_mapp_columns)
ARRAY_AND_NUMBER(mai_ibind_rows)
ARRAY_AND_NUMBER(mai_ibind_columns)

NOTHING(mai_final)
NOTHING(mai_print_threadcpus)
NOTHING(mai_get_log)
NOTHING(mai_set_thread_id_posix)
NOTHING(mai_show_thread_ids)
NOTHING(mai_show_cpus)
NOTHING(mai_show_nodes)

/* The original's subroutines that ask for a number print it. */
PRINTED(mai_get_num_cpus, "%d")
PRINTED(mai_get_num_nodes, "%d")
PRINTED(mai_get_num_threads, "%d")
PRINTED(mai_get_time_pmigration, "%f")
PRINTED(mai_get_time_tmigration, "%f")

EXPORTED void mai_init_(void);
EXPORTED void mai_migrate_(void *p, const int *node, const int *nr, const int *startr,
                           const int *nc, const int *startc);
EXPORTED void mai_migrate_rows_(void *p, const int *node, const int *nr, const int *start);
EXPORTED void mai_migrate_columns_(void *p, const int *node, const int *nc, const int *start);
EXPORTED void mai_migrate_gather_(void *p, const int *node);
EXPORTED void mai_migrate_scatter_(void *p, const int *nodes);
EXPORTED void mai_migrate_thread_(const int *thread, const long *cpu);
EXPORTED void mai_print_pagenodes_(unsigned long *addresses, const int *size);
EXPORTED void mai_set_number_threads_(const int *count);

/* Whether there is an argument, nobody can tell here; the module's mai_init() can. */
void mai_init_(void) { mai_init(NULL); }

/* No node has a negative number: it becomes one that there is not. */
static unsigned long node_of(const int *node) { return (unsigned long)(long)*node; }

void mai_migrate_(void *p, const int *node, const int *nr, const int *startr, const int *nc,
                  const int *startc) {
  mai_migrate(p, node_of(node), *nr, *startr, *nc, *startc);
}

void mai_migrate_rows_(void *p, const int *node, const int *nr, const int *start) {
  mai_migrate_rows(p, node_of(node), *nr, *start);
}

void mai_migrate_columns_(void *p, const int *node, const int *nc, const int *start) {
  mai_migrate_columns(p, node_of(node), *nc, *start);
}

void mai_migrate_gather_(void *p, const int *node) { mai_migrate_gather(p, node_of(node)); }

void mai_migrate_scatter_(void *p, const int *nodes) {
  mai_migrate_scatter(p, (unsigned long)(unsigned)*nodes);
}

void mai_migrate_thread_(const int *thread, const long *cpu) {
  mai_migrate_thread(*thread, (unsigned long)*cpu);
}

void mai_print_pagenodes_(unsigned long *addresses, const int *size) {
  mai_print_pagenodes(addresses, *size);
}

void mai_set_number_threads_(const int *count) { mai_set_number_threads(*count); }

/* NOLINTEND(readability-identifier-naming) */
