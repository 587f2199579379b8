/*===-- registry.h - the arrays that MAi knows -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Every array that MAi allocated, took over or watches, found by address.
 *
 * Who works on an array holds it: meanwhile no other thread changes it, frees it or forgets it, and
 * no lock is held.  A thread that wants an array that another holds waits.  Signals are blocked in
 * a thread that holds an array: a handler that wants it, too, would wait for ever.
 */
#ifndef MAI_REGISTRY_H
#define MAI_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mai.h"
#include "mai/policy/placement.h"
#include "policy.h"
#include "sites.h"

/** How MAi came to know an array. */
enum mai_origin {
  MAI_ALLOCATED,     /**< by mai_alloc*() */
  MAI_IN_PLACE,      /**< with static storage, handed over */
  MAI_ADOPTED,       /**< given to mai_place() */
  MAI_BLOCK_OF_HEAP, /**< placed where malloc() returned it */
  MAI_ROW_OF_HEAP,   /**< the same, one row of a matrix: reports do not list it */
  MAI_WATCHED        /**< with static storage, looked at only */
};

struct mai_account;
struct mai_replicas;
struct mai_pool;

struct mai_array {
  /* Constant while the registry knows the array. */
  char *file; /**< source of its declaration; NULL when not known */
  unsigned line;
  unsigned long number; /**< so many arrays were made before it */
  enum mai_origin origin;
  struct mai_shape shape;
  struct mai_page_sizes pages;
  mai_options_t options; /**< allocated arrays only, as the rest up to here */
  struct mai_pool *pool; /**< from which its memory comes; NULL: it has a mapping of its own */
  struct mai_site *site; /**< that asked for a block; NULL: not known */
  void *mapping;         /**< what mai_free() gives back */
  size_t mapping_bytes;

  /* Changed by the thread that holds the array, by mai_registry_update(). */
  char *name;
  char *other_names;   /**< forms of the name that begin elsewhere, a line each; NULL: none */
  unsigned name_rank;  /**< how surely a parallel region calls a block so; 0: it has another name */
  mai_policy_t policy; /**< a copy of its own */
  struct mai_placement placement;
  bool governed;   /**< every page is in a range that has a policy of its own, by our doing */
  size_t pieces;   /**< into which its policies cut its memory */
  bool rows_found; /**< `policy.along`: the row pointers have been found to be good */
  unsigned tries;  /**< so many teams have found it not filled */
  size_t filled;   /**< so many bytes the last of them found to hold something */
  int error;       /**< why the placement could not be applied, an errno; 0: it was */
  struct mai_replicas *replicas; /**< NULL: there are none */
  size_t moved_pages;
  double placing_seconds;

  /* Set once, by the thread that holds the array. */
  struct mai_account *account; /**< of one with the policy `dynamic`; NULL: it has none yet */

  /* The registry's own. */
  uint32_t holder; /**< the thread that holds it; 0: none */
  unsigned levels; /**< entries of `next` */
  struct mai_array *next[];
};

/** Whether an array lies in memory of the program's allocator, which frees it. */
static inline bool mai_array_is_of_heap(const struct mai_array *array) {
  return array->origin == MAI_BLOCK_OF_HEAP || array->origin == MAI_ROW_OF_HEAP;
}

/** An empty array with this name or, when that is NULL, named after its address; NULL with errno
 *  ENOMEM. */
struct mai_array *mai_array_new(const char *name, const void *start);

/** Name an array after its address. @return 0, or -1 with errno ENOMEM */
int mai_array_name_by_address(struct mai_array *array);

/** Whether an array's name is that of its address. */
bool mai_array_is_nameless(const struct mai_array *array);

/** Free an array that is in no registry; what it describes stays. NULL is allowed. Keeps errno. */
void mai_array_delete(struct mai_array *array);

/** The end of an array: the byte after its last; after its last page where that holds nothing else.
 */
uintptr_t mai_array_end(const struct mai_array *array);

/** A policy has been set for a part of an array's memory, besides those that its placement needs.
 */
void mai_array_note_cut(struct mai_array *array);

/** Make an array known. @return false when something of another one lies there: then it is not */
bool mai_registry_add(struct mai_array *array);

/** Hold the array that starts here; the first one behind this address; the first one of which
 *  something lies in [begin, end).
 *  @return it, to be given to mai_registry_release(); NULL with errno EINVAL when there is none */
struct mai_array *mai_registry_hold(const void *start);
struct mai_array *mai_registry_hold_behind(const void *start);
struct mai_array *mai_registry_hold_in(uintptr_t begin, uintptr_t end);

/** The same as mai_registry_hold_in(), but for arrays that somebody holds: waits for nobody. */
struct mai_array *mai_registry_hold_idle_in(uintptr_t begin, uintptr_t end);

/** Whether the calling thread holds an array. */
bool mai_registry_is_holding(void);

/** Hold no longer. Keeps errno. */
void mai_registry_release(struct mai_array *array);

/** Let an array that the calling thread holds become as `changed`, a changed copy of it. */
void mai_registry_update(struct mai_array *array, const struct mai_array *changed);

/** Know no longer of an array that the calling thread holds: it belongs to the thread now. */
void mai_registry_remove(struct mai_array *array);

/** Look at the first array of which something lies in [begin, end), while nobody can change it.
 *  @return what `look` returns, which must not wait; false when there is no such array */
bool mai_registry_look(uintptr_t begin, uintptr_t end,
                       bool (*look)(const struct mai_array *array, void *context), void *context);

/** How often the registry has changed: what was found in it holds while that stays the same. */
unsigned long mai_registry_changes(void);

/** Whether memory of the program's that is known to the library may start here; found without a
 *  lock.  Often wrong about memory that does not, never about memory that does. */
bool mai_registry_may_start_at(uintptr_t start);

/** How many blocks of the program's allocator have become known so far. */
unsigned long mai_registry_blocks(void);

/** How much memory of the program's is known: arrays that it gave to mai_place(), and blocks. */
unsigned mai_registry_foreign_arrays(void);

#endif /* MAI_REGISTRY_H */
