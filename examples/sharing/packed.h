/*===-- packed.h - what dedup writes, and how it is unpacked -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * "MAIDEDUP", the size of the input, chunks, a checksum of the input.  A chunk is twice its size,
 * the size of what follows, and zlib's bytes; or twice the number of such a chunk, and 1.
 */
#ifndef SHARING_PACKED_H
#define SHARING_PACKED_H

#include "common.h"

#include <zlib.h>

enum { MOST_CHUNK = 8192 };

static const char magic[8] = "MAIDEDUP";

/*===-- Bytes that grow -----------------------------------------------------===*/

struct bytes {
  unsigned char *start;
  size_t count, room;
};

static unsigned char *append(struct bytes *bytes, const void *from, size_t count) {
  if (count > bytes->room - bytes->count) {
    bytes->room = 2 * bytes->room + count + 4096;
    bytes->start = realloc(bytes->start, bytes->room);
    if (!bytes->start)
      fail("no memory for %zu bytes", bytes->room);
  }
  unsigned char *place = bytes->start + bytes->count;
  memcpy(place, from, count);
  bytes->count += count;
  return place;
}

static void append_number(struct bytes *bytes, uint64_t number) {
  unsigned char byte[8];
  for (unsigned i = 0; i < 8; i++)
    byte[i] = (unsigned char)(number >> 8 * i);
  append(bytes, byte, sizeof byte);
}

/*===-- Unpacking -----------------------------------------------------------===*/

struct unpacking {
  const unsigned char *next;
  size_t left;
  struct bytes whole;
  struct bytes places; /* struct place, by the number of a chunk */
};

struct place {
  size_t at, size;
};

static bool get_number(struct unpacking *unpacking, uint64_t *number) {
  if (unpacking->left < 8)
    return false;
  *number = 0;
  for (unsigned i = 0; i < 8; i++)
    *number |= (uint64_t)unpacking->next[i] << 8 * i;
  unpacking->next += 8;
  unpacking->left -= 8;
  return true;
}

/* @return NULL, or what is wrong */
static const char *unpack_again(struct unpacking *unpacking, uint64_t number) {
  struct place place;
  unsigned char bytes[MOST_CHUNK];
  if (number >= unpacking->places.count / sizeof place)
    return "a chunk is meant that did not come before";
  memcpy(&place, unpacking->places.start + number * sizeof place, sizeof place);
  memcpy(bytes, unpacking->whole.start + place.at, place.size);
  append(&unpacking->whole, bytes, place.size);
  return NULL;
}

static const char *unpack_new(struct unpacking *unpacking, uint64_t size) {
  unsigned char bytes[MOST_CHUNK];
  struct place place = {unpacking->whole.count, size};
  uint64_t packed;
  uLongf unpacked = sizeof bytes;
  if (!size || size > MOST_CHUNK)
    return "a chunk has a size that none can have";
  if (!get_number(unpacking, &packed) || packed > unpacking->left)
    return "it ends within a chunk";
  if (uncompress(bytes, &unpacked, unpacking->next, packed) != Z_OK || unpacked != size)
    return "a chunk cannot be decompressed";
  unpacking->next += packed;
  unpacking->left -= packed;
  append(&unpacking->whole, bytes, size);
  append(&unpacking->places, &place, sizeof place);
  return NULL;
}

static const char *unpack_chunks(struct unpacking *unpacking, uint64_t size) {
  const char *wrong = NULL;
  while (!wrong && unpacking->whole.count < size) {
    uint64_t head;
    if (!get_number(unpacking, &head))
      return "it ends too early";
    wrong = head % 2 ? unpack_again(unpacking, head / 2) : unpack_new(unpacking, head / 2);
  }
  return wrong;
}

static uLong checksum_of(const struct bytes *bytes) {
  return crc32_z(crc32(0, NULL, 0), bytes->start ? bytes->start : (const Bytef *)"", bytes->count);
}

static const char *unpack_rest(struct unpacking *unpacking, uint64_t size) {
  uint64_t checksum;
  const char *wrong = unpack_chunks(unpacking, size);
  if (wrong)
    return wrong;
  if (!get_number(unpacking, &checksum))
    return "it ends too early";
  if (unpacking->left || unpacking->whole.count != size)
    return "there is more than there should be";
  return checksum == checksum_of(&unpacking->whole) ? NULL : "the checksum is another";
}

/* Believes nothing. */
static const char *unpack(const struct bytes *packed, struct bytes *whole) {
  struct unpacking unpacking = {.next = packed->start, .left = packed->count};
  uint64_t size;
  if (packed->count < sizeof magic || memcmp(packed->start, magic, sizeof magic) != 0)
    return "it was not packed by dedup";
  unpacking.next += sizeof magic;
  unpacking.left -= sizeof magic;
  const char *wrong =
      get_number(&unpacking, &size) ? unpack_rest(&unpacking, size) : "it ends too early";
  free(unpacking.places.start);
  *whole = unpacking.whole;
  return wrong;
}

#endif /* SHARING_PACKED_H */
