/*===-- sites.c - places of the program that ask for blocks -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "sites.h"

#include <string.h>

#include "names/layout/layout.h"
#include "registry.h"
#include "runtime/heap.h"

static void grow(atomic_size_t *now, atomic_size_t *most, size_t amount) {
  size_t sum = atomic_fetch_add_explicit(now, amount, memory_order_relaxed) + amount;
  size_t before = atomic_load_explicit(most, memory_order_relaxed);
  while (before < sum && !atomic_compare_exchange_weak(most, &before, sum))
    ;
}

void mai_site_begin(struct mai_site *site, size_t bytes) {
  atomic_fetch_add_explicit(&site->blocks, 1, memory_order_relaxed);
  grow(&site->live, &site->live_most, 1);
  grow(&site->bytes, &site->bytes_most, bytes);
}

void mai_site_end(struct mai_site *site, size_t bytes) {
  if (!site)
    return;
  atomic_fetch_sub_explicit(&site->live, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&site->bytes, bytes, memory_order_relaxed);
}

/*===-- Names --------------------------------------------------------------===*/

/* Names that functions have, each with the last block that has got it. */
enum { NAMES = 1 << 12, MOST_PROBES = 8 };

static struct name {
  _Atomic(const char *) text;
  const struct mai_site *site;
  uintptr_t block;
  atomic_bool of_many;
} names[NAMES];

static bool is_of_function(unsigned rank) { return rank < MINAS_NAMES_MEMBER; }

static size_t hash_text(const char *text) {
  size_t hash = 0;
  for (; *text; text++)
    hash = hash * 31 + (unsigned char)*text;
  return hash;
}

/* The one of this text; or a free one; NULL where there is no room. */
static struct name *find_name(const char *text) {
  size_t first = hash_text(text);
  for (size_t probe = 0; probe < MOST_PROBES; probe++) {
    struct name *name = &names[(first + probe) % NAMES];
    const char *found = atomic_load(&name->text);
    if (!found || strcmp(found, text) == 0)
      return name;
  }
  return NULL;
}

static struct name *take_name(const char *text) {
  struct name *name = find_name(text);
  if (name && !atomic_load(&name->text))
    atomic_store(&name->text, minas_copy_text(text));
  return name;
}

static bool is_still_there(const struct mai_array *array, void *context) {
  const struct name *name = context;
  return array->shape.start == name->block && array->site == name->site;
}

/* A member is allocated anew elsewhere when it grows; then the block of before is gone. */
static void note_name(const char *text, const struct mai_array *block) {
  struct name *name = take_name(text);
  if (!name)
    return;
  if (name->block && name->site != block->site &&
      mai_registry_look(name->block, name->block + 1, is_still_there, name))
    atomic_store(&name->of_many, true);
  name->site = block->site;
  name->block = block->shape.start;
}

bool mai_name_is_of_many(const char *text, unsigned rank) {
  const struct name *name = text && is_of_function(rank) ? find_name(text) : NULL;
  return name && atomic_load(&name->of_many);
}

bool mai_site_calls_better(const struct mai_array *block, const char *name) {
  note_name(name, block);
  return mai_name_is_of_many(block->name, block->name_rank) &&
         !mai_name_is_of_many(name, block->name_rank);
}

/* Other threads may still read a name that is replaced: it stays. */
static void replace_name(struct mai_site *site, const char *name, unsigned rank) {
  const char *copy = minas_copy_text(name);
  if (!copy)
    return;
  atomic_store(&site->name, copy);
  atomic_store(&site->name_rank, rank);
  atomic_store(&site->named, 1);
  atomic_store(&site->names_differ, false);
  atomic_store(&site->policy, NULL);
}

static void call(struct mai_site *site, const char *name, unsigned rank) {
  const char *known = atomic_load(&site->name);
  unsigned known_rank = atomic_load(&site->name_rank);
  bool is_better = !known || rank > known_rank || mai_name_is_of_many(known, known_rank);
  if (known && rank <= known_rank && strcmp(known, name) == 0) {
    atomic_fetch_add(&site->named, 1);
  } else if (is_better) {
    replace_name(site, name, rank);
  } else if (rank == known_rank) {
    atomic_store(&site->names_differ, true);
    atomic_store(&site->policy, NULL);
  }
}

void mai_site_call(const struct mai_array *block) {
  if (is_of_function(block->name_rank))
    note_name(block->name, block);
  call(block->site, block->name, block->name_rank);
}

const char *mai_site_name(const struct mai_site *site) {
  const char *name = site && !atomic_load(&site->names_differ) ? atomic_load(&site->name) : NULL;
  return name && !mai_name_is_of_many(name, atomic_load(&site->name_rank)) ? name : NULL;
}

bool mai_site_has_names(const struct mai_site *site) {
  return site && atomic_load(&site->names_differ);
}

void mai_site_place_by(struct mai_site *site, const mai_policy_t *policy) {
  enum { SURE = 2 };
  if (mai_site_name(site) && atomic_load(&site->named) >= SURE)
    atomic_store(&site->policy, policy);
}
