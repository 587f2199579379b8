/*===-- block_names.c - what regions and threads call blocks ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "block_names.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mai/arrays/arrays.h"
#include "mai/arrays/lifetime.h"
#include "mai/arrays/overrides.h"
#include "mai/arrays/registry.h"
#include "mai/process/call.h"
#include "mai/process/message.h"
#include "mai/process/restrictions.h"
#include "mai/process/settings.h"
#include "mai/threads/created.h"
#include "mai/threads/regions.h"
#include "names/walk/walk.h"
#include "objects.h"
#include "runtime/heap.h"
#include "runtime/own_memory.h"
#include "runtime/system.h"

/*===-- One block ----------------------------------------------------------===*/

/* A pointer that the program has to a block, and what it calls that. */
struct sight {
  const struct minas_names_sight *seen;
  unsigned rank;
  uintptr_t start; /* of the block */
};

/* Memory that is aligned by hand, or begins with the number of its elements, is used from a little
   behind its begin on.  What is further behind is a part of the block. */
enum { MOST_BEFORE = 4096 };

/* Whether that says more than what the block is called so far. */
static bool says_more(const struct mai_array *array, void *context) {
  struct sight *sight = context;
  sight->start = array->shape.start;
  uintptr_t offset = sight->seen->pointer - sight->start;
  if (offset > 0)
    sight->rank = MINAS_NAMES_INSIDE;
  return array->origin == MAI_BLOCK_OF_HEAP && offset < MOST_BEFORE &&
         sight->rank > array->name_rank;
}

/* What is inside of a block is not what the block is. */
static char *other_names(const struct sight *sight) {
  char forms[MINAS_NAMES_FORMS];
  minas_names_other_forms(sight->seen, forms);
  return *forms && sight->rank != MINAS_NAMES_INSIDE ? minas_copy_text(forms) : NULL;
}

static void rename_block(struct mai_array *array, const struct sight *sight) {
  struct mai_array renamed = *array;
  char *before = array->name;
  char *others_before = array->other_names;
  renamed.name = minas_copy_text(sight->seen->name);
  renamed.name_rank = sight->rank;
  if (!renamed.name)
    return;
  renamed.other_names = other_names(sight);
  mai_registry_update(array, &renamed);
  minas_free(before);
  minas_free(others_before);
  if (array->site)
    mai_site_call(array);
}

/* The blocks that have got other names. */
enum { MOST_RENAMED = 1 << 12 };

struct renamed {
  size_t count;
  uintptr_t starts[MOST_RENAMED];
};

static void note(struct renamed *renamed, uintptr_t start) {
  if (renamed->count < MOST_RENAMED)
    renamed->starts[renamed->count++] = start;
}

/* Two functions call a block after parameters of theirs, and differently. */
static bool disagrees(const struct mai_array *array, const struct sight *sight) {
  return sight->rank == MINAS_NAMES_PARAMETER && array->name_rank == sight->rank &&
         strcmp(array->name, sight->seen->name) != 0;
}

/* Whether a look at it is of use. */
static bool is_news(const struct mai_array *array, void *context) {
  return says_more(array, context) || disagrees(array, context);
}

static void see(const struct minas_names_sight *seen, void *renamed) {
  struct sight sight = {seen, seen->rank, 0};
  if (!mai_registry_look(seen->pointer, seen->pointer + 1, is_news, &sight))
    return;
  struct mai_array *array = mai_registry_hold((const void *)sight.start);
  if (!array)
    return;
  if (says_more(array, &sight) ||
      (disagrees(array, &sight) && mai_site_calls_better(array, seen->name))) {
    rename_block(array, &sight);
    note(renamed, sight.start);
  }
  mai_registry_release(array);
}

/*===-- Policies by these names --------------------------------------------===*/

enum { MOST_FORMS = 16 };

/* The first is what it is called.  @param lines room for the others */
static size_t list_forms(const struct mai_array *array, char lines[MINAS_NAMES_FORMS],
                         const char *forms[MOST_FORMS]) {
  size_t count = 1;
  forms[0] = array->name;
  snprintf(lines, MINAS_NAMES_FORMS, "%s", array->other_names ? array->other_names : "");
  for (char *line = lines; line && *line && count < MOST_FORMS;) {
    forms[count++] = line;
    line = strchr(line, '\n');
    if (line)
      *line++ = '\0';
  }
  return count;
}

static const mai_policy_t *policy_for(const struct mai_array *array) {
  char lines[MINAS_NAMES_FORMS];
  const char *forms[MOST_FORMS];
  size_t count = list_forms(array, lines, forms);
  return mai_override_for_any(forms, count);
}

/* Other threads of the program may use the block meanwhile. */
static void place(struct mai_array *array) {
  struct mai_moves moves = {0};
  const mai_policy_t *policy = policy_for(array);
  if (policy && array->site)
    mai_site_place_by(array->site, policy);
  if (policy && mai_array_place_anew(array, policy, true, &moves) != 0)
    mai_message("block '%s' is not placed: %s", array->name, strerrordesc_np(errno));
}

static void place_renamed(const struct renamed *renamed) {
  for (size_t i = 0; i < renamed->count; i++) {
    struct mai_array *array = mai_lifetime_hold((const void *)renamed->starts[i], MAI_TO_CHANGE);
    if (!array)
      continue;
    if (array->origin == MAI_BLOCK_OF_HEAP)
      place(array);
    mai_registry_release(array);
  }
}

/*===-- When ---------------------------------------------------------------===*/

/* A region's function. */
struct region {
  _Atomic uintptr_t body;
  atomic_ulong due; /* when so many blocks have come */
  atomic_uint walks;
};

enum { REGIONS = 1 << 10, MOST_PROBES = 16, AT_FIRST = 3, OFTEN = 8 };

static struct region regions[REGIONS];
static atomic_bool walking;

/* NULL: there are too many. */
static struct region *region_of(uintptr_t body) {
  size_t first = body * UINT64_C(0x9e3779b97f4a7c15) >> 54;
  for (size_t probe = 0; probe < MOST_PROBES; probe++) {
    struct region *region = &regions[(first + probe) % REGIONS];
    uintptr_t found = atomic_load_explicit(&region->body, memory_order_relaxed);
    if (found == body ||
        (found == 0 &&
         (atomic_compare_exchange_strong(&region->body, &found, body) || found == body)))
      return region;
  }
  return NULL;
}

/* What a function is called for next tells whether its names mean one block each.  Programs that
   allocate in each step would be followed for ever. */
static void set_due(struct region *region, unsigned long blocks) {
  unsigned walks = atomic_fetch_add_explicit(&region->walks, 1, memory_order_relaxed);
  unsigned long due = walks < OFTEN ? blocks + 1 : 2 * blocks;
  atomic_store_explicit(&region->due, walks < AT_FIRST ? blocks : due, memory_order_relaxed);
}

static void walk(uintptr_t body, const void *base) {
  struct renamed *renamed = minas_alloc(sizeof *renamed);
  if (!renamed)
    return;
  for (const struct mai_names_object *each = mai_names_objects;
       each < mai_names_objects + mai_names_object_count; each++)
    minas_names_walk(&each->names, minas_names_region(&each->names, body - each->bias),
                     (uintptr_t)base, each->bias, see, renamed);
  if (mai_overrides_exist())
    place_renamed(renamed);
  minas_free(renamed);
}

static void watch(const void *body, const void *base) {
  struct region *region = region_of((uintptr_t)body);
  unsigned long blocks = mai_registry_blocks();
  if (!region || blocks < atomic_load_explicit(&region->due, memory_order_relaxed) || blocks == 0 ||
      mai_call_is_inside() || mai_is_restricted() || atomic_exchange(&walking, true))
    return;
  MAI_CALL;
  int error = errno;
  set_due(region, blocks);
  walk((uintptr_t)body, base);
  atomic_store(&walking, false);
  errno = error;
}

/*===-- Threads of the program's own ---------------------------------------===*/

static bool is_known(uintptr_t body) {
  for (size_t i = 0; i < mai_names_object_count; i++)
    if (minas_names_region(&mai_names_objects[i].names, body - mai_names_objects[i].bias))
      return true;
  return false;
}

/* What an object does by the third of its virtual functions, behind two destructors; 0: it need not
   be one. */
static uintptr_t third_function(int memory, uintptr_t object) {
  uintptr_t table;
  uintptr_t function;
  return minas_own_memory_read(memory, object, &table, sizeof table) &&
                 minas_own_memory_read(memory, table + 2 * sizeof function, &function,
                                       sizeof function)
             ? function
             : 0;
}

/* std::thread has all threads begin with one function, which calls one of the object that it
   gets. */
static uintptr_t function_of(const struct mai_created *created) {
  MAI_CALL;
  int error = errno;
  int memory = minas_own_memory_open();
  uintptr_t function = memory < 0 ? 0 : third_function(memory, (uintptr_t)created->argument);
  if (memory >= 0)
    minas_close(memory);
  errno = error;
  return is_known(function) ? function : (uintptr_t)created->start;
}

/* Where a thread's function is not known, static variables lead to blocks all the same. */
static void watch_thread(const struct mai_created *created) {
  if (mai_registry_blocks() > 0 && !mai_is_restricted())
    watch((const void *)function_of(created), created->argument);
}

/*===-- Beginning ------------------------------------------------------------===*/

/* mai-run has no tables made but for these. */
static bool names_are_of_use(void) {
  const struct mai_settings *settings = mai_settings();
  return settings->report || settings->policy || settings->dynamic;
}

void mai_block_names_begin(void) {
  MAI_CALL;
  mai_names_objects_open(mai_settings()->names);
  if (names_are_of_use())
    mai_names_objects_open_carried();
  if (mai_names_object_count == 0)
    return;
  mai_regions_watch(watch);
  mai_created_watch(watch_thread);
}

bool mai_block_names_wanted(void) { return mai_names_object_count > 0; }

/*===-- Static arrays ------------------------------------------------------===*/

static const struct minas_names_variable *variable_of(const struct minas_names *names, uint32_t i) {
  return &names->variables[names->header->variables + i];
}

static const char *name_in(const struct mai_names_object *object, uintptr_t start) {
  const struct minas_names *names = &object->names;
  for (uint32_t i = 0; i < names->header->statics; i++) {
    const struct minas_names_variable *each = variable_of(names, i);
    if (each->type == 0 && each->bytes == 0 && object->bias + each->offset == start)
      return names->texts + each->name;
  }
  return NULL;
}

static const char *name_static(uintptr_t start) {
  const char *name = NULL;
  for (size_t i = 0; i < mai_names_object_count && !name; i++)
    name = name_in(&mai_names_objects[i], start);
  return name;
}

static void visit_held_in(const struct mai_names_object *object, uintptr_t start, size_t bytes,
                          mai_symbol_visitor *visit) {
  const struct minas_names *names = &object->names;
  for (uint32_t i = 0; i < names->header->statics; i++) {
    const struct minas_names_variable *each = variable_of(names, i);
    uintptr_t within = object->bias + each->offset - start;
    if (each->bytes > 0 && within < bytes && each->bytes <= bytes - within)
      visit(names->texts + each->name, start + within, each->bytes);
  }
}

static void visit_held(uintptr_t start, size_t bytes, mai_symbol_visitor *visit) {
  for (size_t i = 0; i < mai_names_object_count; i++)
    visit_held_in(&mai_names_objects[i], start, bytes, visit);
}

const struct mai_static_names mai_block_names_static = {name_static, visit_held};
