/*===-- registry.c - the arrays that MAi knows -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "registry.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "machine.h"
#include "next_touch.h"
#include "replicas.h"

enum { MOST_REMEMBERED = 1024, LOOK_BATCH = 4096 };

static struct {
  pthread_mutex_t lock;
  struct mai_array **arrays; /* ascending by start */
  size_t count;
  size_t capacity;
  struct mai_summary *freed;
  size_t freed_count;
  size_t forgotten;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

void mai_registry_lock(void) { pthread_mutex_lock(&registry.lock); }
bool mai_registry_try_lock(void) { return pthread_mutex_trylock(&registry.lock) == 0; }
void mai_registry_unlock(void) { pthread_mutex_unlock(&registry.lock); }

/* A child of fork() must not find the lock held by a thread that it does not have. */
__attribute__((constructor)) static void survive_fork(void) {
  pthread_atfork(mai_registry_lock, mai_registry_unlock, mai_registry_unlock);
}

static void name_by_address(uintptr_t start, char *name, size_t size) {
  snprintf(name, size, "array@0x%" PRIxPTR, start);
}

struct mai_array *mai_array_new(const char *name, const void *start) {
  char by_address[32];
  name_by_address((uintptr_t)start, by_address, sizeof by_address);
  struct mai_array *array = calloc(1, sizeof *array);
  if (!array)
    return NULL;
  array->name = strdup(name ? name : by_address);
  if (array->name)
    return array;
  free(array);
  return NULL;
}

bool mai_array_is_nameless(const struct mai_array *array) {
  char by_address[32];
  name_by_address(array->shape.start, by_address, sizeof by_address);
  return strcmp(array->name, by_address) == 0;
}

void mai_array_delete(struct mai_array *array) {
  if (!array)
    return;
  mai_placement_free(&array->placement);
  mai_policy_free(&array->policy);
  free(array->name);
  free(array);
}

/* Index of the first array that starts at `address` or behind it. */
static size_t lower_bound(uintptr_t address) {
  size_t low = 0;
  size_t high = registry.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (registry.arrays[middle]->shape.start < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct mai_array *mai_registry_find(const void *start) {
  size_t index = lower_bound((uintptr_t)start);
  if (index == registry.count || registry.arrays[index]->shape.start != (uintptr_t)start)
    return NULL;
  return registry.arrays[index];
}

struct mai_array *mai_registry_find_around(uintptr_t address) {
  size_t index = lower_bound(address + 1);
  struct mai_array *array = index > 0 ? registry.arrays[index - 1] : NULL;
  return array && address - array->shape.start < array->shape.bytes ? array : NULL;
}

struct mai_array *mai_registry_at(size_t index) {
  return index < registry.count ? registry.arrays[index] : NULL;
}

static int make_room(void) {
  if (registry.count < registry.capacity)
    return 0;
  size_t capacity = registry.capacity ? 2 * registry.capacity : 64;
  struct mai_array **arrays = realloc(registry.arrays, capacity * sizeof(*arrays));
  if (!arrays)
    return -1;
  registry.arrays = arrays;
  registry.capacity = capacity;
  return 0;
}

int mai_registry_add_locked(struct mai_array *array) {
  size_t index = lower_bound(array->shape.start);
  if (mai_registry_find((void *)array->shape.start)) {
    errno = EEXIST;
    return -1;
  }
  if (make_room() != 0)
    return -1;
  struct mai_array **place = registry.arrays + index;
  memmove(place + 1, place, (registry.count - index) * sizeof(*place));
  *place = array;
  registry.count++;
  return 0;
}

int mai_registry_add(struct mai_array *array) {
  mai_registry_lock();
  int result = mai_registry_add_locked(array);
  mai_registry_unlock();
  return result;
}

static void remove_at(size_t index) {
  struct mai_array **place = registry.arrays + index;
  registry.count--;
  memmove(place, place + 1, (registry.count - index) * sizeof(*place));
}

/* Index of the first array of which something lies at `address` or behind it. */
static size_t first_reaching(uintptr_t address) {
  size_t index = lower_bound(address);
  while (index > 0) { /* arrays do not overlap, except that one may begin inside a watched one */
    const struct mai_shape *before = &registry.arrays[index - 1]->shape;
    if (before->start + before->bytes <= address)
      break;
    index--;
  }
  return index;
}

int mai_registry_check_adoptable(uintptr_t begin, uintptr_t end) {
  for (size_t i = first_reaching(begin);
       i < registry.count && registry.arrays[i]->shape.start < end; i++) {
    const struct mai_array *array = registry.arrays[i];
    if (array->origin == MAI_ALLOCATED || array->origin == MAI_IN_PLACE) {
      errno = EINVAL;
      return -1;
    }
  }
  return 0;
}

void mai_registry_forget(uintptr_t begin, uintptr_t end) {
  size_t first = first_reaching(begin);
  while (first < registry.count && registry.arrays[first]->shape.start < end) {
    struct mai_array *array = registry.arrays[first];
    const struct mai_placement *placement = &array->placement;
    mai_next_touch_end(placement->start, placement->pages * placement->page_size, NULL);
    remove_at(first);
    mai_array_delete(array);
  }
}

void mai_registry_remove_locked(const struct mai_array *array) {
  remove_at(lower_bound(array->shape.start));
}

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

static int look(const struct mai_array *array, struct mai_pages *pages, size_t *per_node,
                unsigned node_count) {
  memset(pages, 0, sizeof *pages);
  if (node_count)
    memset(per_node, 0, node_count * sizeof *per_node);
  if (look_at(&array->placement, pages, per_node, node_count) != 0)
    return -1;
  for (size_t i = 0; i < mai_replicas_count(array->replicas); i++)
    if (look_at(mai_replicas_placement(array->replicas, i), pages, per_node, node_count) != 0)
      return -1;
  return 0;
}

int mai_registry_verify(const void *start, struct mai_pages *pages, size_t *per_node,
                        unsigned nodes) {
  mai_registry_lock();
  const struct mai_array *array = mai_registry_find(start);
  int result = -1;
  if (array)
    result = look(array, pages, per_node, per_node ? nodes : 0);
  else
    errno = EINVAL;
  mai_registry_unlock();
  return result;
}

static bool holds_page_of(const struct mai_placement *placement, uintptr_t address) {
  return address >= placement->start &&
         address - placement->start < placement->pages * placement->page_size;
}

int mai_registry_node_meant(const void *address) {
  mai_registry_lock();
  uint32_t node = MAI_ANY_NODE;
  const struct mai_array *array = mai_registry_find_around((uintptr_t)address);
  if (array) {
    const struct mai_placement *placement = &array->placement;
    if (holds_page_of(placement, (uintptr_t)address))
      node = mai_placement_node(placement,
                                ((uintptr_t)address - placement->start) / placement->page_size);
  }
  mai_registry_unlock();
  if (node != MAI_ANY_NODE)
    return (int)node;
  errno = EINVAL;
  return -1;
}

static unsigned highest_node_plus_1(void) {
  const struct mai_machine *machine = mai_machine();
  return machine && machine->node_count ? machine->nodes[machine->node_count - 1] + 1 : 1;
}

static void summary_free(struct mai_summary *summary) {
  mai_policy_free(&summary->policy);
  free(summary->name);
  free(summary->per_node);
}

static int summarise(const struct mai_array *array, unsigned node_count,
                     const struct mai_mapping_list *mappings, struct mai_summary *summary) {
  *summary = (struct mai_summary){.name = strdup(array->name),
                                  .file = array->file,
                                  .line = array->line,
                                  .origin = array->origin,
                                  .bytes = array->shape.bytes,
                                  .error = array->error,
                                  .start = (void *)array->shape.start,
                                  .own_pages = array->placement.pages,
                                  .per_node = calloc(node_count, sizeof(size_t))};
  if (!summary->name || !summary->per_node ||
      mai_policy_copy(&array->policy, &summary->policy) != 0) {
    summary_free(summary);
    errno = ENOMEM;
    return -1;
  }
  if (look(array, &summary->pages, summary->per_node, node_count) != 0)
    summary->look_error = errno;
  mai_array_statistics(array, mappings, &summary->statistics);
  return 0;
}

static void remember_freed(const struct mai_array *array) {
  if (!registry.freed)
    registry.freed = calloc(MOST_REMEMBERED, sizeof *registry.freed);
  if (!registry.freed || registry.freed_count == MOST_REMEMBERED) {
    registry.forgotten++;
    return;
  }
  struct mai_summary *summary = &registry.freed[registry.freed_count];
  if (summarise(array, highest_node_plus_1(), NULL, summary) != 0) {
    registry.forgotten++;
    return;
  }
  summary->freed = true;
  summary->start = NULL;
  registry.freed_count++;
}

struct mai_array *mai_registry_take(const void *start, enum mai_origin origin, bool remember) {
  mai_registry_lock();
  struct mai_array *array = mai_registry_find(start);
  if (array && array->origin != origin)
    array = NULL;
  if (array) {
    if (remember)
      remember_freed(array);
    remove_at(lower_bound((uintptr_t)start));
  }
  mai_registry_unlock();
  return array;
}

static int copy_summary(const struct mai_summary *from, unsigned node_count,
                        struct mai_summary *to) {
  *to = *from;
  to->name = strdup(from->name);
  to->per_node = malloc(node_count * sizeof *to->per_node);
  if (mai_policy_copy(&from->policy, &to->policy) != 0 || !to->name || !to->per_node) {
    summary_free(to);
    errno = ENOMEM;
    return -1;
  }
  memcpy(to->per_node, from->per_node, node_count * sizeof *to->per_node);
  return 0;
}

static int summarise_known(const struct mai_mapping_list *mappings,
                           struct mai_summaries *summaries) {
  for (size_t i = 0; i < registry.count; i++, summaries->count++)
    if (summarise(registry.arrays[i], summaries->node_count, mappings,
                  &summaries->list[summaries->count]) != 0)
      return -1;
  return 0;
}

static int summarise_locked(struct mai_summaries *summaries) {
  struct mai_mapping_list mappings;
  summaries->node_count = highest_node_plus_1();
  summaries->forgotten = registry.forgotten;
  summaries->list = calloc(registry.freed_count + registry.count + 1, sizeof *summaries->list);
  if (!summaries->list)
    return -1;
  for (size_t i = 0; i < registry.freed_count; i++, summaries->count++)
    if (copy_summary(&registry.freed[i], summaries->node_count,
                     &summaries->list[summaries->count]) != 0)
      return -1;
  bool listed = mai_memory_list_mappings(&mappings) == 0;
  int result = summarise_known(listed ? &mappings : NULL, summaries);
  free(mappings.ends);
  return result;
}

int mai_registry_summarise(struct mai_summaries *summaries) {
  memset(summaries, 0, sizeof *summaries);
  mai_registry_lock();
  int result = summarise_locked(summaries);
  mai_registry_unlock();
  if (result != 0)
    mai_summaries_free(summaries);
  return result;
}

void mai_summaries_free(struct mai_summaries *summaries) {
  int error = errno;
  for (size_t i = 0; i < summaries->count; i++)
    summary_free(&summaries->list[i]);
  free(summaries->list);
  memset(summaries, 0, sizeof *summaries);
  errno = error;
}
