/*===-- table.c - the table of the running program --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Nothing is believed: what follows a table need not look at its numbers again.
 */
#include "table.h"

#include <errno.h>
#include <string.h>

#include "runtime/fail.h"
#include "runtime/heap.h"
#include "runtime/symbols.h"
#include "runtime/system.h"

/*===-- Its parts ----------------------------------------------------------===*/

/* What is still to be taken of a table. */
struct rest {
  const char *bytes;
  size_t size;
};

/* The next list; NULL: the table ends before it does. */
static const void *take(struct rest *rest, uint64_t count, size_t size) {
  const char *list = rest->bytes;
  if (count > rest->size / size)
    return NULL;
  rest->bytes += count * size;
  rest->size -= count * size;
  return list;
}

static bool is_header(const struct minas_names_header *header) {
  return header && memcmp(header->magic, MINAS_NAMES_MAGIC, sizeof header->magic) == 0 &&
         header->version == MINAS_NAMES_VERSION && header->id_bytes <= sizeof header->id &&
         header->types > 0 && header->text_bytes > 0;
}

static bool find_parts(const void *bytes, size_t size, struct minas_names *names) {
  struct rest rest = {bytes, size};
  const struct minas_names_header *header = take(&rest, 1, sizeof *header);
  names->header = header;
  if (!is_header(header))
    return false;
  uint64_t variables = (uint64_t)header->variables + header->statics;
  names->regions = take(&rest, header->regions, sizeof *names->regions);
  names->variables = take(&rest, variables, sizeof *names->variables);
  names->types = take(&rest, header->types, sizeof *names->types);
  names->members = take(&rest, header->members, sizeof *names->members);
  names->pieces = take(&rest, header->pieces, sizeof *names->pieces);
  names->texts = take(&rest, header->text_bytes, 1);
  return names->regions && names->variables && names->types && names->members && names->pieces &&
         names->texts && rest.size == 0;
}

/*===-- Its numbers --------------------------------------------------------===*/

static bool lies_in(uint64_t first, uint64_t count, uint64_t size) {
  return first <= size && count <= size - first;
}

static bool is_text(const struct minas_names *names, uint32_t text) {
  uint32_t size = names->header->text_bytes;
  return text < size && (text == 0 || names->texts[text - 1] == '\0') &&
         strnlen(names->texts + text, size - text) <= MINAS_NAMES_MOST_TEXT;
}

static bool regions_are_good(const struct minas_names *names) {
  for (uint32_t i = 0; i < names->header->regions; i++) {
    const struct minas_names_region *region = &names->regions[i];
    if (!lies_in(region->first, region->count, names->header->variables) ||
        (i > 0 && region->address < region[-1].address))
      return false;
  }
  return true;
}

static bool variables_are_good(const struct minas_names *names) {
  for (uint64_t i = 0; i < (uint64_t)names->header->variables + names->header->statics; i++) {
    const struct minas_names_variable *variable = &names->variables[i];
    if (!is_text(names, variable->name) || variable->type >= names->header->types ||
        variable->rank < MINAS_NAMES_PARAMETER || variable->rank >= MINAS_NAMES_RANKS)
      return false;
  }
  return true;
}

static bool type_is_good(const struct minas_names *names, const struct minas_names_type *type) {
  if (type->kind == MINAS_NAMES_RECORD)
    return lies_in(type->target, type->count, names->header->members);
  return type->kind < MINAS_NAMES_KINDS && type->target < names->header->types;
}

static bool types_are_good(const struct minas_names *names) {
  for (uint32_t i = 0; i < names->header->types; i++)
    if (!type_is_good(names, &names->types[i]) || !is_text(names, names->types[i].name))
      return false;
  for (uint32_t i = 0; i < names->header->members; i++)
    if (!is_text(names, names->members[i].name) || names->members[i].type >= names->header->types)
      return false;
  return true;
}

static bool pieces_are_good(const struct minas_names *names) {
  uint64_t end = 0;
  for (uint32_t i = 0; i < names->header->pieces; i++) {
    const struct minas_names_piece *piece = &names->pieces[i];
    if (!is_text(names, piece->place) || piece->address < end ||
        __builtin_add_overflow(piece->address, piece->bytes, &end))
      return false;
  }
  return true;
}

int minas_names_check(const void *bytes, size_t size, struct minas_names *names) {
  bool good = find_parts(bytes, size, names) && names->texts[0] == '\0' &&
              names->texts[names->header->text_bytes - 1] == '\0' && regions_are_good(names) &&
              variables_are_good(names) && types_are_good(names) && pieces_are_good(names);
  return good ? 0 : fail(EINVAL);
}

/* Of a table in memory of ours, which is freed where it is none. */
static int check_own(char *bytes, size_t size, struct minas_names *names) {
  int result = minas_names_check(bytes, size, names);
  if (result != 0)
    minas_free(bytes);
  return result;
}

/*===-- Its file -----------------------------------------------------------===*/

static bool can_be_trusted(int file, size_t *size) {
  struct statx status = {0};
  if (minas_system(SYS_statx, file, (long)"", AT_EMPTY_PATH,
                   STATX_TYPE | STATX_MODE | STATX_UID | STATX_SIZE, (long)&status, 0) != 0)
    return false;
  *size = status.stx_size;
  return S_ISREG(status.stx_mode) && (status.stx_mode & (S_IWGRP | S_IWOTH)) == 0 &&
         status.stx_uid == (uint32_t)minas_system(SYS_geteuid, 0, 0, 0, 0, 0, 0) &&
         status.stx_size <= MINAS_NAMES_MOST_BYTES;
}

static bool read_all(int file, char *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    long read = minas_read(file, bytes + done, size - done);
    if (read <= 0)
      return false;
    done += (size_t)read;
  }
  return true;
}

static int read_file(int file, struct minas_names *names) {
  size_t size;
  if (!can_be_trusted(file, &size))
    return fail(EINVAL);
  char *bytes = minas_alloc(size);
  if (!bytes)
    return -1;
  if (read_all(file, bytes, size))
    return check_own(bytes, size, names);
  minas_free(bytes);
  return fail(EINVAL);
}

/* Not a link, and no wait for a pipe that somebody put there. */
int minas_names_open(const char *path, struct minas_names *names) {
  int file = (int)minas_system(SYS_openat, AT_FDCWD, (long)path,
                               O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0, 0, 0);
  if (file < 0)
    return -1;
  int result = read_file(file, names);
  minas_close(file);
  return result;
}

/*===-- In a program -------------------------------------------------------===*/

static int copy_section(const struct minas_image *image, struct minas_names *names) {
  size_t size;
  const void *section = minas_image_section(image, MINAS_NAMES_SECTION, &size);
  if (!section || size > MINAS_NAMES_MOST_BYTES)
    return fail(EINVAL);
  char *bytes = minas_copy(section, size);
  return bytes ? check_own(bytes, size, names) : -1;
}

int minas_names_open_carried(const char *program, struct minas_names *names) {
  struct minas_image image;
  if (minas_image_open(&image, program, 0) != 0)
    return -1;
  int result = copy_section(&image, names);
  minas_image_close(&image);
  return result;
}

void minas_names_close(struct minas_names *names) { minas_free((void *)(uintptr_t)names->header); }

/*===-- Finding ------------------------------------------------------------===*/

const struct minas_names_region *minas_names_region(const struct minas_names *names,
                                                    uint64_t address) {
  uint32_t begin = 0;
  uint32_t end = names->header->regions;
  while (begin < end) {
    uint32_t middle = begin + (end - begin) / 2;
    if (names->regions[middle].address < address)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin < names->header->regions && names->regions[begin].address == address
             ? &names->regions[begin]
             : NULL;
}

const struct minas_names_piece *minas_names_piece(const struct minas_names *names,
                                                  uint64_t address) {
  uint32_t begin = 0;
  uint32_t end = names->header->pieces;
  while (begin < end) {
    uint32_t middle = begin + (end - begin) / 2;
    const struct minas_names_piece *piece = &names->pieces[middle];
    if (address >= piece->address && address - piece->address < piece->bytes)
      return piece;
    if (address < piece->address)
      end = middle;
    else
      begin = middle + 1;
  }
  return NULL;
}
