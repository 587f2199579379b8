/*===-- dedup.c - compresses a stream, what is there twice only once -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Compression by deduplication, as a pipeline of five stages: fragment cuts the input into large
 * pieces, refine these into chunks, both where a rolling hash of the content says so, and gives
 * each chunk a key; hash looks the key up in a table; compress compresses what is new there; write
 * puts all in order again, with a reference for each chunk that was there before.
 *
 * --table=shared is one table, which the threads of hash use on all nodes, and chunks go to any
 * thread.  --table=parts has a part of it on each node, to which chunks go by their key, a copy of
 * which becomes the table's; fragments are read where they are refined, and what is new goes back
 * there to be compressed.  All that differs is in the section "Parts".  --home=no leaves the parts
 * where they are first touched or interleaved.
 *
 * The packed stream is the same for both, and for any number of threads: of equal chunks, the first
 * in the order of the input is written.
 *
 *   gcc -O2 -pthread dedup.c -o dedup -lmai -lz
 *   ./dedup --table=parts --input=FILE --output=PACKED
 *   ./dedup --unpack=PACKED --output=FILE
 */
#include "packed.h"
#include "pipeline.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  FRAGMENT = 1 << 16, /* bytes, until the next place to cut */
  LEAST_CHUNK = 256,
  WINDOW = 64,  /* bytes that the rolling hash knows */
  RUN = 1 << 14 /* of input that is made: bytes that come again */
};

static long byte_count = 1 << 22;
static long thread_count = 4;
static long seed = 1;
static const char *input_name, *output_name, *packed_name;

/*===-- The input -----------------------------------------------------------===*/

static int input_file = -1;

static void open_input(void) {
  struct stat about;
  if (!input_name)
    return;
  input_file = open(input_name, O_RDONLY | O_CLOEXEC);
  if (input_file < 0 || fstat(input_file, &about) != 0)
    fail("%s: %s", input_name, strerror(errno));
  if (!S_ISREG(about.st_mode))
    fail("%s: is not a file", input_name);
  byte_count = about.st_size;
}

static void read_file(unsigned char *to, long at, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t got = pread(input_file, to + done, count - done, at + (long)done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      fail("%s: %s", input_name, strerror(errno));
    if (got == 0)
      fail("%s: became shorter while it was read", input_name);
    done += (size_t)got;
  }
}

/* Letters, in runs most of which come several times. */
static unsigned char made_byte(uint64_t at) {
  uint64_t runs = (uint64_t)byte_count / RUN / 3 + 1;
  uint64_t run = random_number(at / RUN ^ (uint64_t)seed << 40) % runs;
  uint64_t letters = random_number(run * RUN + at % RUN / 8);
  return (unsigned char)('a' + (letters >> at % 8 * 8) % 16);
}

static void read_input(unsigned char *to, long at, size_t count) {
  if (input_name)
    read_file(to, at, count);
  else
    for (size_t i = 0; i < count; i++)
      to[i] = made_byte((uint64_t)at + i);
}

/*===-- Chunks --------------------------------------------------------------===*/

/* What a chunk is known by. */
struct key {
  uint64_t low, high;
};

/* Of the table: a content that is there. */
struct entry {
  struct key key;
  struct entry *next; /* of the bucket */
  unsigned char *packed;
  size_t packed_size;
  long number; /* in the order in which they are written; -1: it is not yet */
  bool is_packed;
};

struct chunk {
  _Alignas(64) struct fragment *fragment;
  unsigned char *start;
  size_t size;
  struct key key;
  struct entry *entry;
  bool is_new, has_come;
};

struct fragment {
  long number, at;
  size_t size;
  bool is_last;
  unsigned node; /* where it is refined */
  unsigned char *bytes;
  struct chunk *chunks;
  size_t count;
};

static uint64_t roll(uint64_t hash, unsigned char byte) {
  return (hash << 1) + random_number(byte);
}

/* Whether the last bytes say so, one time of 2^bits. */
static bool is_cut(uint64_t hash, unsigned bits) { return hash >> (64 - bits) == 0; }

/* Where a fragment ends: behind `FRAGMENT` bytes, at the next place where the content says so. */
static long end_of_fragment(long at) {
  unsigned char bytes[4096];
  uint64_t hash = 0;
  if (byte_count - at <= FRAGMENT + (long)sizeof bytes)
    return byte_count;
  read_input(bytes, at + FRAGMENT, sizeof bytes);
  for (size_t i = 0; i < sizeof bytes; i++) {
    hash = roll(hash, bytes[i]);
    if (i >= WINDOW && is_cut(hash, 8))
      return at + FRAGMENT + (long)i;
  }
  return at + FRAGMENT + (long)sizeof bytes;
}

static void read_fragment(struct fragment *fragment) {
  fragment->bytes = allocate(fragment->size, 1);
  read_input(fragment->bytes, fragment->at, fragment->size);
}

static size_t size_of_chunk(const unsigned char *bytes, size_t left) {
  uint64_t hash = 0;
  size_t most = left < MOST_CHUNK ? left : MOST_CHUNK;
  for (size_t i = LEAST_CHUNK - WINDOW; i < most; i++) {
    hash = roll(hash, bytes[i]);
    if (i >= LEAST_CHUNK && is_cut(hash, 10))
      return i;
  }
  return most;
}

static struct key key_of(const unsigned char *bytes, size_t size) {
  struct key key = {size, ~size};
  for (size_t i = 0; i < size; i += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
    key.low = random_number(key.low ^ word);
    key.high = random_number(key.high + word) ^ key.low;
  }
  return key;
}

/* At least one, which is empty where the input is. */
static void cut_into_chunks(struct fragment *fragment) {
  size_t at = 0;
  fragment->chunks = allocate(fragment->size / LEAST_CHUNK + 1, sizeof *fragment->chunks);
  fragment->count = 0;
  do {
    struct chunk *chunk = &fragment->chunks[fragment->count++];
    *chunk = (struct chunk){.fragment = fragment, .start = fragment->bytes + at};
    chunk->size = size_of_chunk(chunk->start, fragment->size - at);
    chunk->key = key_of(chunk->start, chunk->size);
    at += chunk->size;
  } while (at < fragment->size);
}

/*===-- The table -----------------------------------------------------------===*/

struct bucket {
  _Alignas(64) pthread_mutex_t lock;
  struct entry *first;
};

static struct bucket **table; /* by part */
static size_t bucket_count;   /* of a part */

static struct entry *new_entry(struct bucket *bucket, const struct key *key) {
  struct entry *entry = allocate(1, sizeof *entry);
  *entry = (struct entry){.key = *key, .next = bucket->first, .number = -1};
  return bucket->first = entry;
}

static struct entry *entry_in(struct bucket *bucket, const struct key *key, bool *is_new) {
  struct entry *entry = bucket->first;
  while (entry && (entry->key.low != key->low || entry->key.high != key->high))
    entry = entry->next;
  *is_new = !entry;
  return entry ? entry : new_entry(bucket, key);
}

static void look_up(struct bucket *part, struct chunk *chunk) {
  struct bucket *bucket = &part[chunk->key.low % bucket_count];
  pthread_mutex_lock(&bucket->lock);
  chunk->entry = entry_in(bucket, &chunk->key, &chunk->is_new);
  pthread_mutex_unlock(&bucket->lock);
}

static void begin_part(unsigned part) {
  for (size_t i = 0; i < bucket_count; i++) {
    pthread_mutex_init(&table[part][i].lock, NULL);
    table[part][i].first = NULL;
  }
}

static void free_entries(struct entry *entry) {
  while (entry) {
    struct entry *next = entry->next;
    free(entry->packed);
    free(entry);
    entry = next;
  }
}

/*===-- Parts ---------------------------------------------------------------===*/

enum { REFINE, HASH, COMPRESS, WRITE, STAGES };

static void refine(unsigned node), hash(unsigned node), compress_chunks(unsigned node),
    write_all(unsigned node);

static struct stage stages[STAGES] = {[REFINE] = {.work = refine},
                                      [HASH] = {.work = hash, .uses_parts = true},
                                      [COMPRESS] = {.work = compress_chunks, .uses_parts = true},
                                      [WRITE] = {.work = write_all}};

static void make_table(void) {
  unsigned parts = count_parts();
  bucket_count = (size_t)byte_count / 4096 / parts + 1;
  table = allocate(parts, sizeof *table);
  for (unsigned part = 0; part < parts; part++)
    table[part] = part_memory(part, bucket_count, sizeof *table[part]);
  do_there(parts, begin_part);
}

/* The bytes of a fragment are where somebody reads them first: who cuts it off, or who refines it.
 */
static void read_to_cut(struct fragment *fragment) {
  if (!has_parts)
    read_fragment(fragment);
}

static void read_to_refine(struct fragment *fragment, unsigned node) {
  if (has_parts)
    read_fragment(fragment);
  fragment->node = node;
}

/* Also of a chunk: the node to which it goes. */
static unsigned part_of(const struct key *key) {
  return has_parts ? (unsigned)(key->high % node_count) : 0;
}

/*===-- Stages --------------------------------------------------------------===*/

static void fragment(unsigned node) {
  long number = 0, at = 0;
  (void)node;
  do {
    struct fragment *next = allocate(1, sizeof *next);
    long end = end_of_fragment(at);
    *next = (struct fragment){.number = number++, .at = at, .size = (size_t)(end - at)};
    next->is_last = end == byte_count;
    read_to_cut(next);
    put(&stages[REFINE], 0, next);
    at = end;
  } while (at < byte_count);
}

/* Chunks may be gone through, and all be freed, once the last one has been put. */
static void refine(unsigned node) {
  struct fragment *fragment;
  while ((fragment = take(&stages[REFINE], node))) {
    read_to_refine(fragment, node);
    cut_into_chunks(fragment);
    size_t count = fragment->count;
    struct chunk *chunks = fragment->chunks;
    for (size_t i = 0; i < count; i++)
      put(&stages[HASH], part_of(&chunks[i].key), &chunks[i]);
  }
}

static void hash(unsigned node) {
  struct chunk *chunk;
  while ((chunk = take(&stages[HASH], node))) {
    look_up(table[part_of(&chunk->key)], chunk);
    put(&stages[chunk->is_new ? COMPRESS : WRITE], chunk->fragment->node, chunk);
  }
}

static void compress_chunks(unsigned node) {
  struct chunk *chunk;
  while ((chunk = take(&stages[COMPRESS], node))) {
    unsigned char packed[MOST_CHUNK + MOST_CHUNK / 8 + 64];
    uLongf size = sizeof packed;
    if (compress2(packed, &size, chunk->start, chunk->size, Z_BEST_SPEED) != Z_OK)
      fail("zlib does not compress %zu bytes", chunk->size);
    chunk->entry->packed = allocate(size, 1);
    memcpy(chunk->entry->packed, packed, size);
    chunk->entry->packed_size = size;
    put(&stages[WRITE], 0, chunk);
  }
}

/*===-- Writing -------------------------------------------------------------===*/

static struct {
  struct bytes packed;
  struct fragment **fragments; /* by number; NULL: no chunk of it has come */
  size_t room;
  size_t fragment, chunk; /* the next ones to be written */
  long entries, chunks;
  uLong checksum;
} output;

static void write_chunk(const struct chunk *chunk) {
  struct entry *entry = chunk->entry;
  bool is_first = entry->number < 0;
  output.checksum = crc32(output.checksum, chunk->start, (uInt)chunk->size);
  if (!chunk->size)
    return;
  output.chunks++;
  if (is_first)
    entry->number = output.entries++;
  append_number(&output.packed, is_first ? 2 * chunk->size : 2 * (uint64_t)entry->number + 1);
  if (!is_first)
    return;
  append_number(&output.packed, entry->packed_size);
  append(&output.packed, entry->packed, entry->packed_size);
}

static void note_chunk(struct chunk *chunk) {
  size_t number = (size_t)chunk->fragment->number;
  size_t room = output.room;
  if (number >= room) {
    output.room = 2 * number + 64;
    output.fragments = realloc(output.fragments, output.room * sizeof *output.fragments);
    if (!output.fragments)
      fail("no memory for %zu fragments", output.room);
    memset(output.fragments + room, 0, (output.room - room) * sizeof *output.fragments);
  }
  output.fragments[number] = chunk->fragment;
  chunk->has_come = true;
  if (chunk->is_new)
    chunk->entry->is_packed = true;
}

static void free_fragment(struct fragment *fragment) {
  free(fragment->bytes);
  free(fragment->chunks);
  free(fragment);
}

/* @return whether a chunk could be written, or all of a fragment has been */
static bool write_next(bool *is_all) {
  struct fragment *fragment =
      output.fragment < output.room ? output.fragments[output.fragment] : NULL;
  if (!fragment)
    return false;
  const struct chunk *chunk = &fragment->chunks[output.chunk];
  if (!chunk->has_come || !chunk->entry->is_packed)
    return false;
  write_chunk(chunk);
  if (++output.chunk < fragment->count)
    return true;
  *is_all = fragment->is_last;
  free_fragment(fragment);
  output.fragments[output.fragment++] = NULL;
  output.chunk = 0;
  return true;
}

/* When everything has come, all stages end. */
static void write_all(unsigned node) {
  bool is_all = false;
  append(&output.packed, magic, sizeof magic);
  append_number(&output.packed, (uint64_t)byte_count);
  output.checksum = crc32(0, NULL, 0);
  while (!is_all) {
    note_chunk(take(&stages[WRITE], node));
    while (!is_all && write_next(&is_all))
      ;
  }
  append_number(&output.packed, output.checksum);
  free(output.fragments);
  end_stages(stages, STAGES);
}

/*===-- The result ----------------------------------------------------------===*/

static void write_file(const char *name, const struct bytes *bytes) {
  FILE *file = fopen(name, "wb");
  if (!file)
    fail("%s: %s", name, strerror(errno));
  bool written = fwrite(bytes->start, 1, bytes->count, file) == bytes->count;
  if (fclose(file) != 0 || !written)
    fail("%s: cannot be written: %s", name, strerror(errno));
}

static int unpack_file(void) {
  struct bytes packed = {0}, whole;
  input_name = packed_name;
  open_input();
  packed.start = allocate((size_t)byte_count, 1);
  packed.count = (size_t)byte_count;
  read_file(packed.start, 0, packed.count);
  const char *wrong = unpack(&packed, &whole);
  if (wrong)
    fail("%s: %s", packed_name, wrong);
  if (output_name)
    write_file(output_name, &whole);
  uint64_t checksum = checksum_of(&whole);
  free(packed.start);
  free(whole.start);
  return tell(checksum, true);
}

static bool right;

/* What was packed is the input, byte for byte. */
static void verify(unsigned node) {
  struct bytes whole;
  unsigned char bytes[4096];
  (void)node;
  right = !unpack(&output.packed, &whole) && whole.count == (size_t)byte_count;
  for (size_t at = 0; right && at < whole.count; at += sizeof bytes) {
    size_t count = whole.count - at < sizeof bytes ? whole.count - at : sizeof bytes;
    read_input(bytes, (long)at, count);
    right = memcmp(bytes, whole.start + at, count) == 0;
  }
  free(whole.start);
}

static void free_table(void) {
  for (unsigned part = 0; part < count_parts(); part++) {
    for (size_t i = 0; i < bucket_count; i++)
      free_entries(table[part][i].first);
    free_part(table[part]);
  }
  free(table);
}

static int pack(void) {
  open_input();
  find_nodes();
  make_table();
  run_stages(fragment, stages, STAGES, thread_count);
  free_table();
  if (output_name)
    write_file(output_name, &output.packed);
  printf("%ld bytes: %ld chunks, %ld of them different, %zu bytes\n", byte_count, output.chunks,
         output.entries, output.packed.count);
  do_there(1, verify);
  return tell(checksum_of(&output.packed), right);
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {
      {.name = "--table", .choice = &has_parts, .words = {"shared", "parts"}},
      {.name = "--home", .choice = &leaves_home, .words = {"yes", "no"}},
      {.name = "--bytes", .number = &byte_count, .least = 0, .most = 1L << 40},
      {.name = "--input", .file = &input_name},
      {.name = "--output", .file = &output_name},
      {.name = "--unpack", .file = &packed_name},
      {.name = "--threads", .number = &thread_count, .least = 1, .most = 1L << 16},
      {.name = "--seed", .number = &seed, .least = 0, .most = (1L << 24) - 1},
      {.name = NULL}};
  (void)argument_count;
  read_options(arguments, options);
  return packed_name ? unpack_file() : pack();
}
