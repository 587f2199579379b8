/*===-- requests.c - messages that are set up once and sent often ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "requests.h"

#include <stdatomic.h>

#include "runtime/heap.h"
#include "runtime/lock.h"
#include "sent.h"

/* A list in which free elements are used again: programs have few persistent requests. */
struct entry {
  mpi_handle request; /* NULL: it is free */
  int to;
  uint64_t bytes;
};

static struct minas_lock lock = MINAS_LOCK_INITIALISER;
static struct entry *entries;
static size_t count, capacity;

static struct entry *find(mpi_handle request) {
  for (size_t i = 0; i < count; i++)
    if (entries[i].request == request)
      return &entries[i];
  return NULL;
}

static struct entry *new_entry(void) {
  enum { FIRST = 64 };
  struct entry *unused = find(NULL);
  if (unused)
    return unused;
  if (count == capacity) {
    size_t more = capacity ? 2 * capacity : FIRST;
    struct entry *larger = minas_resize(entries, more * sizeof *entries);
    if (!larger)
      return NULL;
    entries = larger;
    capacity = more;
  }
  return &entries[count++];
}

void requests_add(mpi_handle request, int to, uint64_t bytes) {
  minas_lock(&lock);
  struct entry *entry = find(request);
  if (!entry)
    entry = new_entry();
  if (entry)
    *entry = (struct entry){request, to, bytes};
  minas_unlock(&lock);
}

void requests_start(mpi_handle request) {
  int to = -1;
  uint64_t bytes = 0;
  minas_lock(&lock);
  const struct entry *entry = request ? find(request) : NULL;
  if (entry) {
    to = entry->to;
    bytes = entry->bytes;
  }
  minas_unlock(&lock);
  sent_add(to, bytes);
}

void requests_remove(mpi_handle request) {
  minas_lock(&lock);
  struct entry *entry = request ? find(request) : NULL;
  if (entry)
    *entry = (struct entry){0};
  minas_unlock(&lock);
}
