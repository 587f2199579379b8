/*===-- names.c - how blocks are called in reports --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "names.h"

#include <string.h>

#include "callers/key.h"
#include "runtime/heap.h"
#include "runtime/text.h"

static const char *order_of(const char *key) {
  const char *order = strrchr(key, '#');
  return order ? order : "";
}

/* Whether two keys have the same first functions, and the same order. */
static bool are_alike(const char *key, const char *other, unsigned functions) {
  size_t length = minas_key_part(key, functions);
  return length == minas_key_part(other, functions) && memcmp(key, other, length) == 0 &&
         strcmp(order_of(key), order_of(other)) == 0;
}

static bool is_unique(const struct mai_summaries *summaries, const struct mai_site *site,
                      unsigned functions) {
  for (size_t i = 0; i < summaries->count; i++) {
    const struct mai_site *other = summaries->list[i].site;
    if (other && other != site && are_alike(site->key, other->key, functions))
      return false;
  }
  return true;
}

/* @return a text to be freed; NULL without memory */
static char *short_name(const struct mai_summaries *summaries, const struct mai_site *site) {
  struct minas_text name = {0};
  unsigned functions = 1;
  while (functions < MINAS_KEY_FUNCTIONS && !is_unique(summaries, site, functions))
    functions++;
  minas_text_add(&name, "%.*s%s", (int)minas_key_part(site->key, functions), site->key,
                 order_of(site->key));
  return name.bytes;
}

void mai_names_shorten(struct mai_summaries *summaries) {
  for (size_t i = 0; i < summaries->count; i++) {
    struct mai_summary *summary = &summaries->list[i];
    char *name = summary->site && !summary->named ? short_name(summaries, summary->site) : NULL;
    if (!name)
      continue;
    minas_free(summary->name);
    summary->name = name;
  }
}
