/*===-- maps.c - what the kernel says of the process's memory ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "maps.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "system.h"

/* Move *text behind a character if it begins with it. */
static bool accept(const char **text, char c) {
  if (**text != c)
    return false;
  ++*text;
  return true;
}

/* The addresses that begin a line of maps and the first lines of smaps. */
static bool scan_range(const char **text, struct minas_mapping *mapping) {
  uint64_t begin, end;
  if (!minas_scan_number(text, 16, &begin) || !accept(text, '-') ||
      !minas_scan_number(text, 16, &end) || !accept(text, ' '))
    return false;
  mapping->begin = begin;
  mapping->end = end;
  return true;
}

static bool scan_permissions(const char **text, struct minas_mapping *mapping) {
  enum { LETTERS = 4 };
  const char *letters = *text;
  if (strnlen(letters, LETTERS + 1) <= LETTERS || letters[LETTERS] != ' ')
    return false;
  mapping->readable = letters[0] == 'r';
  mapping->writable = letters[1] == 'w';
  mapping->executable = letters[2] == 'x';
  mapping->shared = letters[3] != 'p';
  *text += LETTERS + 1;
  return true;
}

/* Offset, device and inode. */
static bool scan_file(const char **text, struct minas_mapping *mapping) {
  uint64_t ignored;
  return minas_scan_number(text, 16, &ignored) && accept(text, ' ') &&
         minas_scan_number(text, 16, &ignored) && accept(text, ':') &&
         minas_scan_number(text, 16, &ignored) && accept(text, ' ') &&
         minas_scan_number(text, 10, &mapping->inode);
}

static bool scan_mapping(const char *text, struct minas_mapping *mapping) {
  *mapping = (struct minas_mapping){0};
  if (!scan_range(&text, mapping) || !scan_permissions(&text, mapping) ||
      !scan_file(&text, mapping))
    return false;
  text += strspn(text, " ");
  size_t length = strnlen(text, sizeof mapping->path - 1);
  memcpy(mapping->path, text, length);
  mapping->path[length] = '\0';
  return true;
}

/*===-- Asking for one ------------------------------------------------------===*/

/* The argument of the request PROCMAP_QUERY, which Debian 12's headers do not have. */
struct query {
  uint64_t size;
  uint64_t wanted;
  uint64_t address;
  uint64_t begin; /* from here on the kernel's answer, but for the sizes and addresses of buffers */
  uint64_t end;
  uint64_t properties;
  uint64_t page_size;
  uint64_t offset;
  uint64_t inode;
  uint32_t device[2];
  uint32_t name_size;
  uint32_t build_id_size;
  uint64_t name;
  uint64_t build_id;
};
enum { READABLE = 1, WRITABLE = 2, EXECUTABLE = 4, SHARED = 8, OR_NEXT = 16 };
#define QUERY_REQUEST _IOWR('f', 17, struct query)

/* The mapping around an address, or the next one. @return 1, 0 when there is none, or -1: it cannot
   be asked for */
static int ask(int file, uintptr_t address, struct minas_mapping *mapping) {
  struct query query = {.size = sizeof query, .wanted = OR_NEXT, .address = address};
  int error = errno;
  long result = minas_system(SYS_ioctl, file, (long)QUERY_REQUEST, (long)&query, 0, 0, 0);
  bool none = result != 0 && errno == ENOENT;
  errno = error;
  if (result != 0)
    return none ? 0 : -1;
  *mapping = (struct minas_mapping){.begin = query.begin,
                                    .end = query.end,
                                    .readable = query.properties & READABLE,
                                    .writable = query.properties & WRITABLE,
                                    .executable = query.properties & EXECUTABLE,
                                    .shared = query.properties & SHARED,
                                    .inode = query.inode};
  return 1;
}

/*===-- Reading ------------------------------------------------------------===*/

int minas_maps_open(struct minas_maps *maps) {
  *maps = (struct minas_maps){0};
  return minas_lines_open(&maps->lines, "/proc/self/maps");
}

int minas_maps_open_from(struct minas_maps *maps, uintptr_t from) {
  struct minas_mapping ignored;
  if (minas_maps_open(maps) != 0)
    return -1;
  maps->next = from;
  maps->can_ask = ask(maps->lines.file, from, &ignored) >= 0;
  return 0;
}

static bool read_next(struct minas_maps *maps, struct minas_mapping *mapping) {
  const char *line;
  while ((line = minas_lines_next(&maps->lines)))
    if (scan_mapping(line, mapping) && mapping->end > maps->next)
      return true;
  return false;
}

bool minas_maps_next(struct minas_maps *maps, struct minas_mapping *mapping) {
  bool found =
      maps->can_ask ? ask(maps->lines.file, maps->next, mapping) == 1 : read_next(maps, mapping);
  if (found)
    maps->next = mapping->end;
  return found;
}

void minas_maps_close(struct minas_maps *maps) { minas_lines_close(&maps->lines); }

/*===-- Properties ---------------------------------------------------------===*/

/* All codes have two letters. */
static bool is_listed(const char *property, const char *properties) {
  for (const char *at = properties; strlen(at) >= 2; at += 2 + strspn(at + 2, " "))
    if (memcmp(at, property, 2) == 0)
      return true;
  return false;
}

static bool all_are_listed(const char *found, const char *properties) {
  const char *at = found + strspn(found, " ");
  while (strcspn(at, " ") == 2 && is_listed(at, properties))
    at += 2 + strspn(at + 2, " ");
  return *at == '\0';
}

bool minas_maps_have_only(uintptr_t begin, uintptr_t end, const char *properties) {
  static const char prefix[] = "VmFlags:";
  struct minas_lines lines;
  struct minas_mapping found, mapping = {0};
  uintptr_t covered = begin;
  const char *line;
  if (minas_lines_open(&lines, "/proc/self/smaps") != 0)
    return false;
  while (covered < end && (line = minas_lines_next(&lines))) {
    if (scan_mapping(line, &found))
      mapping = found;
    if (mapping.end <= covered || strncmp(line, prefix, sizeof prefix - 1) != 0)
      continue;
    if (mapping.begin > covered || !all_are_listed(line + sizeof prefix, properties))
      break;
    covered = mapping.end;
  }
  minas_lines_close(&lines);
  return covered >= end;
}

/* The number behind NAME: in a line; 0 when it is another line. */
static uint64_t named_number(const char *line, const char *name) {
  size_t length = strlen(name);
  uint64_t number = 0;
  if (strncmp(line, name, length) != 0 || line[length] != ':')
    return 0;
  const char *value = line + length + 1;
  value += strspn(value, " \t");
  return minas_scan_number(&value, 10, &number) ? number : 0;
}

uint64_t minas_maps_sum_kib(uintptr_t begin, uintptr_t end, const char *name) {
  struct minas_lines lines;
  struct minas_mapping found, mapping = {0};
  uint64_t kib = 0;
  const char *line;
  if (minas_lines_open(&lines, "/proc/self/smaps") != 0)
    return 0;
  while (mapping.begin < end && (line = minas_lines_next(&lines))) {
    if (scan_mapping(line, &found))
      mapping = found;
    else if (mapping.end > begin && mapping.begin < end)
      kib += named_number(line, name);
  }
  minas_lines_close(&lines);
  return kib;
}

uint64_t minas_maps_status(const char *name) {
  struct minas_lines lines;
  uint64_t number = 0;
  const char *line;
  if (minas_lines_open(&lines, "/proc/self/status") != 0)
    return 0;
  while ((line = minas_lines_next(&lines)))
    number += named_number(line, name);
  minas_lines_close(&lines);
  return number;
}
