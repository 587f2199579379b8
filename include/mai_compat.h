/*===-- mai_compat.h - the names of the original MAi ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Lets a program that was written for the original MAi (C. Pousa Ribeiro, J.-F. Méhaut, "MAi:
 * Memory Affinity interface", INRIA RT-0359, 2008-2010) compile and run unchanged:
 *
 *     cc -fopenmp -include mai_compat.h prog.c -lmai_compat -lmai
 *
 * mai_compat(3) says of each call what it does now.  The original's functions return nothing: after
 * a failure `errno` says why and MAI_VERBOSE=1 prints it; allocation returns NULL.
 *
 * Five of the original's names are also those of functions in mai.h with other parameters.  Here
 * they are macros with the original's parameters; in parentheses, (mai_migrate)(array, node, NULL),
 * they are still mai.h's.
 *
 * Threads.  As in mai.h: any thread may call any function at any time, but no other thread may use
 * an array while a policy is set, which places it anew.
 */
#ifndef MAI_COMPAT_H
#define MAI_COMPAT_H

/* Those that the original's header brings along and programs rely on. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/types.h>

#include "mai.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===-- What the names below stand on --------------------------------------===*/

/* Along which dimension a policy distributes. */
#define MAI_ORIGINAL_PAGES (-1)
#define MAI_ORIGINAL_ROWS 0
#define MAI_ORIGINAL_COLUMNS 1
#define MAI_ORIGINAL_3D 2

#define MAI_ORIGINAL_ALL_NODES (-1)

/* The original's policies. */
enum mai_original_kind {
  MAI_ORIGINAL_BIND,
  MAI_ORIGINAL_BLOCK,
  MAI_ORIGINAL_BLOCK_CYCLIC,
  MAI_ORIGINAL_CYCLIC,
  MAI_ORIGINAL_SKEW,
  MAI_ORIGINAL_PRIME,
  MAI_ORIGINAL_RANDOM
};

/* A policy as the original's calls give it. */
struct mai_original_policy {
  unsigned kind;    /* an enum mai_original_kind */
  int dimension;    /* one of the four above */
  int units;        /* indices of the dimension that are distributed at a time */
  int prime;        /* MAI_ORIGINAL_PRIME: raised to the next prime that fits the machine */
  int node_count;   /* entries of `nodes`, or MAI_ORIGINAL_ALL_NODES */
  const int *nodes; /* OS indices */
};

/* Arrays of one to three dimensions, reached through row pointers.  NULL with errno as
   mai_alloc_shape(). */
void *mai_original_alloc(unsigned dimensions, const int *extents, size_t item);

/* The same of one to five dimensions in Fortran's order, the first index being the fastest, and
   without tables: the data itself.  What the calls name rows are indices of the last dimension. */
void *mai_original_alloc_fortran(unsigned dimensions, const int *extents, size_t item);

/* These return 0, or -1 with errno EINVAL (no array of mai_original_alloc(), or numbers that do not
   fit it) or as the function of mai.h that does the work: mai_replace(), mai_next_touch(),
   mai_migrate*(), mai_map_threads(), sched_setaffinity(). */
int mai_original_free(void *pointer);
int mai_original_place(void *pointer, const struct mai_original_policy *policy);
int mai_original_bind_here(void *pointer);
int mai_original_next_touch(void *pointer);
int mai_original_nodes(unsigned long count, const int *nodes);
int mai_original_subarray(void *pointer, const int *block);
int mai_original_bytes(void *pointer, size_t bytes);
int mai_original_regular(void *pointer);
int mai_original_irregular(void *pointer, size_t bytes, int node);
int mai_original_migrate(void *pointer, unsigned long node, const int *range);
int mai_original_migrate_rows(void *pointer, unsigned long node, int count, int first);
int mai_original_migrate_columns(void *pointer, unsigned long node, int count, int first);
int mai_original_scatter(void *pointer, unsigned long mask);
int mai_original_init(const char *file);
int mai_original_change(const char *file);
int mai_original_bind_thread(pid_t thread, unsigned long cpu);
int mai_original_bind_next(pid_t thread);

/* NULL or 0 when there is no such array. */
void *mai_original_moved(void *pointer, int dimension, size_t count);
size_t mai_original_size(const void *pointer);
void mai_original_print_policy(const void *pointer);
void mai_original_print_nodes(const void *pointer);

/* The lists belong to the library. */
unsigned long *mai_original_node_list(int *count);
unsigned long *mai_original_cpu_list(int *count);
int mai_original_team_size(void);
int mai_original_cpu_here(void);
double mai_original_performance(int from, int to, int factor);
int mai_original_misplaced(const unsigned long *addresses, int count);
double mai_original_placing_seconds(void);

/*===-- Starting and ending ------------------------------------------------===*/

#define mai_init(file) ((void)mai_original_init(file))

static inline void mai_change(char file[]) { (void)mai_original_change(file); }

/* Arrays stay until they are freed or the program ends, so that its report knows them. */
static inline void mai_final(void) {}

/* 0 where memory can be placed. */
static inline int numa_check(void) { return (mai_init)(); }

/*===-- Allocation ---------------------------------------------------------===*/

/* Element types: only the size counts. */
#ifndef CHAR
#define CHAR 0
#endif
#ifndef INT
#define INT 1
#endif
#ifndef FLOAT
#define FLOAT 2
#endif
#ifndef DOUBLE
#define DOUBLE 3
#endif
#ifndef STRUCT
#define STRUCT 4
#endif

static inline void *mai_alloc_1D(int nx, size_t size_item, int type) {
  (void)type;
  return mai_original_alloc(1, &nx, size_item);
}

static inline void *mai_alloc_2D(int nx, int ny, size_t size_item, int type) {
  const int extents[] = {nx, ny};
  (void)type;
  return mai_original_alloc(2, extents, size_item);
}

static inline void *mai_alloc_3D(int nx, int ny, int nz, size_t size_item, int type) {
  const int extents[] = {nx, ny, nz};
  (void)type;
  return mai_original_alloc(3, extents, size_item);
}

static inline void mai_free_array(void *p) { (void)mai_original_free(p); }

/*===-- Policies -----------------------------------------------------------===*/

static inline void mai_original_distribution(void *p, unsigned kind, int dimension, int units,
                                             int prime, int nnodes, const int *nodes) {
  const struct mai_original_policy policy = {kind, dimension, units, prime, nnodes, nodes};
  (void)mai_original_place(p, &policy);
}

/* A policy for all nodes, and for some; what stands behind `value` is its parameters. */
#define MAI_ORIGINAL_POLICY(name, kind, dimension)                                                 \
  static inline void mai_##name(void *p) {                                                         \
    mai_original_distribution(p, kind, dimension, 0, 0, MAI_ORIGINAL_ALL_NODES, NULL);             \
  }                                                                                                \
  static inline void mai_##name##_sn(void *p, int nnodes, int *nodes) {                            \
    mai_original_distribution(p, kind, dimension, 0, 0, nnodes, nodes);                            \
  }
#define MAI_ORIGINAL_POLICY_UNITS(name, kind, dimension)                                           \
  static inline void mai_##name(void *p, int units) {                                              \
    mai_original_distribution(p, kind, dimension, units, 0, MAI_ORIGINAL_ALL_NODES, NULL);         \
  }                                                                                                \
  static inline void mai_##name##_sn(void *p, int units, int nnodes, int *nodes) {                 \
    mai_original_distribution(p, kind, dimension, units, 0, nnodes, nodes);                        \
  }
#define MAI_ORIGINAL_POLICY_PRIME(name, dimension)                                                 \
  static inline void mai_##name(void *p, int prime, int units) {                                   \
    mai_original_distribution(p, MAI_ORIGINAL_PRIME, dimension, units, prime,                      \
                              MAI_ORIGINAL_ALL_NODES, NULL);                                       \
  }                                                                                                \
  static inline void mai_##name##_sn(void *p, int prime, int units, int nnodes, int *nodes) {      \
    mai_original_distribution(p, MAI_ORIGINAL_PRIME, dimension, units, prime, nnodes, nodes);      \
  }
#define MAI_ORIGINAL_POLICIES_ALONG(suffix, dimension)                                             \
  MAI_ORIGINAL_POLICY_UNITS(cyclic_##suffix, MAI_ORIGINAL_CYCLIC, dimension)                       \
  MAI_ORIGINAL_POLICY_UNITS(skew_mapp_##suffix, MAI_ORIGINAL_SKEW, dimension)                      \
  MAI_ORIGINAL_POLICY_PRIME(prime_mapp_##suffix, dimension)                                        \
  MAI_ORIGINAL_POLICY(bind_##suffix, MAI_ORIGINAL_BLOCK, dimension)                                \
  MAI_ORIGINAL_POLICY_UNITS(ibind_##suffix, MAI_ORIGINAL_BLOCK_CYCLIC, dimension)

MAI_ORIGINAL_POLICY(cyclic, MAI_ORIGINAL_CYCLIC, MAI_ORIGINAL_PAGES)
MAI_ORIGINAL_POLICY(skew_mapp, MAI_ORIGINAL_SKEW, MAI_ORIGINAL_PAGES)
MAI_ORIGINAL_POLICY(random, MAI_ORIGINAL_RANDOM, MAI_ORIGINAL_PAGES)
MAI_ORIGINAL_POLICY(bind_all, MAI_ORIGINAL_BIND, MAI_ORIGINAL_PAGES)
MAI_ORIGINAL_POLICIES_ALONG(rows, MAI_ORIGINAL_ROWS)
MAI_ORIGINAL_POLICIES_ALONG(columns, MAI_ORIGINAL_COLUMNS)
MAI_ORIGINAL_POLICIES_ALONG(3D, MAI_ORIGINAL_3D)

static inline void mai_cyclic_possible(void *p) { mai_cyclic(p); }

static inline void mai_prime_mapp(void *p, int prime) {
  mai_original_distribution(p, MAI_ORIGINAL_PRIME, MAI_ORIGINAL_PAGES, 0, prime,
                            MAI_ORIGINAL_ALL_NODES, NULL);
}

static inline void mai_prime_mapp_sn(void *p, int prime, int nnodes, int *nodes) {
  mai_original_distribution(p, MAI_ORIGINAL_PRIME, MAI_ORIGINAL_PAGES, 0, prime, nnodes, nodes);
}

static inline void mai_bind_all_mynode(void *p) { (void)mai_original_bind_here(p); }
static inline void mai_bind_rows_mynode(void *p) { (void)mai_original_next_touch(p); }
static inline void mai_bind_columns_mynode(void *p) { (void)mai_original_next_touch(p); }

#define mai_next_touch(p) ((void)mai_original_next_touch(p))

/*===-- The program's own policies -----------------------------------------===*/

static inline void mai_nodes(unsigned long nnodes, int *nodes) {
  (void)mai_original_nodes(nnodes, nodes);
}
static inline void mai_subarray(void *p, int dim[]) { (void)mai_original_subarray(p, dim); }
static inline void mai_bytes(void *p, size_t bytes) { (void)mai_original_bytes(p, bytes); }
static inline int mai_regularbind(void *p) { return mai_original_regular(p); }
static inline int mai_irregularbind(void *p, size_t bytes, int node) {
  return mai_original_irregular(p, bytes, node);
}

static inline void *mai_move_pointer(void *p, size_t bytes) {
  return mai_original_moved(p, MAI_ORIGINAL_PAGES, bytes);
}
static inline void *mai_get_realpointer(void *p) { return mai_move_pointer(p, 0); }
static inline void *mai_mv_pointer_rows(void *p, int rows) {
  return mai_original_moved(p, MAI_ORIGINAL_ROWS, (size_t)rows);
}
static inline void *mai_mv_pointer_cols(void *p, int cols) {
  return mai_original_moved(p, MAI_ORIGINAL_COLUMNS, (size_t)cols);
}
static inline void *mai_mv_pointer_plans(void *p, int plans) {
  return mai_original_moved(p, MAI_ORIGINAL_3D, (size_t)plans);
}
static inline size_t mai_getsize(void *p) { return mai_original_size(p); }

/*===-- Migration ----------------------------------------------------------===*/

static inline void mai_original_migrate_block(void *p, unsigned long node, int nr, int startr,
                                              int nc, int startc) {
  const int range[] = {startr, nr, startc, nc};
  (void)mai_original_migrate(p, node, range);
}

#define mai_migrate(p, node, nr, startr, nc, startc)                                               \
  mai_original_migrate_block(p, node, nr, startr, nc, startc)
#define mai_migrate_rows(p, node, nr, start) ((void)mai_original_migrate_rows(p, node, nr, start))
#define mai_migrate_columns(p, node, nc, start)                                                    \
  ((void)mai_original_migrate_columns(p, node, nc, start))

/* `nodes` is a mask: bit n for node n. */
static inline void mai_migrate_scatter(void *p, unsigned long nodes) {
  (void)mai_original_scatter(p, nodes);
}
static inline void mai_migrate_gather(void *p, unsigned long node) {
  (void)mai_original_migrate(p, node, NULL);
}

/*===-- Threads ------------------------------------------------------------===*/

/* MAi pins OpenMP threads by itself, when they enter their first region. */
static inline void bind_threads(void) {}
static inline void bind_thread_omp(void) {}
static inline void set_thread_id_omp(void) {}
static inline void mai_set_thread_id_posix(void) {}
static inline void mai_set_number_threads(int nthreads) { (void)nthreads; }

static inline void mai_bind_thread_posix(pid_t tid) { (void)mai_original_bind_next(tid); }
static inline void mai_bind_thread(pid_t tid, int cpu) {
  (void)mai_original_bind_thread(tid, (unsigned long)cpu);
}
static inline void mai_migrate_thread(pid_t tid, unsigned long cpu) {
  (void)mai_original_bind_thread(tid, cpu);
}

#ifdef _OPENMP
static inline void mai_barrier(void) { _Pragma("omp barrier") }
#endif

/*===-- The machine --------------------------------------------------------===*/

static inline unsigned long *mai_get_nodes_id(void) {
  int count;
  return mai_original_node_list(&count);
}
static inline unsigned long *mai_get_cpus_id(void) {
  int count;
  return mai_original_cpu_list(&count);
}
static inline int mai_get_num_nodes(void) {
  int count;
  (void)mai_original_node_list(&count);
  return count;
}
static inline int mai_get_num_cpu(void) {
  int count;
  (void)mai_original_cpu_list(&count);
  return count;
}
static inline int mai_get_num_cpus(void) { return mai_get_num_cpu(); }
static inline int mai_get_num_threads(void) { return mai_original_team_size(); }
static inline int get_number_threads(void) { return mai_original_team_size(); }
static inline int get_thread_cpu(void) { return mai_original_cpu_here(); }
static inline int mai_get_maxnodes(void) { return mai_get_num_nodes(); }
static inline int mai_get_maxcpus(void) { return mai_get_num_cpu(); }

static inline void mai_show_nodes(void) {
  for (int i = 0; i < mai_get_num_nodes(); i++)
    printf("node %lu\n", mai_get_nodes_id()[i]);
}
static inline void mai_show_cpus(void) {
  for (int i = 0; i < mai_get_num_cpu(); i++)
    printf("CPU %lu\n", mai_get_cpus_id()[i]);
}

/* In MiB/s and as a ratio; 0: not known. */
static inline float mai_bandwidth(int node1, int node2) {
  return (float)mai_original_performance(node1, node2, 0);
}
static inline float mai_nodebandwidth(int node) { return mai_bandwidth(node, node); }
static inline float mai_numafactor(int node1, int node2) {
  return (float)mai_original_performance(node1, node2, 1);
}

/*===-- Statistics ---------------------------------------------------------===*/

static inline void mai_print_pagenodes(unsigned long *pageaddrs, int size) {
  for (int i = 0; i < size; i++)
    printf("page %#lx: node %d\n", pageaddrs[i], mai_where((const void *)pageaddrs[i]));
}
static inline int mai_number_page_migration(unsigned long *pageaddrs, int size) {
  return mai_original_misplaced(pageaddrs, size);
}
static inline double mai_get_time_pmigration(void) { return mai_original_placing_seconds(); }

/* MAi moves threads when they enter a region, and counts none. */
static inline int mai_number_thread_migration(unsigned *threads, int size) {
  (void)threads;
  (void)size;
  return 0;
}
static inline double mai_get_time_tmigration(void) { return 0; }

static inline void mai_print_threadcpus(void) {
  for (int i = 0; i < mai_get_num_threads(); i++)
    printf("thread %d: CPU %d\n", i, mai_cpu_of_thread((unsigned)i));
}
static inline void mai_show_thread_ids(void) { mai_print_threadcpus(); }

static inline void mai_mempol(void *p) { mai_original_print_policy(p); }
static inline void mai_arraynodes(void *p) { mai_original_print_nodes(p); }
static inline void mai_get_log(void) { (void)mai_report(stdout, MAI_REPORT_TEXT); }

#ifdef __cplusplus
}
#endif
#endif /* MAI_COMPAT_H */
