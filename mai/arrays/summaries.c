/*===-- summaries.c - where the pages of all arrays are ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "summaries.h"

#include <errno.h>

#include "lifetime.h"
#include "mai/memory/memory.h"
#include "runtime/heap.h"

/* The next element of a list that grows. */
static struct mai_summary *next_of(struct mai_summaries *summaries, size_t *capacity) {
  if (summaries->count == *capacity) {
    size_t larger = *capacity ? 2 * *capacity : 64;
    struct mai_summary *list = minas_resize(summaries->list, larger * sizeof *list);
    if (!list)
      return NULL;
    summaries->list = list;
    *capacity = larger;
  }
  return &summaries->list[summaries->count];
}

/* Blocks of a site have one line, or one for each name that regions have for them. */
static void merge_last(struct mai_summaries *summaries) {
  struct mai_summary *last = &summaries->list[summaries->count - 1];
  mai_summary_take_name(last);
  for (struct mai_summary *other = summaries->list; other < last && last->site; other++)
    if (mai_summary_are_of_one(other, last)) {
      mai_summary_merge(other, last, summaries->node_count);
      mai_summary_free(last);
      summaries->count--;
      return;
    }
}

static int copy_ended(struct mai_summaries *summaries, size_t *capacity) {
  size_t count = mai_summary_ended(&summaries->forgotten);
  for (size_t i = 0; i < count; i++) {
    struct mai_summary *summary = next_of(summaries, capacity);
    if (!summary || mai_summary_copy_ended(i, summaries->node_count, summary) != 0)
      return -1;
    summaries->count++;
    merge_last(summaries);
  }
  return 0;
}

static int add(const struct mai_array *array, const struct mai_mapping_list *mappings,
               struct mai_summaries *summaries, size_t *capacity) {
  struct mai_summary *summary = next_of(summaries, capacity);
  if (!summary || mai_summary_make(array, summaries->node_count, mappings, summary) != 0)
    return -1;
  summary->freed = array->site && mai_site_is_idle(array->site);
  summaries->count++;
  merge_last(summaries);
  return 0;
}

static int summarise_known(const struct mai_mapping_list *mappings, struct mai_summaries *summaries,
                           size_t *capacity) {
  const void *behind = NULL;
  struct mai_array *array;
  int result = 0;
  while (result == 0 && (array = mai_lifetime_hold_behind(behind, MAI_TO_LOOK))) {
    behind = (const void *)array->shape.start;
    if (array->origin != MAI_ROW_OF_HEAP)
      result = add(array, mappings, summaries, capacity);
    mai_registry_release(array);
  }
  return result;
}

int mai_summaries_make(struct mai_summaries *summaries) {
  struct mai_mapping_list mappings;
  size_t capacity = 0;
  *summaries = (struct mai_summaries){.node_count = mai_summary_nodes()};
  mai_memory_list_mappings(&mappings);
  int result =
      copy_ended(summaries, &capacity) == 0 ? summarise_known(&mappings, summaries, &capacity) : -1;
  minas_free(mappings.ends);
  if (result != 0)
    mai_summaries_free(summaries);
  return result;
}

void mai_summaries_free(struct mai_summaries *summaries) {
  int error = errno;
  for (size_t i = 0; i < summaries->count; i++)
    mai_summary_free(&summaries->list[i]);
  minas_free(summaries->list);
  *summaries = (struct mai_summaries){0};
  errno = error;
}
