/*===-- placing.c - places the blocks of allocators -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "placing.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "callers/key.h"
#include "mai/arrays/blocks.h"
#include "mai/arrays/overrides.h"
#include "mai/names/block_names.h"
#include "mai/process/restrictions.h"
#include "mai/process/settings.h"
#include "pads.h"

enum {
  DEFAULT_LEAST_BYTES = 1 << 20,
  LEAST_BYTES_OF_FILE = 1 << 13, /* for policies in a file */
  LEAST_ROW = 1 << 9             /* where rows were small that were counted */
};

atomic_bool run_has_begun;
atomic_size_t run_known_from;
_Thread_local uintptr_t run_asked_from __attribute__((tls_model("initial-exec")));

/* Smaller ones are left alone. */
static atomic_size_t placed_from = SIZE_MAX;
/* Sites of smaller blocks do not count in the order of sites. */
static atomic_size_t counted_from = SIZE_MAX;
static size_t page_size;

/*===-- Placing blocks -----------------------------------------------------===*/

static bool has_whole_page(const void *block, size_t bytes) {
  uintptr_t start = (uintptr_t)block;
  uintptr_t first = (start + page_size - 1) / page_size * page_size;
  return start + bytes >= first + page_size;
}

static bool wants_all(void) { return mai_settings()->list || mai_block_names_wanted(); }

/* A list of blocks has all, which then stay where they are.  Where parallel regions name blocks,
   all are known. */
static const mai_policy_t *policy_of(const struct run_site *site) {
  static const mai_policy_t first_touch = MAI_FIRST_TOUCH;
  const mai_policy_t *policy = site->policy ? site->policy : atomic_load(&site->site.policy);
  if (mai_settings()->list)
    policy = NULL;
  return policy || !wants_all() ? policy : &first_touch;
}

/* Rows may be small. */
static bool is_of_rows(const struct run_site *site) {
  return site->row_policy && !mai_settings()->list;
}

/* To find it asks the system, where nobody knows the place yet. */
struct run_site *run_find_site(size_t bytes, struct minas_caller caller) {
  if (mai_is_restricted())
    return NULL;
  MAI_CALL;
  int error = errno;
  bool counts = bytes >= atomic_load_explicit(&counted_from, memory_order_relaxed);
  struct run_site *site = run_site_of(caller, counts);
  errno = error;
  bool is_row = site && is_of_rows(site);
  size_t least = atomic_load_explicit(&placed_from, memory_order_relaxed);
  if (bytes < least && !is_row) {
    if (counts)
      mai_leave_small_block(least);
    return NULL;
  }
  mai_overrides_matter();
  return is_row || (site && policy_of(site)) ? site : NULL;
}

/* The blocks of a site as the rows of a matrix, placed when a region is opened.  They are not kept,
   so that libmai, which is behind us, hears of their ends. */
static void add_row(struct run_site *site, void *block, size_t bytes) {
  const struct mai_block how = {
      .name = site->site.key, .file = "mai-run", .policy = site->row_policy};
  mai_place_next_row(block, bytes, &how);
}

enum { LEAST_PAGES = 4, MOST_PAGES = 32 };

/* Parts for threads begin with pages where the block does.  Of longer blocks the pages that hold
   two parts are few, and shorter ones have no page for each node of several. */
static bool is_short_block(const struct run_site *site, size_t bytes) {
  const mai_policy_t *policy = policy_of(site);
  return policy && policy->kind == MAI_POLICY_BLOCK && bytes >= LEAST_PAGES * page_size &&
         bytes < MOST_PAGES * page_size;
}

/* Rows of some hundred bytes for each thread would all lie on one page. */
static bool is_short_row(const struct run_site *site, size_t bytes) {
  return is_of_rows(site) && bytes < LEAST_PAGES * page_size;
}

void *run_ask_at_page(const struct run_site *site, size_t bytes, size_t alignment) {
  if (!site || !alignment || page_size % alignment)
    return NULL;
  bool is_row = is_short_row(site, bytes);
  if (!is_row && (is_of_rows(site) || !is_short_block(site, bytes)))
    return NULL;
  int error = errno;
  void *block = run_pads_ask(bytes, page_size, is_row ? RUN_PADS_OF_ROW : RUN_PADS_OF_BLOCK);
  errno = error;
  return block;
}

/* One that is only known is not kept: what comes next would not be touched first where it is. */
void *run_place(void *block, size_t bytes, struct run_site *site,
                const struct run_allocator *allocator) {
  if (block && site && is_of_rows(site)) {
    add_row(site, block, bytes);
    return block;
  }
  if (!block || !site || !has_whole_page(block, bytes))
    return block;
  MAI_CALL;
  int error = errno;
  const mai_policy_t *policy = policy_of(site);
  if (mai_place_block_of(&site->site, block, bytes, policy) &&
      policy->kind != MAI_POLICY_FIRST_TOUCH)
    run_recycle_note(site, block, bytes, allocator);
  errno = error;
  return block;
}

void run_place_mapping(void *mapping, size_t bytes, struct run_site *site) {
  MAI_CALL;
  int error = errno;
  const mai_policy_t *policy = policy_of(site);
  if (policy)
    mai_place_block_of(&site->site, mapping, bytes, policy);
  errno = error;
}

void *run_take(struct run_site *site, size_t bytes, size_t alignment,
               const struct run_allocator *allocator) {
  bool is_power = alignment && (alignment & (alignment - 1)) == 0; /* others are refused */
  return site && is_power ? run_recycle_take(site, bytes, alignment, allocator) : NULL;
}

int run_align_into(run_align_into_t *allocate, void **block, size_t alignment, size_t bytes,
                   struct minas_caller caller, const struct run_allocator *allocator) {
  struct run_site *site = run_site_for(bytes, caller);
  void *kept = alignment % sizeof(void *) == 0 ? run_take(site, bytes, alignment, allocator) : NULL;
  int error = 0;
  if (kept)
    *block = kept;
  else
    do
      error = RUN_ASK(bytes, allocate(block, alignment, bytes));
    while (error == ENOMEM && run_recycle_release());
  if (!kept && error == 0)
    run_place(*block, bytes, site, allocator);
  return error;
}

/*===-- From which size on --------------------------------------------------===*/

/* Policies in files are for blocks that are known, and of runs that may have been smaller. */
static size_t default_least_bytes(void) {
  const char *policies = mai_settings()->policy;
  return policies && *policies == '@' ? LEAST_BYTES_OF_FILE : DEFAULT_LEAST_BYTES;
}

static size_t least_bytes(void) {
  const char *text = mai_settings()->least_size;
  char *end;
  unsigned long long bytes = text ? strtoull(text, &end, 10) : 0;
  if (text && *text && *end == '\0')
    return bytes;
  return default_least_bytes();
}

void run_placing_begin(void) {
  bool places = mai_overrides_exist() || wants_all();
  size_t least = places ? least_bytes() : SIZE_MAX;
  page_size = (size_t)sysconf(_SC_PAGESIZE);
  if (places)
    run_pads_begin();
  size_t counted = !places || least < MINAS_SITE_BYTES ? least : MINAS_SITE_BYTES;
  bool has_small_rows = counted > LEAST_ROW && mai_overrides_have_small_rows();
  atomic_store(&placed_from, least);
  atomic_store(&counted_from, counted);
  atomic_store(&run_known_from, has_small_rows ? LEAST_ROW : counted);
  atomic_store(&run_has_begun, true);
}
