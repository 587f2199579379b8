/*===-- sites.c - places of the program that ask for blocks -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "sites.h"

#include <string.h>

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

/* Names of parameters: a function may be called for any block. */
enum { PARAMETERS = 1 << 10, MOST_PROBES = 8, RANK_OF_PARAMETERS = 2 };

static struct parameter {
  _Atomic(const char *) name;
  _Atomic(const struct mai_site *) site; /* the first whose blocks have this name */
  atomic_bool of_many;
} parameters[PARAMETERS];

static size_t hash_name(const char *name) {
  size_t hash = 0;
  for (; *name; name++)
    hash = hash * 31 + (unsigned char)*name;
  return hash;
}

/* The one of this name; or a free one; NULL where there is no room. */
static struct parameter *find_parameter(const char *name) {
  size_t first = hash_name(name);
  for (size_t probe = 0; probe < MOST_PROBES; probe++) {
    struct parameter *parameter = &parameters[(first + probe) % PARAMETERS];
    const char *found = atomic_load(&parameter->name);
    if (!found || strcmp(found, name) == 0)
      return parameter;
  }
  return NULL;
}

static void note_parameter(const char *name, const struct mai_site *site) {
  struct parameter *parameter = find_parameter(name);
  if (!parameter)
    return;
  if (!atomic_load(&parameter->name)) {
    atomic_store(&parameter->site, site);
    atomic_store(&parameter->name, minas_copy_text(name));
  } else if (atomic_load(&parameter->site) != site) {
    atomic_store(&parameter->of_many, true);
  }
}

bool mai_name_is_of_many(const char *name, unsigned rank) {
  const struct parameter *parameter =
      name && rank <= RANK_OF_PARAMETERS ? find_parameter(name) : NULL;
  return parameter && atomic_load(&parameter->of_many);
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

void mai_site_call(struct mai_site *site, const char *name, unsigned rank) {
  const char *known = atomic_load(&site->name);
  unsigned known_rank = atomic_load(&site->name_rank);
  if (rank <= RANK_OF_PARAMETERS)
    note_parameter(name, site);
  if (!known || rank > known_rank) {
    replace_name(site, name, rank);
  } else if (strcmp(known, name) == 0) {
    atomic_fetch_add(&site->named, 1);
  } else if (rank == known_rank) {
    atomic_store(&site->names_differ, true);
    atomic_store(&site->policy, NULL);
  }
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
