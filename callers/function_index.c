/*===-- function_index.c - the functions of files, by address ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * An index is made under a lock, published by one store, and stays.  Names are copied from the file
 * when they are asked for: few of them are, and the file may be cut short while it is not open.
 */
#include "function_index.h"

#include <elf.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/heap.h"
#include "runtime/lock.h"
#include "runtime/sort.h"
#include "runtime/symbols.h"

struct entry {
  uintptr_t start; /* less the bias */
  uintptr_t end;
  size_t name; /* its place in the file */
  _Atomic(char *) copy;
};

struct index {
  char *file;
  uintptr_t bias;
  size_t count;
  struct entry *entries; /* by start */
};

enum { MOST = 256 }; /* more objects than programs load, if they do not load them again and again */

static _Atomic(struct index *) indices[MOST];
static struct minas_lock lock = MINAS_LOCK_INITIALISER;

/*===-- Making one ---------------------------------------------------------===*/

struct making {
  const struct minas_image *image;
  struct index *index;
  size_t room; /* the file may grow while it is read */
};

static bool is_function(const struct minas_symbol *symbol) {
  return symbol->type == STT_FUNC && symbol->is_defined && symbol->bytes > 0;
}

static void count_function(const struct minas_symbol *symbol, void *context) {
  *(size_t *)context += is_function(symbol);
}

static void add_function(const struct minas_symbol *symbol, void *context) {
  const struct making *making = context;
  if (!is_function(symbol) || making->index->count == making->room)
    return;
  uintptr_t start = symbol->start - making->image->bias;
  struct entry *entry = &making->index->entries[making->index->count++];
  entry->start = start;
  entry->end = start + symbol->bytes;
  entry->name = (size_t)(symbol->name - making->image->bytes);
}

/* Of functions of one address the first in the file is found, and these keep their order. */
static int compare(const void *left, const void *right) {
  const struct entry *a = left;
  const struct entry *b = right;
  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  return (a->name > b->name) - (a->name < b->name);
}

static void fill(struct index *index) {
  struct minas_image image;
  size_t count = 0;
  if (minas_image_open(&image, index->file, index->bias) != 0)
    return;
  minas_symbols_visit(&image, MINAS_EITHER_TABLE, count_function, &count);
  index->entries = count ? minas_alloc_list(count, sizeof *index->entries) : NULL;
  if (index->entries) {
    minas_symbols_visit(&image, MINAS_EITHER_TABLE, add_function,
                        &(struct making){&image, index, count});
    minas_sort(index->entries, index->count, sizeof *index->entries, compare);
  }
  minas_image_close(&image);
}

static void drop(struct index *index) {
  minas_free(index->entries);
  minas_free(index->file);
  minas_free(index);
}

static struct index *make(const char *file, uintptr_t bias) {
  struct index *index = minas_alloc(sizeof *index);
  if (!index)
    return NULL;
  index->bias = bias;
  index->file = minas_copy_text(file);
  if (!index->file) {
    drop(index);
    return NULL;
  }
  fill(index);
  return index;
}

/*===-- Finding one --------------------------------------------------------===*/

/* @return whether the search is over: then `*index` is the object's, or the first free place is
   `*at` */
static struct index *find(const char *file, uintptr_t bias, size_t *at) {
  struct index *index;
  for (*at = 0; *at < MOST && (index = atomic_load_explicit(&indices[*at], memory_order_acquire));
       ++*at)
    if (index->bias == bias && strcmp(index->file, file) == 0)
      return index;
  return NULL;
}

/* Another thread may have made the same meanwhile. */
static struct index *publish(struct index *made) {
  size_t at;
  minas_lock(&lock);
  struct index *index = find(made->file, made->bias, &at);
  if (!index && at < MOST) {
    atomic_store_explicit(&indices[at], made, memory_order_release);
    index = made;
  }
  minas_unlock(&lock);
  if (index != made)
    drop(made);
  return index;
}

static struct index *index_of(const char *file, uintptr_t bias) {
  size_t at;
  struct index *index = find(file, bias, &at);
  if (index || at == MOST)
    return index;
  index = make(file, bias);
  return index ? publish(index) : NULL;
}

/*===-- Looking up ---------------------------------------------------------===*/

/* How many functions begin at an address or before it. */
static size_t begun(const struct index *index, uintptr_t place) {
  size_t low = 0, high = index->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (index->entries[middle].start <= place)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static struct entry *entry_of(const struct index *index, uintptr_t place) {
  enum {
    MOST_AROUND = 16
  }; /* functions that begin behind the start of the one that is looked for */
  size_t last = begun(index, place);
  struct entry *found = NULL;
  for (size_t i = 0; i < MOST_AROUND && i < last; i++) {
    struct entry *entry = &index->entries[last - 1 - i];
    if (found && entry->start != found->start)
      break;
    if (place < entry->end)
      found = entry;
  }
  return found;
}

static char *copy_name(const struct index *index, const struct entry *entry) {
  struct minas_image image;
  if (minas_image_open(&image, index->file, index->bias) != 0)
    return NULL;
  size_t room = entry->name < image.size ? image.size - entry->name : 0;
  size_t length = room ? strnlen(image.bytes + entry->name, room) : 0;
  char *name = length < room ? minas_copy_part(image.bytes + entry->name, length) : NULL;
  minas_image_close(&image);
  return name;
}

static const char *name_of(const struct index *index, struct entry *entry) {
  char *name = atomic_load_explicit(&entry->copy, memory_order_acquire);
  if (name)
    return name;
  char *made = copy_name(index, entry);
  if (made && !atomic_compare_exchange_strong(&entry->copy, &name, made)) {
    minas_free(made);
    return name;
  }
  return made;
}

const char *minas_function_symbol(const char *file, uintptr_t bias, uintptr_t code) {
  const struct index *index = index_of(file, bias);
  struct entry *entry = index ? entry_of(index, code - bias) : NULL;
  return entry ? name_of(index, entry) : NULL;
}
