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
#include "memory.h"
#include "placement.h"
#include "policy.h"

/** How MAi came to know an array. */
enum mai_origin {
  MAI_ALLOCATED,     /**< by mai_alloc*() */
  MAI_IN_PLACE,      /**< with static storage, handed over */
  MAI_ADOPTED,       /**< given to mai_place() */
  MAI_BLOCK_OF_HEAP, /**< given to mai_place_block() */
  MAI_WATCHED        /**< with static storage, looked at only */
};

struct mai_replicas;

struct mai_array {
  char *name;
  const char *file; /**< source of its declaration, constant; NULL when not known */
  unsigned line;
  enum mai_origin origin;
  struct mai_shape shape;
  mai_policy_t policy; /**< a copy of its own */
  struct mai_placement placement;
  struct mai_page_sizes pages;
  bool settled;          /**< `policy.along`: the row pointers have been found to be good */
  unsigned tries;        /**< so many teams have found it not filled */
  int error;             /**< why the placement could not be applied, an errno; 0: it was */
  mai_options_t options; /**< allocated arrays only, as the rest up to here */
  void *mapping;         /**< what mai_free() unmaps */
  size_t mapping_bytes;
  struct mai_replicas *replicas; /**< NULL: there are none */
  size_t moved_pages;
  double placing_seconds;
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
  struct mai_statistics statistics;
  const void *start; /**< of an array that is known still; NULL when it was freed */
  size_t own_pages;  /**< those of `pages` that are no copies */
  size_t
      *per_node; /**< pages on each node, indexed by OS index; as many as the list's node_count */
};

struct mai_summaries {
  struct mai_summary *list;
  size_t count;
  unsigned node_count; /**< highest OS index of a node, plus 1 */
  size_t forgotten;    /**< freed arrays of which nothing is remembered, there were too many */
};

/** An empty array with this name or, when that is NULL, named after its address; NULL with errno
 *  ENOMEM. */
struct mai_array *mai_array_new(const char *name, const void *start);

/** Whether an array's name is that of its address. */
bool mai_array_is_nameless(const struct mai_array *array);

/** Free an array that is in no registry; what it describes stays. NULL is allowed. */
void mai_array_delete(struct mai_array *array);

/** Take an array over. @return 0, or -1 with errno ENOMEM or EEXIST (one with this start is known)
 */
int mai_registry_add(struct mai_array *array);

/** Keep other threads out of the registry until mai_registry_unlock(): of the functions here only
 *  those may be called meanwhile that say so. */
void mai_registry_lock(void);
void mai_registry_unlock(void);

/** mai_registry_lock() if that can be done at once. @return whether it was */
bool mai_registry_try_lock(void);

/** The array that starts here, while locked; NULL when there is none. */
struct mai_array *mai_registry_find(const void *start);

/** The array that holds this address, while locked; NULL when there is none. */
struct mai_array *mai_registry_find_around(uintptr_t address);

/** The array with number `index`, while locked; NULL behind the last. */
struct mai_array *mai_registry_at(size_t index);

/** While locked: whether mai_place() may be given [begin, end).
 *  @return 0, or -1 with errno EINVAL when an array lies there that MAi allocated or took over */
int mai_registry_check_adoptable(uintptr_t begin, uintptr_t end);

/** While locked: know no longer of arrays of which something lies in [begin, end). */
void mai_registry_forget(uintptr_t begin, uintptr_t end);

/** While locked: mai_registry_add(). */
int mai_registry_add_locked(struct mai_array *array);

/** While locked: know no longer of an array, which stays as it is. */
void mai_registry_remove_locked(const struct mai_array *array);

/** Hand out the array of this origin that starts here, no longer known; NULL when there is none.
 *  With `remember` its summary is kept for the report. */
struct mai_array *mai_registry_take(const void *start, enum mai_origin origin, bool remember);

/** While locked: as mai_get_statistics() in mai.h.
 *  @param mappings those of the process as they are now; NULL: they are looked at */
void mai_array_statistics(const struct mai_array *array, const struct mai_mapping_list *mappings,
                          struct mai_statistics *statistics);

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
