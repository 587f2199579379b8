/*===-- look.c - random calls that look at arrays ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <mai.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "machine.h"

enum { MOST_LISTED = 128 };

/* Pages of an array, as struct mai_pages counts them. */
static size_t pages_of(const struct array *array, size_t page) {
  uintptr_t start = (uintptr_t)array->start;
  uintptr_t end = start + array->bytes;
  if (array->whole_pages)
    return (end + page - 1) / page - start / page;
  return end / page > (start + page - 1) / page ? end / page - (start + page - 1) / page : 0;
}

static void check_counts(struct worker *worker, const struct array *array,
                         const struct mai_pages *pages, const size_t *per_node) {
  size_t own = pages_of(array, machine.page);
  size_t on_nodes = 0;
  for (unsigned i = 0; i < 64; i++)
    on_nodes += per_node[i];
  if (pages->placed + pages->spilled + pages->untouched + pages->failed != pages->total ||
      on_nodes != pages->placed + pages->spilled)
    wrong(worker, "%zu placed, %zu spilled, %zu untouched, %zu failed, %zu on nodes of %zu",
          pages->placed, pages->spilled, pages->untouched, pages->failed, on_nodes, pages->total);
  size_t copy = (array->bytes + machine.page - 1) / machine.page; /* begins with a page */
  if (array->has_copies ? pages->total < own || (pages->total - own) % copy : pages->total != own)
    wrong(worker, "%zu pages, not %zu", pages->total, own);
}

static void check_statistics(struct worker *worker, const struct array *array) {
  struct mai_statistics statistics;
  calling(worker, "mai_get_statistics(%p)", (void *)array->start);
  expect_done(worker, mai_get_statistics(array->start, &statistics), 0);
  if (statistics.bytes != array->bytes || statistics.page_size != machine.page ||
      statistics.placing_seconds < 0)
    wrong(worker, "%zu bytes in pages of %zu, %f s", statistics.bytes, statistics.page_size,
          statistics.placing_seconds);
}

static void check_identity(struct worker *worker, const struct array *array) {
  char text[256];
  size_t bytes = 0;
  const char *inside = array->start + draw(worker, array->bytes);
  calling(worker, "mai_array_around(%p)", (const void *)inside);
  if (mai_array_around(inside, one_in(worker, 4) ? NULL : &bytes) != array->start ||
      (bytes && bytes != array->bytes))
    wrong(worker, "%zu bytes, not %zu", bytes, array->bytes);
  calling(worker, "mai_policy_of(%p)", (void *)array->start);
  int length = mai_policy_of(array->start, text, sizeof text);
  if (length < 1 || (length < (int)sizeof text && strlen(text) != (size_t)length))
    wrong(worker, "length %d", length);
}

void check_pages(struct worker *worker, const struct array *array) {
  struct mai_pages pages;
  size_t per_node[64];
  memset(per_node, 0x55, sizeof per_node);
  calling(worker, "mai_verify(%p) of %zu bytes", (void *)array->start, array->bytes);
  expect_done(worker, mai_verify(array->start, &pages, per_node, 64), 0);
  check_counts(worker, array, &pages, per_node);
  check_statistics(worker, array);
  check_identity(worker, array);
}

static void check_page_map(struct worker *worker, const struct array *array) {
  int nodes[MOST_LISTED + 1];
  size_t own = pages_of(array, machine.page);
  size_t first = draw(worker, own + 3);
  size_t count = draw(worker, MOST_LISTED);
  size_t left = first < own ? own - first : 0;
  nodes[count] = 12345;
  calling(worker, "mai_page_map(%p, %zu, %zu)", (void *)array->start, first, count);
  long listed = mai_page_map(array->start, first, count, nodes);
  if (listed != (long)(count < left ? count : left) || nodes[count] != 12345)
    wrong(worker, "%ld pages listed of %zu", listed, left);
  for (long i = 0; i < listed; i++)
    if (nodes[i] < -2 || nodes[i] > 1023)
      wrong(worker, "page %ld is on node %d", i, nodes[i]);
}

static void check_meaning(struct worker *worker, const struct array *array) {
  const char *address = array->start + draw(worker, array->bytes);
  calling(worker, "mai_node_meant(%p) of %p", (const void *)address, (void *)array->start);
  int node = mai_node_meant(address);
  if (node < -1 || node > 1023)
    wrong(worker, "node %d", node);
  if (node == -1)
    expect_errno(worker, EINVAL, 0);
}

void call_look(struct worker *worker) {
  static void (*const calls[])(struct worker *,
                               const struct array *) = {check_pages, check_page_map, check_meaning};
  struct array *array = any_array(worker, 1 << ALLOCATED | 1 << MAPPED | 1 << STATIC);
  if (array && array->known)
    calls[draw(worker, 3)](worker, array);
}

void call_where(struct worker *worker) {
  struct array *array = any_array(worker, ANY_KIND);
  const char *address = (const char *)&array;
  if (array && !one_in(worker, 4))
    address = array->start + draw(worker, array->bytes);
  else if (one_in(worker, 2))
    address =
        (const char *)(uintptr_t)(one_in(worker, 2) ? draw(worker, 60000) : draw(worker, SIZE_MAX));
  calling(worker, "mai_where(%p)", (const void *)address);
  int node = mai_where(address);
  if (node < -1 || node > 1023)
    wrong(worker, "node %d", node);
  if (node == -1)
    expect_errno(worker, ENOENT, EFAULT, 0);
}

void call_look_wrongly(struct worker *worker) {
  struct mai_pages pages;
  struct mai_statistics statistics;
  int nodes[4];
  char own[8];
  struct array *array = any_array(worker, ANY_KIND);
  const char *none = array && one_in(worker, 2) ? array->start + 1 : one_in(worker, 2) ? own : NULL;
  calling(worker, "looking at %p, which is no array", (const void *)none);
  if (mai_verify(none, &pages, NULL, 0) != -1 || errno != EINVAL ||
      mai_page_map(none, 0, 4, nodes) != -1 || errno != EINVAL ||
      mai_get_statistics(none, &statistics) != -1 || errno != EINVAL ||
      mai_policy_of(none, NULL, 0) != -1 || errno != EINVAL)
    wrong(worker, "it is found");
  calling(worker, "mai_node_meant of the stack");
  if (mai_node_meant(own) != -1)
    wrong(worker, "it is found");
  expect_errno(worker, EINVAL, 0);
  calling(worker, "mai_array_around the stack");
  if (mai_array_around(own, NULL))
    wrong(worker, "it is found");
  expect_errno(worker, EINVAL, 0);
}

/*===-- Reports ------------------------------------------------------------===*/

/* That arrays with names are in it is checked where no other worker frees its own. */
static void check_report(struct worker *worker, const char *text, size_t size) {
  if (size == 0)
    wrong(worker, "an empty report");
  struct array *array = any_array(worker, 1 << ALLOCATED);
  if (array && *array->name && !strstr(text, array->name))
    wrong(worker, "%s is not in the report", array->name);
}

static void report_into_memory(struct worker *worker) {
  char *text = NULL;
  size_t size = 0;
  unsigned format = (unsigned)draw(worker, 2);
  FILE *stream = open_memstream(&text, &size);
  calling(worker, "mai_report of form %u", format);
  expect_done(worker, mai_report(stream, (enum mai_report_format)format), 0);
  fclose(stream);
  check_report(worker, text, size);
  free(text);
}

static void report_nowhere(struct worker *worker) {
  FILE *full = fopen("/dev/full", "w");
  if (!full)
    return;
  setvbuf(full, NULL, _IOFBF, 64);
  calling(worker, "mai_report to /dev/full");
  if (mai_report(full, MAI_REPORT_JSON) != -1)
    wrong(worker, "written");
  expect_errno(worker, EIO, 0);
  fclose(full);
}

void call_report(struct worker *worker) {
  (one_in(worker, 5) ? report_nowhere : report_into_memory)(worker);
}
