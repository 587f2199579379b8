/*===-- sites.c - who asks for a block --------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A site is found by its chain of calls, without a lock once it is known.  Its name, and the policy
 * for that, are worked out when it first asks.
 *
 * A policy may be meant for a site by several names: its key, the beginning of that, such as
 * "Grid::allocate" of "Grid::allocate<Grid::Grid<main", either with its order, and the place of the
 * call of malloc(), "malloc@FILE+0xOFFSET".  "rows of" in front of one of these, the policy is that
 * of the matrix whose rows its blocks are.
 */
#include "sites.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "callers/callers.h"
#include "callers/functions.h"
#include "callers/key.h"
#include "mai/arrays/overrides.h"
#include "mai/names/call_places.h"
#include "mai/policy/pattern.h"
#include "mai/process/settings.h"
#include "names/layout/layout.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

/*===-- The table ----------------------------------------------------------===*/

enum { SITES = 1 << 13, MOST_CHAINS = SITES / 2, MOST_SITES = SITES / 4 * 3 };

/* A site that has been found; the table never fills up: a quarter of it stays free. */
struct known {
  uint64_t hash;  /* of its calls */
  uint64_t key;   /* the hash of its key */
  unsigned order; /* 0: it has asked for smaller blocks alone than those by which sites count */
  uint64_t place; /* the hash of the lines that lead to it; 0: not known */
  struct minas_callers callers;
  struct run_site site;
};

static _Atomic(struct known *) table[SITES];
static atomic_size_t count;
static struct minas_lock lock = MINAS_LOCK_INITIALISER;

/* The place of a site in the table, or where it would be. */
static size_t place_of(uint64_t hash) {
  size_t at = hash % SITES;
  const struct known *known;
  while ((known = atomic_load_explicit(&table[at], memory_order_acquire)) && known->hash != hash)
    at = (at + 1) % SITES;
  return at;
}

typedef bool is_meant_t(const struct known *known, uint64_t hash);

static unsigned count_sites(is_meant_t *is_meant, uint64_t hash) {
  unsigned sites = 0;
  for (size_t i = 0; i < SITES; i++) {
    const struct known *known = atomic_load_explicit(&table[i], memory_order_relaxed);
    sites += known && is_meant(known, hash);
  }
  return sites;
}

static bool counts_with(const struct known *known, uint64_t key) {
  return known->key == key && known->order > 0;
}

static unsigned sites_of(uint64_t key) { return count_sites(counts_with, key); }

static bool is_at(const struct known *known, uint64_t place) { return known->place == place; }

/* Of allocations of one statement. */
static unsigned sites_at(uint64_t place) { return count_sites(is_at, place); }

static bool has_room(size_t most) {
  return atomic_load_explicit(&count, memory_order_relaxed) < most;
}

/* Whether it is to be known anew: it counts from now on. */
static bool begins_to_count(const struct known *known, bool counts) {
  return counts && known->order == 0;
}

/* Has a site known, unless another thread has been faster with it, or with another one of its
   order.  One that did not count yet is known anew; its blocks stay with the one before.
   @return whether that is settled: then `*known` is the site, or NULL without room */
static bool add(struct known *site, struct known **known) {
  minas_lock(&lock);
  size_t at = place_of(site->hash);
  *known = atomic_load_explicit(&table[at], memory_order_relaxed);
  bool is_new = !*known || begins_to_count(*known, site->order > 0);
  bool is_next = site->order == 0 || sites_of(site->key) + 1 == site->order;
  if (is_new && is_next && (*known || has_room(MOST_SITES))) {
    atomic_fetch_add_explicit(&count, *known ? 0 : 1, memory_order_relaxed);
    *known = site;
    atomic_store_explicit(&table[at], site, memory_order_release);
  }
  minas_unlock(&lock);
  return !is_new || is_next;
}

/*===-- Names --------------------------------------------------------------===*/

/* Functions that the user has named as allocators. */
static char *wrappers;

static bool is_wrapper(const char *name) {
  for (const char *at = wrappers; *at; at += strlen(at) + 1)
    if (mai_pattern_fits(at, name))
      return true;
  return false;
}

/* The names follow each other, each with a 0 behind it, and one of no characters. */
void run_sites_prepare(void) {
  const char *list = mai_settings()->wrappers;
  size_t length = list ? strlen(list) : 0;
  wrappers = list ? minas_alloc(length + 2) : NULL;
  if (!wrappers)
    return;
  memcpy(wrappers, list, length);
  for (char *comma = wrappers; (comma = strchr(comma, ','));)
    *comma++ = '\0';
  minas_functions_pass(is_wrapper);
}

enum {
  NAMES = 2 * MINAS_KEY_FUNCTIONS + 1,
  NAME_BYTES = MINAS_KEY_BYTES + 32,
  PLACE_BYTES = MINAS_NAMES_MOST_CALLS * (MINAS_NAMES_MOST_TEXT + 1) + 1
};

/* All that a site is called, behind what stands in front of each. */
struct names {
  const char *front;
  const char *list[NAMES];
  size_t count;
  char text[NAMES][NAME_BYTES];
};

static char *new_name(struct names *names) {
  char *text = names->text[names->count];
  names->list[names->count++] = text;
  *text = '\0';
  return text;
}

/* The first functions of a key.  The first site of a key goes by its order, too. */
static void add_part(struct names *names, const char *key, size_t length, unsigned order) {
  char *text = new_name(names);
  snprintf(text, NAME_BYTES, "%s%.*s", names->front, (int)length, key);
  minas_key_add_order(order, text, NAME_BYTES);
  if (order == 1)
    snprintf(new_name(names), NAME_BYTES, "%s%.*s#1", names->front, (int)length, key);
}

static void find_names(struct names *names, const char *key, unsigned order, uintptr_t code) {
  size_t length = strlen(key);
  size_t part = 0;
  for (unsigned functions = 1; part < length && functions <= MINAS_KEY_FUNCTIONS; functions++) {
    part = minas_key_part(key, functions);
    add_part(names, key, part, order);
  }
  char place[MINAS_FUNCTION_NAME];
  minas_function_place(code, place, sizeof place);
  snprintf(new_name(names), NAME_BYTES, "%smalloc@%s", names->front, place);
}

/*===-- Sites --------------------------------------------------------------===*/

/* What a site is called: its key, the lines that lead to it, without the orders behind both. */
struct called {
  char key[MINAS_KEY_BYTES];
  char place[PLACE_BYTES];
};

/* Names are long: they are not kept on a stack. */
static const mai_policy_t *find_policy(const char *front, const struct called *called,
                                       const struct known *site) {
  struct names *names = minas_alloc(sizeof *names);
  if (!names)
    return NULL;
  names->front = front;
  find_names(names, called->key, site->order, site->callers.code[0]);
  const mai_policy_t *policy = mai_override_for_site(&(struct mai_site_names){
      names->list, names->count, site->site.site.place, called->place, .of_rows = *front != '\0'});
  minas_free(names);
  return policy;
}

/* A policy for its blocks comes before one for the matrix that they are. */
static void set_policies(struct known *site, const struct called *called) {
  site->site.policy = find_policy("", called, site);
  const mai_policy_t *rows = site->site.policy ? NULL : find_policy(MAI_ROWS_OF, called, site);
  char text[MAI_POLICY_EXPLAINED];
  if (rows && mai_policy_format(rows, text, sizeof text) < (int)sizeof text)
    site->site.row_policy = minas_copy_text(text);
}

/* The lines that lead to it, with its number among those where it has been known first. */
static void set_place(struct known *site, const struct called *called, char *place, size_t size) {
  const struct known *before =
      atomic_load_explicit(&table[place_of(site->hash)], memory_order_acquire);
  site->place = minas_key_hash(called->place);
  if (before)
    snprintf(place, size, "%s", before->site.site.place);
  else
    minas_key_add_order(sites_at(site->place) + 1, place, size);
}

/* A site whose key and lines are the texts behind it. */
static struct known *describe(const struct called *called, const struct minas_callers *callers,
                              bool counts) {
  enum { MOST_ORDER = 16 };
  size_t key_size = strlen(called->key) + MOST_ORDER;
  size_t place_size = strlen(called->place) + MOST_ORDER;
  struct known *site = minas_alloc(sizeof *site + key_size + place_size);
  if (!site)
    return NULL;
  char *key = memcpy(site + 1, called->key, strlen(called->key) + 1);
  char *place = memcpy(key + key_size, called->place, strlen(called->place) + 1);
  site->callers = *callers;
  site->hash = minas_callers_hash(callers);
  site->key = minas_key_hash(called->key);
  site->order = counts ? sites_of(site->key) + 1 : 0;
  minas_key_add_order(site->order, key, key_size);
  if (*place)
    set_place(site, called, place, place_size);
  site->site.site.key = key;
  site->site.site.place = place;
  set_policies(site, called);
  return site;
}

static struct known *make(const struct minas_callers *callers, bool counts) {
  struct called called;
  struct known *site, *known = NULL;
  bool settled = false;
  minas_key_make(callers, called.key, sizeof called.key);
  mai_call_places(callers->code, callers->count, called.place, sizeof called.place);
  while (!settled && (site = describe(&called, callers, counts))) {
    settled = add(site, &known);
    if (known != site) {
      minas_free((void *)site->site.row_policy);
      minas_free(site);
    }
  }
  return known;
}

/* Sites that have asked lately, one for each end of a hash. */
enum { LATEST = 64 };

static _Atomic(struct known *) latest[LATEST];

static struct known *find_latest(struct minas_caller caller) {
  for (size_t i = 0; i < LATEST; i++) {
    struct known *known = atomic_load_explicit(&latest[i], memory_order_acquire);
    if (known && minas_callers_are(&known->callers, caller.code, caller.stack))
      return known;
  }
  return NULL;
}

static struct known *find_known(const struct minas_callers *callers) {
  size_t at = place_of(minas_callers_hash(callers));
  return atomic_load_explicit(&table[at], memory_order_acquire);
}

/* How many chains have led to a place that calls malloc(), or to some of such places. */
enum { CROWDS = 1 << 10, MOST_OF_A_PLACE = 1 << 8 };

static atomic_uint chains_to[CROWDS];

static atomic_uint *crowd_of(uintptr_t code) {
  return &chains_to[code * UINT64_C(0x9e3779b97f4a7c15) >> 54 & (CROWDS - 1)];
}

/* Programs have allocators that all of them calls: these are sites then, whoever calls them, and no
   calls are followed. */
static bool is_crowded(uintptr_t code) {
  return !has_room(MOST_CHAINS) ||
         atomic_load_explicit(crowd_of(code), memory_order_relaxed) >= MOST_OF_A_PLACE;
}

static struct known *find_place(uintptr_t code, bool counts) {
  struct minas_callers callers = {.count = 1, .code[0] = code};
  struct known *known = find_known(&callers);
  if (known ? begins_to_count(known, counts) : has_room(MOST_SITES))
    known = make(&callers, counts);
  return known;
}

/* By following the calls. */
static struct known *find_chain(struct minas_caller caller, bool counts) {
  struct minas_callers callers;
  minas_callers_find(caller.code, &callers);
  struct known *known = find_known(&callers);
  if (known && begins_to_count(known, counts))
    known = make(&callers, counts);
  else if (!known && (known = make(&callers, counts)))
    atomic_fetch_add_explicit(crowd_of(callers.code[0]), 1, memory_order_relaxed);
  if (known)
    atomic_store_explicit(&latest[known->hash % LATEST], known, memory_order_release);
  return known;
}

struct run_site *run_site_of(struct minas_caller caller, bool counts) {
  uintptr_t code = (uintptr_t)caller.code;
  struct known *known = NULL;
  if (is_crowded(code))
    known = find_place(code, counts);
  else if (!(known = find_latest(caller)) || begins_to_count(known, counts))
    known = find_chain(caller, counts);
  return known ? &known->site : NULL;
}
