/*===-- model_test.c - caches and prefetchers, by hand -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What trace/model/ says, beside what was computed by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "trace/model/caches.h"
#include "trace/model/prefetcher.h"

/*===-- Caches --------------------------------------------------------------===*/

/* Accesses are node, r or w, line; line A is the first of memory.  Sources are L, the node's own
   cache, R, a remote one, and M, memory.  At the end a line is held in each node's cache as its
   letter's word says: invalid, shared, exclusive, modified. */
struct sequence {
  unsigned nodes, ways;
  size_t sets;
  const char *accesses, *sources, *held;
};

static const struct sequence sequences[] = {
    /* One access. */
    {2, 2, 1, "0rA", "M", "A:EI"},
    {2, 2, 1, "0wA", "M", "A:MI"},
    /* The same node again. */
    {2, 2, 1, "0rA 0rA", "ML", "A:EI"},
    {2, 2, 1, "0rA 0wA", "ML", "A:MI"},
    {2, 2, 1, "0wA 0rA", "ML", "A:MI"},
    {2, 2, 1, "0wA 0wA", "ML", "A:MI"},
    /* Another one. */
    {2, 2, 1, "0rA 1rA", "MR", "A:SS"},
    {2, 2, 1, "0rA 1wA", "MR", "A:IM"},
    {2, 2, 1, "0wA 1rA", "MR", "A:SS"},
    {2, 2, 1, "0wA 1wA", "MR", "A:IM"},
    /* What is shared. */
    {2, 2, 1, "0rA 1rA 0rA", "MRL", "A:SS"},
    {2, 2, 1, "0rA 1rA 0wA", "MRL", "A:MI"},
    {2, 2, 1, "0rA 1rA 1wA", "MRL", "A:IM"},
    {2, 2, 1, "0rA 1rA 0wA 1rA", "MRLR", "A:SS"},
    {2, 2, 1, "0rA 1rA 0wA 1wA", "MRLR", "A:IM"},
    {2, 2, 1, "0wA 1wA 0wA 1wA", "MRRR", "A:IM"},
    {2, 2, 1, "0wA 1rA 0wA 1rA", "MRLR", "A:SS"},
    {2, 2, 1, "0wA 1wA 0rA", "MRR", "A:SS"},
    /* One node whose cache is full: what was used last longest ago goes. */
    {1, 2, 1, "0rA 0rB 0rA", "MML", "A:E B:E"},
    {1, 2, 1, "0rA 0rB 0rC", "MMM", "A:I B:E C:E"},
    {1, 2, 1, "0rA 0rB 0rA 0rC 0rB", "MMLMM", "A:I B:E C:E"},
    {1, 2, 1, "0wA 0rB 0rC 0rA", "MMMM", "A:E B:I C:E"},
    {1, 1, 1, "0rA 0rB 0rA", "MMM", "A:E B:I"},
    {1, 2, 1, "0rA 0rB 0rC 0rA 0rB 0rC", "MMMMMM", "A:I B:E C:E"},
    /* Sets. */
    {1, 1, 2, "0rA 0rB 0rA 0rB", "MMLL", "A:E B:E"},
    {1, 1, 2, "0rA 0rC 0rA 0rB", "MMMM", "A:E B:E C:I"},
    {1, 2, 3, "0rA 0rD 0rG 0rB 0rD 0rB", "MMMMLL", "A:I B:E D:E G:E"},
    /* Caches of several nodes that are full. */
    {2, 1, 1, "0rA 1rA 0rB 1rA", "MRML", "A:IS B:EI"},
    {2, 1, 1, "0rA 1rA 0rB 1wA", "MRML", "A:IM B:EI"},
    {2, 1, 1, "0rA 1rA 0rB 0rA", "MRMR", "A:SS B:II"},
    {2, 1, 1, "0wA 0rB 1rA", "MMM", "A:IE B:EI"},
    {2, 1, 1, "0wA 1rA 0rB 1rB", "MRMR", "A:II B:SS"},
    {2, 1, 1, "0rA 1rB 0rB 1rA", "MMRM", "A:IE B:SI"},
    {2, 2, 1, "0rA 0rB 1wA 0rC 0rB", "MMRML", "A:IM B:EI C:EI"},
    {2, 2, 1, "0rA 1rA 0rB 0rA 0rC 0rB", "MRMLMM", "A:IS B:EI C:EI"},
    /* More nodes. */
    {3, 2, 1, "0rA 1rA 2rA 0wA 2rA", "MRRLR", "A:SIS"},
    {3, 2, 1, "0rA 1rA 2wA 0rA 1rA", "MRRRR", "A:SSS"},
    {4, 2, 1, "0wA 1rA 2rA 3rA 1wA", "MRRRL", "A:IMII"},
    {64, 1, 1, "0wA 1rA", "MR",
     "A:SSIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII"},
};

static uintptr_t address_of(char line) { return (uintptr_t)(line - 'A') << MODEL_LINE_SHIFT; }

static void check_sources(struct model_caches *caches, const struct sequence *sequence) {
  const char *at = sequence->accesses;
  for (const char *source = sequence->sources; *source; source++, at += at[3] ? 4 : 3) {
    /* Any byte of the line is the same. */
    uintptr_t address = address_of(at[2]) + (uintptr_t)(source - sequence->sources) * 8 % 64;
    enum model_source found =
        model_caches_access(caches, (unsigned)(at[0] - '0'), address, at[1] == 'w');
    if ("LRM"[found] != *source) {
      printf("%s: %.3s is %c, not %c\n", sequence->accesses, at, "LRM"[found], *source);
      failures++;
    }
  }
}

static void check_states(const struct model_caches *caches, const struct sequence *sequence) {
  for (const char *at = sequence->held; *at; at += *at == ' ') {
    char line = *at;
    at += 2;
    for (unsigned node = 0; *at && *at != ' '; node++, at++) {
      char found = "ISEM"[model_caches_state(caches, node, address_of(line))];
      if (found != *at) {
        printf("%s: %c is %c on node %u, not %c\n", sequence->accesses, line, found, node, *at);
        failures++;
      }
    }
  }
}

static void check_sequence(const struct sequence *sequence) {
  struct model_shape shape = {sequence->nodes, sequence->ways, sequence->sets};
  struct model_caches caches;
  void *memory = calloc(1, model_caches_bytes(&shape));
  model_caches_init(&caches, &shape, memory);
  check_sources(&caches, sequence);
  check_states(&caches, sequence);
  free(memory);
}

static void check_shapes(void) {
  struct model_shape shape = model_shape_of(4, (size_t)12 << 20, 16);
  CHECK(shape.nodes == 4 && shape.ways == 16 && shape.sets == 12288);
  shape = model_shape_of(1, 64, 16);
  CHECK(shape.sets == 1);
}

/*===-- Prefetchers ---------------------------------------------------------===*/

enum { HERE = 0x401000, THERE = 0x402000 };

static struct model_prefetcher prefetcher;

static void forget(void) { memset(&prefetcher, 0, sizeof prefetcher); }

/* How many of `count` misses at a distance are predicted; all of them are to be misses. */
static unsigned predicted_at(intptr_t distance, unsigned count) {
  uintptr_t address = (uintptr_t)1 << 30;
  unsigned predicted = 0;
  forget();
  for (unsigned i = 0; i < count; i++, address += (uintptr_t)distance) {
    enum model_prediction found = model_prefetcher_see(&prefetcher, address, HERE);
    CHECK(found != MODEL_HIT);
    predicted += found == MODEL_PREDICTED;
  }
  return predicted;
}

static void check_distances(void) {
  CHECK(predicted_at(64, 3) == 0);
  CHECK(predicted_at(64, 100) == 97);
  CHECK(predicted_at(-64, 100) == 97);
  CHECK(predicted_at(96, 100) == 97);
  CHECK(predicted_at(2048, 100) == 97);
  CHECK(predicted_at(2112, 100) == 0);
  CHECK(predicted_at(4096, 100) == 0);
}

/* What is read in pieces misses once a line. */
static void check_hits(void) {
  unsigned count[3] = {0};
  forget();
  for (uintptr_t address = 4096; address < 4096 + 24 * 64; address += 8)
    count[model_prefetcher_see(&prefetcher, address, HERE)]++;
  CHECK(count[MODEL_HIT] == 7 * 24);
  CHECK(count[MODEL_MISSED] == 3);
  CHECK(count[MODEL_PREDICTED] == 21);
}

/* Rows of so many lines that lie anywhere: the first three of each are not predicted. */
static unsigned predicted_in_rows(unsigned lines, unsigned rows) {
  unsigned predicted = 0;
  forget();
  for (unsigned row = 0; row < rows; row++)
    for (unsigned line = 0; line < lines; line++) {
      uintptr_t address = ((uintptr_t)1 << 30) + ((uintptr_t)row * 7919 % rows << 16) + line * 64;
      predicted += model_prefetcher_see(&prefetcher, address, HERE) == MODEL_PREDICTED;
    }
  return predicted;
}

static void check_rows(void) {
  CHECK(predicted_in_rows(1, 1000) == 0);
  CHECK(predicted_in_rows(2, 1000) == 0);
  CHECK(predicted_in_rows(8, 1000) == 5 * 1000);
}

/* One instruction goes through so many pages in turns: only the streams of pages see that. */
static unsigned predicted_in_turns(unsigned pages) {
  unsigned predicted = 0;
  forget();
  for (unsigned line = 0; line < 10; line++)
    for (unsigned page = 0; page < pages; page++)
      predicted += model_prefetcher_see(&prefetcher, (1 + (uintptr_t)page * 3) * 4096 + line * 64,
                                        HERE) == MODEL_PREDICTED;
  return predicted;
}

static void check_streams(void) {
  CHECK(predicted_in_turns(2) == 2 * 7);
  CHECK(predicted_in_turns(32) == 32 * 7);
  CHECK(predicted_in_turns(33) == 0);
}

/* Two instructions do not disturb one another, and a page is followed across instructions. */
static void check_instructions(void) {
  unsigned predicted = 0;
  forget();
  for (uintptr_t i = 0; i < 10; i++) {
    predicted += model_prefetcher_see(&prefetcher, 0x100000 + i * 1024, HERE) == MODEL_PREDICTED;
    predicted += model_prefetcher_see(&prefetcher, 0x900000 - i * 512, THERE) == MODEL_PREDICTED;
  }
  CHECK(predicted == 2 * 7);
  predicted = 0;
  forget();
  for (uintptr_t i = 0; i < 10; i++)
    predicted +=
        model_prefetcher_see(&prefetcher, 0x100000 + i * 64, 0x500000 + i * 16) == MODEL_PREDICTED;
  CHECK(predicted == 7);
}

/* 9 lines of one of the sets of 8 do not stay; 8 do. */
static void check_first_cache(void) {
  for (unsigned lines = 8; lines <= 9; lines++) {
    unsigned hits = 0;
    forget();
    for (unsigned i = 0; i < 3 * lines; i++)
      hits += model_prefetcher_see(&prefetcher, (uintptr_t)(i % lines) * 4096, HERE) == MODEL_HIT;
    CHECK(hits == (lines == 8 ? 16 : 0));
  }
}

int main(void) {
  size_t count = sizeof sequences / sizeof *sequences;
  for (size_t i = 0; i < count; i++)
    check_sequence(&sequences[i]);
  check_shapes();
  check_distances();
  check_hits();
  check_rows();
  check_streams();
  check_instructions();
  check_first_cache();
  printf("%zu sequences, %d failures\n", count, failures);
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
