/*===-- summary.c - where the pages of an array are ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "summary.h"

#include <errno.h>
#include <string.h>

#include "mai/memory/kernel.h"
#include "mai/memory/machine.h"
#include "mai/memory/memory.h"
#include "dynamic_arrays.h"
#include "next_touch.h"
#include "replicas.h"
#include "mai/process/settings.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

enum { MOST_REMEMBERED = 1024, LOOK_BATCH = 1024 };

/*===-- Looking ------------------------------------------------------------===*/

/* What the counts make of pages [first, first + count) whose nodes are `nodes`. */
static void count_pages(const struct mai_placement *placement, size_t first, size_t count,
                        const int *nodes, struct mai_pages *pages, size_t *per_node,
                        unsigned node_count) {
  for (size_t i = 0; i < count; i++) {
    if (nodes[i] < 0) {
      if (nodes[i] == MAI_PAGE_UNTOUCHED)
        pages->untouched++;
      else
        pages->failed++;
      continue;
    }
    uint32_t node = (uint32_t)nodes[i];
    if (mai_placement_accepts(placement, first + i, node))
      pages->placed++;
    else
      pages->spilled++;
    if (node < node_count)
      per_node[node]++;
  }
}

static int look_at(const struct mai_placement *placement, struct mai_pages *pages, size_t *per_node,
                   unsigned node_count) {
  int nodes[LOOK_BATCH];
  pages->total += placement->pages;
  for (size_t done = 0; done < placement->pages; done += LOOK_BATCH) {
    size_t left = placement->pages - done;
    size_t batch = left < LOOK_BATCH ? left : LOOK_BATCH;
    if (mai_kernel_where(placement->start + done * placement->page_size, placement->page_size,
                         batch, nodes) != 0)
      return -1;
    count_pages(placement, done, batch, nodes, pages, per_node, node_count);
  }
  return 0;
}

int mai_summary_look(const struct mai_array *array, struct mai_pages *pages, size_t *per_node,
                     unsigned nodes) {
  memset(pages, 0, sizeof *pages);
  if (nodes)
    memset(per_node, 0, nodes * sizeof *per_node);
  if (look_at(&array->placement, pages, per_node, nodes) != 0)
    return -1;
  for (size_t i = 0; i < mai_replicas_count(array->replicas); i++)
    if (look_at(mai_replicas_placement(array->replicas, i), pages, per_node, nodes) != 0)
      return -1;
  return 0;
}

void mai_summary_statistics(const struct mai_array *array, const struct mai_mapping_list *mappings,
                            struct mai_statistics *statistics) {
  const struct mai_placement *placement = &array->placement;
  size_t bytes = placement->pages * placement->page_size;
  uintptr_t end = placement->start + bytes;
  *statistics = (struct mai_statistics){
      .bytes = array->shape.bytes,
      .page_size = placement->page_size,
      .mappings = mappings ? mai_memory_count_mappings(mappings, placement->start, end)
                           : mai_memory_mappings(placement->start, end),
      .moved_pages = array->moved_pages + mai_next_touch_moved(array),
      .placing_seconds = array->placing_seconds};
}

/*===-- One summary --------------------------------------------------------===*/

unsigned mai_summary_nodes(void) {
  const struct mai_machine *machine = mai_machine();
  return machine && machine->node_count ? machine->nodes[machine->node_count - 1] + 1 : 1;
}

void mai_summary_free(struct mai_summary *summary) {
  mai_policy_free(&summary->policy);
  minas_free(summary->name);
  minas_free(summary->alias);
  minas_free(summary->file);
  minas_free(summary->per_node);
  minas_free(summary->account);
}

/* Whether the name is one that a parallel region has, and says something. */
static bool is_named(const struct mai_array *array) {
  return array->name_rank > 0 && !mai_name_is_of_many(array->name, array->name_rank);
}

/* The form that says most. */
static char *alias_of(const struct mai_array *array) {
  const char *forms = is_named(array) ? array->other_names : NULL;
  return forms ? minas_copy_part(forms, strcspn(forms, "\n")) : NULL;
}

static struct mai_account *copy_account(const struct mai_account *account) {
  return account ? minas_copy(account, sizeof *account) : NULL;
}

/* @return 0, or -1 with errno ENOMEM */
static int describe(const struct mai_array *array, unsigned node_count,
                    struct mai_summary *summary) {
  *summary = (struct mai_summary){
      .site = array->site,
      .name = minas_copy_text(
          array->name_rank > 0 && !is_named(array) && array->site ? array->site->key : array->name),
      .alias = alias_of(array),
      .named = is_named(array),
      .blocks = 1,
      .blocks_at_a_time = 1,
      .file = array->file ? minas_copy_text(array->file) : NULL,
      .line = array->line,
      .origin = array->origin,
      .bytes = array->shape.bytes,
      .error = array->error,
      .start = (void *)array->shape.start,
      .own_pages = array->placement.pages,
      .account = copy_account(array->account),
      .per_node = minas_alloc_list(node_count, sizeof(size_t))};
  if (summary->name && summary->per_node && (summary->file || !array->file) &&
      (summary->account || !array->account) &&
      mai_policy_copy(&array->policy, &summary->policy) == 0)
    return 0;
  mai_summary_free(summary);
  errno = ENOMEM;
  return -1;
}

int mai_summary_make(const struct mai_array *array, unsigned node_count,
                     const struct mai_mapping_list *mappings, struct mai_summary *summary) {
  if (describe(array, node_count, summary) != 0)
    return -1;
  if (mai_summary_look(array, &summary->pages, summary->per_node, node_count) != 0)
    summary->look_error = errno;
  mai_summary_statistics(array, mappings, &summary->statistics);
  return 0;
}

/*===-- Arrays that have ended ---------------------------------------------===*/

static struct {
  struct minas_lock lock;
  size_t count;
  size_t forgotten;
  struct mai_summary list[MOST_REMEMBERED];
} ended = {.lock = MINAS_LOCK_INITIALISER};

/* To look takes longer than the rest of an array's end. */
static bool is_full(const struct mai_array *array) {
  minas_lock(&ended.lock);
  bool full = ended.count == MOST_REMEMBERED && !array->site;
  ended.forgotten += full;
  minas_unlock(&ended.lock);
  return full;
}

void mai_summary_take_name(struct mai_summary *summary) {
  const char *of_site = mai_site_name(summary->site);
  char *name = of_site && !summary->named ? minas_copy_text(of_site) : NULL;
  if (!name)
    return;
  minas_free(summary->name);
  summary->name = name;
  summary->named = true;
}

/* Freed blocks may have been one after the other. */
static void merge_sizes(struct mai_summary *summary, const struct mai_summary *other) {
  if (!summary->freed && !other->freed) {
    summary->bytes += other->bytes;
    summary->blocks_at_a_time += other->blocks_at_a_time;
  } else if (other->bytes > summary->bytes) {
    summary->bytes = other->bytes;
    summary->blocks_at_a_time = other->blocks_at_a_time;
  }
}

/* Before the moves are added up: who has not been moved has no times. */
static void merge_times(struct mai_account *account, const struct mai_account *other) {
  if (!other->moves)
    return;
  if (!account->moves || other->first_move < account->first_move)
    account->first_move = other->first_move;
  if (!account->moves || other->last_move > account->last_move)
    account->last_move = other->last_move;
}

/* What was seen of the first stands for all. */
static void merge_accounts(struct mai_account *account, const struct mai_account *other) {
  if (!account || !other)
    return;
  account->watches += other->watches;
  account->watched += other->watched;
  account->touches += other->touches;
  account->sampled += other->sampled;
  merge_times(account, other);
  account->moves += other->moves;
  account->moving = account->moving || other->moving;
  account->moved_pages += other->moved_pages;
  account->watch_seconds += other->watch_seconds;
  account->move_seconds += other->move_seconds;
  if (other->longest_wait > account->longest_wait)
    account->longest_wait = other->longest_wait;
  account->saved_seconds += other->saved_seconds;
  account->saved_a_second += other->saved_a_second;
}

void mai_summary_merge(struct mai_summary *summary, const struct mai_summary *other,
                       unsigned node_count) {
  struct mai_pages *pages = &summary->pages;
  pages->total += other->pages.total;
  pages->untouched += other->pages.untouched;
  pages->placed += other->pages.placed;
  pages->spilled += other->pages.spilled;
  pages->failed += other->pages.failed;
  merge_accounts(summary->account, other->account);
  summary->statistics.mappings += other->statistics.mappings;
  summary->statistics.moved_pages += other->statistics.moved_pages;
  summary->statistics.placing_seconds += other->statistics.placing_seconds;
  for (unsigned i = 0; i < node_count; i++)
    summary->per_node[i] += other->per_node[i];
  merge_sizes(summary, other);
  summary->blocks += other->blocks;
  summary->freed = summary->freed && other->freed;
  summary->start = NULL; /* pages lie in several places */
}

/* Whether blocks that have ended before, of the same site, stand for one, too. */
static bool merge(const struct mai_summary *summary) {
  bool merged = false;
  unsigned nodes = mai_summary_nodes();
  minas_lock(&ended.lock);
  for (size_t i = 0; i < ended.count && summary->site && !merged; i++) {
    merged = mai_summary_are_of_one(&ended.list[i], summary);
    if (merged)
      mai_summary_merge(&ended.list[i], summary, nodes);
  }
  minas_unlock(&ended.lock);
  return merged;
}

/* Whether there was room. */
static bool keep(const struct mai_summary *summary) {
  minas_lock(&ended.lock);
  bool full = ended.count == MOST_REMEMBERED;
  if (!full) {
    ended.list[ended.count] = *summary;
    ended.count++;
  }
  ended.forgotten += full;
  minas_unlock(&ended.lock);
  return !full;
}

void mai_summary_remember(const struct mai_array *array) {
  struct mai_summary summary;
  if (!mai_settings_report_wanted() || array->origin == MAI_ROW_OF_HEAP || is_full(array) ||
      mai_summary_make(array, mai_summary_nodes(), NULL, &summary) != 0)
    return;
  summary.freed = true;
  summary.start = NULL;
  if (merge(&summary) || !keep(&summary))
    mai_summary_free(&summary);
}

static int copy_summary(const struct mai_summary *from, unsigned node_count,
                        struct mai_summary *to) {
  *to = *from;
  to->name = minas_copy_text(from->name);
  to->alias = from->alias ? minas_copy_text(from->alias) : NULL;
  to->file = from->file ? minas_copy_text(from->file) : NULL;
  to->per_node = minas_copy(from->per_node, node_count * sizeof *to->per_node);
  to->account = copy_account(from->account);
  if (mai_policy_copy(&from->policy, &to->policy) == 0 && to->name && to->per_node &&
      (to->account || !from->account) && (to->file || !from->file))
    return 0;
  mai_summary_free(to);
  errno = ENOMEM;
  return -1;
}

size_t mai_summary_ended(size_t *forgotten) {
  minas_lock(&ended.lock);
  size_t count = ended.count;
  *forgotten = ended.forgotten;
  minas_unlock(&ended.lock);
  return count;
}

/* Texts of what is remembered stay as they are, and numbers make sense at any time: they are read
   without the lock. */
int mai_summary_copy_ended(size_t index, unsigned node_count, struct mai_summary *summary) {
  return copy_summary(&ended.list[index], node_count, summary);
}
