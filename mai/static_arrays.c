/*===-- static_arrays.c - takes over arrays with static storage *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * An array of a program's .bss is usually untouched when its constructor hands it over: then its
 * policy is set and that is all.  Where there are contents (.data, or an earlier constructor has
 * written), they are saved, fresh anonymous memory is put in the place of the array's whole pages,
 * and what is not zero is copied back, each page to its node.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arrays.h"
#include "mai.h"
#include "message.h"
#include "placer.h"

/* What kind of memory a range of addresses is. */
struct memory_kind {
  bool replaceable; /* mapped everywhere, private and writable */
  bool file_backed; /* somewhere */
};

/* One line of /proc/self/maps; false when it is none. */
struct map_line {
  uintptr_t begin;
  uintptr_t end;
  char permissions[5];
  unsigned long inode;
};

static bool parse_map_line(const char *text, struct map_line *line) {
  return sscanf(text, "%lx-%lx %4s %*x %*x:%*x %lu", &line->begin, &line->end, line->permissions,
                &line->inode) == 4;
}

static struct memory_kind kind_of_memory(uintptr_t begin, uintptr_t end) {
  struct memory_kind kind = {.replaceable = true};
  FILE *maps = fopen("/proc/self/maps", "re");
  char *text = NULL;
  size_t size = 0;
  uintptr_t covered = begin;
  while (maps && covered < end && getline(&text, &size, maps) > 0) {
    struct map_line line;
    if (!parse_map_line(text, &line) || line.end <= covered)
      continue;
    if (line.begin > covered || line.permissions[1] != 'w' || line.permissions[3] != 'p')
      break;
    kind.file_backed |= line.inode != 0;
    covered = line.end;
  }
  free(text);
  if (maps)
    fclose(maps);
  kind.replaceable = covered >= end;
  return kind;
}

/* Copy the pages that are in memory to the same places in `copy`. @return how many, or -1 */
static long copy_touched_pages(const struct mai_placement *placement, char *copy) {
  enum { BATCH = 1024 };
  int nodes[BATCH];
  long copied = 0;
  for (size_t done = 0; done < placement->pages; done += BATCH) {
    size_t batch = placement->pages - done < BATCH ? placement->pages - done : BATCH;
    size_t offset = done * placement->page_size;
    if (mai_placer_where(placement->start + offset, placement->page_size, batch, nodes) != 0)
      return -1;
    for (size_t i = 0; i < batch; i++, offset += placement->page_size)
      if (nodes[i] != MAI_PAGE_UNTOUCHED) {
        memcpy(copy + offset, (void *)(placement->start + offset), placement->page_size);
        copied++;
      }
  }
  return copied;
}

static bool is_zero(const char *bytes, size_t count) {
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

static void copy_back(const struct mai_placement *placement, const char *copy) {
  for (size_t page = 0; page < placement->pages; page++) {
    size_t offset = page * placement->page_size;
    if (!is_zero(copy + offset, placement->page_size))
      memcpy((void *)(placement->start + offset), copy + offset, placement->page_size);
  }
}

/* Save the contents to `copy`, a mapping of zeroes. @return 1 when there are any, 0, or -1 */
static int save_contents(const struct mai_placement *placement, bool file_backed, char *copy) {
  if (!file_backed) {
    long copied = copy_touched_pages(placement, copy);
    return copied > 0 ? 1 : (int)copied;
  }
  memcpy(copy, (void *)placement->start, placement->pages * placement->page_size);
  return 1;
}

static int place_keeping_contents(struct mai_array *array, bool file_backed, char *copy) {
  const struct mai_placement *placement = &array->placement;
  int contents = save_contents(placement, file_backed, copy);
  if (contents <= 0)
    return contents == 0 ? mai_array_place(array) : -1;
  if (mmap((void *)placement->start, placement->pages * placement->page_size,
           PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    return -1;
  int result = mai_array_place(array);
  copy_back(placement, copy);
  return result;
}

/* Set the policy of the array's pages. @return 0, or -1 with errno, and the array is as before */
static int take_over(struct mai_array *array) {
  const struct mai_placement *placement = &array->placement;
  size_t bytes = placement->pages * placement->page_size;
  if (bytes == 0 || !mai_machine_places(mai_machine()))
    return mai_array_place(array);
  struct memory_kind kind = kind_of_memory(placement->start, placement->start + bytes);
  if (!kind.replaceable) {
    errno = EACCES;
    return -1;
  }
  char *copy =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED)
    return -1;
  int result = place_keeping_contents(array, kind.file_backed, copy);
  int error = errno;
  munmap(copy, bytes);
  errno = error;
  return result;
}

/* The array is left to the kernel's first touch; the report tells why. */
static void leave_alone(struct mai_array *array, int error) {
  static const mai_policy_t none = {0};
  struct mai_terrain terrain = {.page_size = mai_machine()->page_size};
  mai_placement_free(&array->placement);
  mai_placement_compute(&none, &array->shape, &terrain, &array->placement);
  array->error = error;
  mai_message("%s:%u: array '%s' is not placed: %s", array->file, array->line, array->name,
              strerror(error));
}

static struct mai_array *describe(const struct mai_static_array *entry) {
  struct mai_array *array = mai_array_new(entry->name);
  if (!array)
    return NULL;
  array->file = entry->file;
  array->line = entry->line;
  array->origin = MAI_IN_PLACE;
  array->shape = (struct mai_shape){(uintptr_t)entry->start, entry->bytes, entry->unit};
  if (!mai_machine()->watch_only)
    array->policy = entry->policy;
  return array;
}

static void place_in_place(const struct mai_static_array *entry) {
  if (mai_registry_knows((const void *)entry->start))
    return;
  struct mai_array *array = describe(entry);
  if (!array)
    return;
  if (mai_array_plan(array) != 0 || take_over(array) != 0)
    leave_alone(array, errno);
  if (mai_registry_add(array) != 0)
    mai_array_delete(array);
}

/* Memory placed as `entry` says, else any memory; NULL when there is none. */
static void *allocate_heap_array(const struct mai_static_array *entry) {
  struct mai_array *array =
      mai_array_allocate(entry->bytes, entry->unit, &entry->policy, entry->name);
  if (!array)
    return calloc(1, entry->bytes);
  void *start = array->mapping;
  array->file = entry->file;
  array->line = entry->line;
  if (mai_registry_add(array) != 0)
    mai_array_delete(array);
  return start;
}

static void set_heap_pointer(const struct mai_static_array *entry) {
  void **pointer = (void **)(uintptr_t)entry->start;
  if (*pointer)
    return;
  *pointer = allocate_heap_array(entry);
  if (*pointer)
    return;
  /* The program was written for this memory and cannot run without it. */
  fprintf(stderr, "mai: %s:%u: no memory for array '%s' of %lu bytes\n", entry->file, entry->line,
          entry->name, entry->bytes);
  abort();
}

void mai_place_static(const struct mai_static_array *begin, const struct mai_static_array *end) {
  bool started = mai_machine() != NULL;
  for (const struct mai_static_array *entry = begin; entry < end; entry++) {
    if (entry->heap)
      set_heap_pointer(entry);
    else if (started)
      place_in_place(entry);
  }
}
