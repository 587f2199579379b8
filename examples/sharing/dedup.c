/*===-- dedup.c - compresses a stream, what is there twice only once -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Compression by deduplication, as a pipeline of five stages: fragment cuts the input into large
 * pieces, refine these into chunks, both where a rolling hash of the content says so; hash gives
 * each chunk a key and looks it up in a table; compress compresses what is new there; write puts
 * all in order again, with a reference for each chunk that was there before.
 *
 * --table=shared is one table, which the threads of hash use on all nodes, and chunks go to any
 * thread.  --table=parts has a part of it on each node, to which chunks go by their key, a copy of
 * which becomes the table's; so refine gives them keys.  Fragments are read where they are refined,
 * and what is new goes back there to be compressed.  What became of it does not go into the table,
 * where others would look for it, but with the chunk to the thread that writes.  All that differs
 * is in the section "Parts".
 * --home=no leaves the parts where they are first touched or interleaved.
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
#include <stdatomic.h>
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

/* What became of a content.  The rest is the writing thread's own. */
struct content {
  unsigned char *packed;
  uLong packed_size;
  long number; /* in the order in which they are written, from 1; 0: it is not yet */
  bool is_packed;
};

/* Of the table: a content that is there. */
struct entry {
  struct key key;
  struct entry *next; /* of the bucket */
  unsigned serial;    /* in the part: from 0 */
  struct content content;
};

struct chunk {
  _Alignas(64) struct fragment *fragment;
  unsigned char *start;
  size_t size;
  struct key key;
  struct entry *entry;
  unsigned serial; /* of the entry */
  bool is_new, has_come;
  struct content content; /* that it brings, where the entry has it not */
};

struct fragment {
  long number, at;
  size_t size;
  bool is_last;
  unsigned node; /* where it is refined */
  unsigned char *bytes;
  uLong checksum;
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
    at += chunk->size;
  } while (at < fragment->size);
}

/*===-- The table -----------------------------------------------------------===*/

struct bucket {
  _Alignas(64) pthread_mutex_t lock;
  struct entry *first;
};

struct part {
  _Alignas(64) atomic_uint entries;
  struct bucket buckets[];
};

static struct part **table; /* by part */
static size_t bucket_count; /* of a part */

static struct entry *new_entry(struct part *part, struct bucket *bucket, const struct key *key) {
  struct entry *entry = allocate(1, sizeof *entry);
  unsigned serial = atomic_fetch_add_explicit(&part->entries, 1, memory_order_relaxed);
  *entry = (struct entry){.key = *key, .next = bucket->first, .serial = serial};
  return bucket->first = entry;
}

static struct entry *entry_in(struct part *part, struct bucket *bucket, const struct key *key,
                              bool *is_new) {
  struct entry *entry = bucket->first;
  while (entry && (entry->key.low != key->low || entry->key.high != key->high))
    entry = entry->next;
  *is_new = !entry;
  return entry ? entry : new_entry(part, bucket, key);
}

static void look_up(struct part *part, struct chunk *chunk) {
  struct bucket *bucket = &part->buckets[chunk->key.low % bucket_count];
  pthread_mutex_lock(&bucket->lock);
  chunk->entry = entry_in(part, bucket, &chunk->key, &chunk->is_new);
  chunk->serial = chunk->entry->serial;
  pthread_mutex_unlock(&bucket->lock);
}

static void begin_part(unsigned part) {
  atomic_init(&table[part]->entries, 0);
  for (size_t i = 0; i < bucket_count; i++) {
    pthread_mutex_init(&table[part]->buckets[i].lock, NULL);
    table[part]->buckets[i].first = NULL;
  }
}

static void free_entries(unsigned part) {
  for (size_t i = 0; i < bucket_count; i++)
    for (struct entry *entry = table[part]->buckets[i].first, *next; entry; entry = next) {
      next = entry->next;
      free(entry->content.packed);
      free(entry);
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
  bucket_count = (size_t)byte_count / 1024 / parts + 1;
  table = allocate(parts, sizeof *table);
  size_t size = sizeof **table + bucket_count * sizeof *table[0]->buckets;
  for (unsigned part = 0; part < parts; part++)
    table[part] = part_memory(part, 1, size);
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

/* A chunk that goes by its key needs one before. */
static void give_key_to_go(struct chunk *chunk) {
  if (has_parts)
    chunk->key = key_of(chunk->start, chunk->size);
}

static void give_key_to_look_up(struct chunk *chunk) {
  if (!has_parts)
    chunk->key = key_of(chunk->start, chunk->size);
}

/* Also of a chunk: the node to which it goes. */
static unsigned part_of(const struct key *key) {
  return has_parts ? (unsigned)(key->high % node_count) : 0;
}

/* By serial and part: those that have come to the thread that writes. */
static struct content *contents;
static size_t contents_room;

/* Of a chunk that is new: where the thread that compresses it leaves what it has made. */
static struct content *content_to_fill(struct chunk *chunk) {
  return has_parts ? &chunk->content : &chunk->entry->content;
}

/* Of any chunk, for the thread that writes. */
static struct content *content_of(const struct chunk *chunk) {
  return has_parts ? &contents[chunk->serial * node_count + part_of(&chunk->key)]
                   : &chunk->entry->content;
}

static void note_content(const struct chunk *chunk) {
  if (has_parts)
    contents =
        grow(contents, &contents_room, ((size_t)chunk->serial + 1) * node_count, sizeof *contents);
  if (has_parts && chunk->is_new)
    *content_of(chunk) = chunk->content;
  if (chunk->is_new)
    content_of(chunk)->is_packed = true;
}

static void free_contents(void) {
  for (size_t i = 0; i < contents_room; i++)
    free(contents[i].packed);
  free(contents);
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
    fragment->checksum = crc32(crc32(0, NULL, 0), fragment->bytes, (uInt)fragment->size);
    cut_into_chunks(fragment);
    size_t count = fragment->count;
    struct chunk *chunks = fragment->chunks;
    for (size_t i = 0; i < count; i++) {
      give_key_to_go(&chunks[i]);
      put(&stages[HASH], part_of(&chunks[i].key), &chunks[i]);
    }
  }
}

static void hash(unsigned node) {
  struct part *part = table[has_parts ? node : 0];
  struct chunk *chunk;
  while ((chunk = take(&stages[HASH], node))) {
    give_key_to_look_up(chunk);
    look_up(part, chunk);
    put(&stages[chunk->is_new ? COMPRESS : WRITE], chunk->fragment->node, chunk);
  }
}

/* zlib gets a copy: what it reads itself is not traced. */
static void compress_into(struct content *content, const struct chunk *chunk) {
  unsigned char bytes[MOST_CHUNK];
  content->packed_size = compressBound(chunk->size);
  unsigned char *packed = allocate(content->packed_size, 1);
  memcpy(bytes, chunk->start, chunk->size);
  if (compress2(packed, &content->packed_size, bytes, chunk->size, Z_BEST_SPEED) != Z_OK)
    fail("zlib does not compress %zu bytes", chunk->size);
  content->packed = realloc(packed, content->packed_size);
  if (!content->packed)
    fail("no memory for %lu bytes", content->packed_size);
}

static void compress_chunks(unsigned node) {
  struct chunk *chunk;
  while ((chunk = take(&stages[COMPRESS], node))) {
    compress_into(content_to_fill(chunk), chunk);
    put(&stages[WRITE], 0, chunk);
  }
}

/*===-- Writing -------------------------------------------------------------===*/

enum { KEPT = 4096 /* bytes, before they are written */ };

static struct {
  struct bytes packed;         /* that is not written yet */
  FILE *file;                  /* without a name */
  struct fragment **fragments; /* by number; NULL: no chunk of it has come */
  size_t room;
  size_t fragment, chunk; /* the next ones to be written */
  long entries, chunks;
  uLong checksum;
} output;

static void write_kept(void) {
  if (fwrite(output.packed.start, 1, output.packed.count, output.file) != output.packed.count)
    fail("no room for what is packed: %s", strerror(errno));
  output.packed.count = 0;
}

static void write_chunk(const struct chunk *chunk) {
  struct content *content = content_of(chunk);
  bool is_first = !content->number;
  if (!chunk->size)
    return;
  output.chunks++;
  if (is_first)
    content->number = ++output.entries;
  append_number(&output.packed,
                is_first ? 2 * chunk->size : 2 * (uint64_t)(content->number - 1) + 1);
  if (!is_first)
    return;
  append_number(&output.packed, content->packed_size);
  append(&output.packed, content->packed, content->packed_size);
  free(content->packed);
  content->packed = NULL;
  if (output.packed.count >= KEPT)
    write_kept();
}

static void note_chunk(struct chunk *chunk) {
  size_t number = (size_t)chunk->fragment->number;
  output.fragments = grow(output.fragments, &output.room, number + 1, sizeof *output.fragments);
  output.fragments[number] = chunk->fragment;
  chunk->has_come = true;
  note_content(chunk);
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
  if (!chunk->has_come || !content_of(chunk)->is_packed)
    return false;
  write_chunk(chunk);
  if (++output.chunk < fragment->count)
    return true;
  output.checksum = crc32_combine(output.checksum, fragment->checksum, (z_off_t)fragment->size);
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
  write_kept();
  free(output.fragments);
  free_contents();
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

static void open_output(void) {
  output.file = tmpfile();
  if (!output.file)
    fail("no file for what is packed: %s", strerror(errno));
}

/* All that was packed, in memory. */
static struct bytes packed;

static void read_packed(void) {
  long size = ftell(output.file);
  packed = (struct bytes){.start = allocate((size_t)size, 1), .count = (size_t)size};
  rewind(output.file);
  if (fread(packed.start, 1, packed.count, output.file) != packed.count)
    fail("what was packed cannot be read again: %s", strerror(errno));
  fclose(output.file);
}

static bool right;

/* What was packed is the input, byte for byte. */
static void verify(unsigned node) {
  struct bytes whole;
  unsigned char bytes[4096];
  (void)node;
  right = !unpack(&packed, &whole) && whole.count == (size_t)byte_count;
  for (size_t at = 0; right && at < whole.count; at += sizeof bytes) {
    size_t count = whole.count - at < sizeof bytes ? whole.count - at : sizeof bytes;
    read_input(bytes, (long)at, count);
    right = memcmp(bytes, whole.start + at, count) == 0;
  }
  free(whole.start);
}

static void free_table(void) {
  do_there(count_parts(), free_entries);
  for (unsigned part = 0; part < count_parts(); part++)
    free_part(table[part]);
  free(table);
}

static int pack(void) {
  open_input();
  open_output();
  find_nodes();
  make_table();
  run_stages(fragment, stages, STAGES, thread_count);
  free_table();
  read_packed();
  if (output_name)
    write_file(output_name, &packed);
  printf("%ld bytes: %ld chunks, %ld of them different, %zu bytes\n", byte_count, output.chunks,
         output.entries, packed.count);
  do_there(1, verify);
  return tell(checksum_of(&packed), right);
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
