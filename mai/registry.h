/*===-- registry.h - the arrays that MAi knows -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Every array that MAi allocated, took over or watches, found by address; and what is remembered of
 * those that were freed, for the report.
 */
#ifndef MAI_REGISTRY_H
#define MAI_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mai.h"
#include "placement.h"

/** How MAi came to know an array. */
enum mai_origin { MAI_ALLOCATED, MAI_IN_PLACE, MAI_WATCHED };

struct mai_array {
  char *name;
  const char *file; /**< source of its declaration, constant; NULL when not known */
  unsigned line;
  enum mai_origin origin;
  struct mai_shape shape;
  mai_policy_t policy;
  struct mai_placement placement;
  int error;     /**< why the placement could not be applied, an errno; 0: it was */
  void *mapping; /**< what mai_free() unmaps; allocated arrays only */
  size_t mapping_bytes;
};

/** Where the pages of an array are (or were when it was freed). */
struct mai_summary {
  char *name;
  const char *file;
  unsigned line;
  enum mai_origin origin;
  bool freed;
  size_t bytes;
  mai_policy_t policy;
  int error;
  int look_error; /**< errno when the kernel did not tell where pages are; `pages` then says nothing
                   */
  struct mai_pages pages;
  size_t
      *per_node; /**< pages on each node, indexed by OS index; as many as the list's node_count */
};

struct mai_summaries {
  struct mai_summary *list;
  size_t count;
  unsigned node_count; /**< highest OS index of a node, plus 1 */
  size_t forgotten;    /**< freed arrays of which nothing is remembered, there were too many */
};

/** An empty array with this name; NULL with errno ENOMEM. */
struct mai_array *mai_array_new(const char *name);

/** Free an array that is in no registry; what it describes stays. NULL is allowed. */
void mai_array_delete(struct mai_array *array);

/** Take an array over. @return 0, or -1 with errno ENOMEM or EEXIST (one with this start is known)
 */
int mai_registry_add(struct mai_array *array);

/** Whether an array that starts here is known. */
bool mai_registry_knows(const void *start);

/** Hand out the allocated array that starts here, no longer known; NULL when there is none.
 *  With `remember` its summary is kept for the report. */
struct mai_array *mai_registry_take(const void *start, bool remember);

/** As mai_verify() in mai.h. */
int mai_registry_verify(const void *start, struct mai_pages *pages, size_t *per_node,
                        unsigned nodes);

/** As mai_node_meant() in mai.h. */
int mai_registry_node_meant(const void *address);

/** Look at all arrays now, freed ones first. Free the result with mai_summaries_free().
 *  @return 0, or -1 with errno ENOMEM */
int mai_registry_summarise(struct mai_summaries *summaries);
void mai_summaries_free(struct mai_summaries *summaries);

#endif /* MAI_REGISTRY_H */
