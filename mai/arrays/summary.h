/*===-- summary.h - where the pages of an array are ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What reports say of an array: of one that is known, and of those that have ended, as they were
 * then.
 */
#ifndef MAI_SUMMARY_H
#define MAI_SUMMARY_H

#include <string.h>

#include "mai/memory/memory.h"
#include "registry.h"

/** Where the pages of an array are (or were when it ended), or of all blocks of a site. */
struct mai_summary {
  const struct mai_site *site; /**< of a block, or of all blocks of that site; NULL: none */
  char *name;
  char *alias;   /**< another form of the name; NULL: none */
  bool named;    /**< by a parallel region */
  size_t blocks; /**< that it stands for */
  size_t blocks_at_a_time;
  char *file;
  unsigned line;
  enum mai_origin origin;
  bool freed;
  size_t bytes; /**< at a time */
  mai_policy_t policy;
  int error;
  int look_error; /**< errno when the kernel did not tell where pages are; `pages` then says nothing
                   */
  struct mai_pages pages;
  struct mai_statistics statistics;
  const void *start;           /**< of an array that is known still; NULL when it has ended */
  struct mai_account *account; /**< of an array with the policy `dynamic`; NULL: there is none */
  size_t own_pages;            /**< those of `pages` that are no copies */
  size_t
      *per_node; /**< pages on each node, indexed by OS index; as many as the list's node_count */
};

/** Remember where the pages of an array are that ends, if there will be a report. */
void mai_summary_remember(const struct mai_array *array);

/** Whether two summaries are of blocks that one will do for. */
static inline bool mai_summary_are_of_one(const struct mai_summary *summary,
                                          const struct mai_summary *other) {
  return summary->site && summary->site == other->site && summary->error == other->error &&
         summary->look_error == other->look_error && strcmp(summary->name, other->name) == 0;
}

/** Call it as regions call all blocks of its site, where no region had a name for this one. */
void mai_summary_take_name(struct mai_summary *summary);

/** Let a summary be that of another block of its site, too. */
void mai_summary_merge(struct mai_summary *summary, const struct mai_summary *other,
                       unsigned node_count);

/** How many arrays that have ended are remembered, and how many are not. */
size_t mai_summary_ended(size_t *forgotten);

/** A copy of what is remembered of one of them, for mai_summary_free(). @return 0, or -1 with errno
 *  ENOMEM */
int mai_summary_copy_ended(size_t index, unsigned node_count, struct mai_summary *summary);

/** What there is to say of an array now, for mai_summary_free().
 *  @param mappings as mai_summary_statistics()
 *  @return 0, or -1 with errno ENOMEM */
int mai_summary_make(const struct mai_array *array, unsigned node_count,
                     const struct mai_mapping_list *mappings, struct mai_summary *summary);
void mai_summary_free(struct mai_summary *summary);

/** The highest OS index of a node, plus 1. */
unsigned mai_summary_nodes(void);

/** Where the pages of an array are, as mai_verify() in mai.h. */
int mai_summary_look(const struct mai_array *array, struct mai_pages *pages, size_t *per_node,
                     unsigned nodes);

/** What placing an array has cost, as mai_get_statistics() in mai.h.
 *  @param mappings those of the process as they are now; NULL: they are looked at */
void mai_summary_statistics(const struct mai_array *array, const struct mai_mapping_list *mappings,
                            struct mai_statistics *statistics);

#endif /* MAI_SUMMARY_H */
