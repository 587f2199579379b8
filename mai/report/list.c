/*===-- list.c - what a program has of arrays and blocks --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "list.h"

#include <stdlib.h>
#include <string.h>

#include "callers/key.h"
#include "describe.h"
#include "mai/arrays/blocks.h"

/* Those of one size stay in their order; a list is short, and sorted once. */
static void sort(struct mai_summaries *summaries) {
  for (size_t i = 1; i < summaries->count; i++) {
    struct mai_summary moved = summaries->list[i];
    size_t at = i;
    for (; at > 0 && mai_describe_size(&summaries->list[at - 1]) < mai_describe_size(&moved); at--)
      summaries->list[at] = summaries->list[at - 1];
    summaries->list[at] = moved;
  }
}

static int name_width(const struct mai_summaries *summaries) {
  size_t width = 4;
  for (size_t i = 0; i < summaries->count; i++) {
    size_t length = strlen(summaries->list[i].name);
    width = length > width && length < 60 ? length : width;
  }
  return (int)width;
}

static void write_line(struct minas_text *out, const struct mai_summary *array, int width) {
  const struct mai_site *site = array->site;
  char size[32];
  mai_describe_bytes(mai_describe_size(array), size, sizeof size);
  minas_text_add(out, "%-*s %10s %8zu %9zu  %s", width, array->name, size,
                 mai_describe_blocks(array), mai_describe_blocks_at_a_time(array),
                 site ? site->key : mai_describe_origin(array->origin));
  if (site && *site->place)
    minas_text_add(out, " at %s", site->place);
  if (array->alias)
    minas_text_add(out, "  also %s", array->alias);
  minas_text_add_char(out, '\n');
}

/* Whoever misses a name is told how to see it. */
static void write_left_out(struct minas_text *out) {
  struct mai_small_blocks small = mai_small_blocks();
  char from[32], below[32];
  if (small.count == 0)
    return;
  mai_describe_bytes(MINAS_SITE_BYTES, from, sizeof from);
  mai_describe_bytes(small.below, below, sizeof below);
  minas_text_add(out, "not listed: %zu block%s of %s to %s: mai-run -s %d lists them\n",
                 small.count, small.count == 1 ? "" : "s", from, below, MINAS_SITE_BYTES);
}

void mai_list_write(struct minas_text *out, struct mai_summaries *summaries) {
  int width = name_width(summaries);
  sort(summaries);
  minas_text_add(out, "%-*s %10s %8s %9s  %s\n", width, "name", "size", "blocks", "at a time",
                 "site");
  for (size_t i = 0; i < summaries->count; i++)
    write_line(out, &summaries->list[i], width);
  write_left_out(out);
}
