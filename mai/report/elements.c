/*===-- elements.c - many elements of a container in a report ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "elements.h"

#include <stdint.h>
#include <string.h>

#include "describe.h"
#include "mai/policy/name_forms.h"
#include "runtime/heap.h"

enum { MOST_ALONE = 4, POLICY_TEXT = 256 };

/* Elements that have one name without brackets. */
struct group {
  char name[MAI_MOST_NAME_FORM];
  size_t count;
  struct mai_summary *first;
};

struct groups {
  struct group *list;
  size_t count;
};

/* What a placement decided while it runs has found is of each element by itself. */
static bool may_join(const struct mai_summary *summary) {
  return summary->site && summary->named && !summary->account &&
         strpbrk(summary->name, "[(") != NULL;
}

static bool have_one_policy(const struct mai_summary *one, const struct mai_summary *other) {
  char text[POLICY_TEXT], other_text[POLICY_TEXT];
  mai_describe_policy(one, text, sizeof text);
  mai_describe_policy(other, other_text, sizeof other_text);
  return strcmp(text, other_text) == 0;
}

static bool belongs_to(const struct mai_summary *summary, const char *name,
                       const struct group *group) {
  const struct mai_summary *first = group->first;
  return summary->site == first->site && summary->error == first->error &&
         summary->look_error == first->look_error && strcmp(name, group->name) == 0 &&
         have_one_policy(summary, first);
}

static struct group *find(struct groups *groups, const struct mai_summary *summary) {
  char name[MAI_MOST_NAME_FORM];
  mai_name_without_brackets(summary->name, name);
  for (size_t i = 0; i < groups->count; i++)
    if (belongs_to(summary, name, &groups->list[i]))
      return &groups->list[i];
  return NULL;
}

static void count_element(struct groups *groups, struct mai_summary *summary) {
  struct group *group = find(groups, summary);
  if (!group) {
    group = &groups->list[groups->count++];
    *group = (struct group){.first = summary};
    mai_name_without_brackets(summary->name, group->name);
  }
  group->count++;
}

static void leave_brackets_out(char **name) {
  char plain[MAI_MOST_NAME_FORM];
  char *copy;
  if (!*name)
    return;
  mai_name_without_brackets(*name, plain);
  copy = minas_copy_text(plain);
  if (!copy)
    return;
  minas_free(*name);
  *name = copy;
}

/* Freed elements have been there at the same time, but not more than their site has had. */
static void join(struct mai_summary *first, struct mai_summary *other, unsigned node_count) {
  size_t most_bytes = atomic_load(&first->site->bytes_most);
  size_t most_blocks = atomic_load(&first->site->live_most);
  size_t bytes = first->bytes + other->bytes;
  size_t blocks = first->blocks_at_a_time + other->blocks_at_a_time;
  mai_summary_merge(first, other, node_count);
  first->bytes = bytes < most_bytes ? bytes : most_bytes;
  first->blocks_at_a_time = blocks < most_blocks ? blocks : most_blocks;
  mai_summary_free(other);
}

/* Looks at all elements before it changes names, by which groups are found. */
static void join_all(struct mai_summaries *summaries, struct groups *groups) {
  size_t left = 0;
  for (size_t i = 0; i < summaries->count; i++) {
    struct mai_summary *summary = &summaries->list[i];
    struct group *group = may_join(summary) ? find(groups, summary) : NULL;
    if (group && group->count > MOST_ALONE && group->first != summary) {
      join(group->first, summary, summaries->node_count);
      continue;
    }
    if (group)
      group->first = &summaries->list[left];
    summaries->list[left++] = *summary;
  }
  summaries->count = left;
  for (size_t i = 0; i < groups->count; i++)
    if (groups->list[i].count > MOST_ALONE) {
      leave_brackets_out(&groups->list[i].first->name);
      leave_brackets_out(&groups->list[i].first->alias);
    }
}

void mai_elements_join(struct mai_summaries *summaries) {
  struct groups groups = {.list = minas_alloc_list(summaries->count, sizeof *groups.list)};
  if (!groups.list)
    return;
  for (size_t i = 0; i < summaries->count; i++)
    if (may_join(&summaries->list[i]))
      count_element(&groups, &summaries->list[i]);
  join_all(summaries, &groups);
  minas_free(groups.list);
}
