/*===-- policy_text.c - policies as text -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The grammar is that of minas(7).  Words stand between blanks; a list or a
 * range is one word.  Whether the numbers suit an array and the machine is not known here.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "placement.h"
#include "policy.h"
#include "runtime/fail.h"
#include "runtime/heap.h"

/* A policy has no more nodes and shares than Linux can have nodes. */
enum { MOST_ENTRIES = MAI_MOST_NODES };

/* More bytes than an array on a node can have. */
#define MOST_PIECE (1UL << 40)

struct parser {
  const char *text;
  const char *at;
  mai_policy_t *policy;
  unsigned *nodes;       /* the policy's list */
  unsigned long *shares; /* the policy's list */
  unsigned said;         /* a bit for each refinement that was read */
  struct mai_policy_error *error;
};

/*===-- Words and messages -------------------------------------------------===*/

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static bool is_printable(char c) { return c > ' ' && c < 0x7f; }

static bool ends_word(char c) { return c == '\0' || is_blank(c); }

static void skip_blanks(struct parser *parser) {
  while (is_blank(*parser->at))
    parser->at++;
}

/* What stands at `at`, for a message. */
static void describe(const char *at, char *text, size_t size) {
  int length = 0;
  while (length < 20 && is_printable(at[length]))
    length++;
  if (length)
    snprintf(text, size, "'%.*s'", length, at);
  else if (*at == '\0')
    snprintf(text, size, "the end");
  else if (is_blank(*at))
    snprintf(text, size, "a blank");
  else
    snprintf(text, size, "the byte 0x%02x", (unsigned char)*at);
}

static int fail_at(struct parser *parser, const char *at, const char *expected) {
  char found[32];
  describe(at, found, sizeof found);
  parser->error->column = (size_t)(at - parser->text) + 1;
  snprintf(parser->error->reason, sizeof parser->error->reason, "expected %s, found %s", expected,
           found);
  return fail(EINVAL);
}

/* Skip the word if it is next, and the blanks behind it. */
static bool accept_word(struct parser *parser, const char *word) {
  size_t length = strlen(word);
  if (strncmp(parser->at, word, length) != 0 || !ends_word(parser->at[length]))
    return false;
  parser->at += length;
  skip_blanks(parser);
  return true;
}

/* Skip `c` if it is next. */
static bool accept(struct parser *parser, char c) {
  if (*parser->at != c)
    return false;
  parser->at++;
  return true;
}

static int end_word(struct parser *parser, const char *expected) {
  if (!ends_word(*parser->at))
    return fail_at(parser, parser->at, expected);
  skip_blanks(parser);
  return 0;
}

/* A number from `least` to `most`, of which `expected` speaks. */
static int parse_number(struct parser *parser, unsigned long least, unsigned long most,
                        const char *expected, unsigned long *number) {
  const char *start = parser->at;
  unsigned long value = 0;
  *number = 0;
  if (!is_digit(*start))
    return fail_at(parser, start, expected);
  for (; is_digit(*parser->at); parser->at++) {
    unsigned long digit = (unsigned long)(*parser->at - '0');
    if (value > most / 10 || digit > most - 10 * value)
      return fail_at(parser, start, expected);
    value = 10 * value + digit;
  }
  *number = value;
  return value >= least ? 0 : fail_at(parser, start, expected);
}

/* The same as a whole word. */
static int parse_number_word(struct parser *parser, unsigned long least, unsigned long most,
                             const char *expected, unsigned long *number) {
  if (parse_number(parser, least, most, expected, number) != 0)
    return -1;
  return end_word(parser, "a blank or the end after the number");
}

/*===-- Lists --------------------------------------------------------------===*/

#define EXPECTED_NODES "nodes, 0 to 1023, such as 0,2-3"
_Static_assert(MAI_MOST_NODES == 1024, "EXPECTED_NODES says which there can be");

static int add_node(struct parser *parser, const char *at, unsigned long node) {
  for (unsigned i = 0; i < parser->policy->node_count; i++)
    if (parser->nodes[i] == node)
      return fail_at(parser, at, "each node once");
  parser->nodes[parser->policy->node_count++] = (unsigned)node; /* one of MAI_MOST_NODES */
  return 0;
}

/* A node, or a range up or down. */
static int parse_node_range(struct parser *parser) {
  const char *start = parser->at;
  unsigned long first;
  unsigned long last;
  if (parse_number(parser, 0, MAI_MOST_NODES - 1, EXPECTED_NODES, &first) != 0)
    return -1;
  last = first;
  if (accept(parser, '-') && parse_number(parser, 0, MAI_MOST_NODES - 1,
                                          "the last node of the range, 0 to 1023", &last) != 0)
    return -1;
  for (unsigned long node = first;; first < last ? node++ : node--) {
    if (add_node(parser, start, node) != 0)
      return -1;
    if (node == last)
      return 0;
  }
}

static int parse_nodes(struct parser *parser) {
  parser->nodes = minas_alloc_list(MOST_ENTRIES, sizeof *parser->nodes);
  parser->policy->nodes = parser->nodes;
  if (!parser->nodes)
    return -1;
  do {
    if (parse_node_range(parser) != 0)
      return -1;
  } while (accept(parser, ','));
  return end_word(parser, "a comma, a range or a blank after the node");
}

static int parse_shares(struct parser *parser, unsigned long most, const char *expected) {
  parser->shares = minas_alloc_list(MOST_ENTRIES, sizeof *parser->shares);
  parser->policy->shares = parser->shares;
  if (!parser->shares)
    return -1;
  do {
    if (parser->policy->share_count == MOST_ENTRIES)
      return fail_at(parser, parser->at, "at most 1024 numbers");
    unsigned long *share = &parser->shares[parser->policy->share_count++];
    if (parse_number(parser, 0, most, expected, share) != 0)
      return -1;
  } while (accept(parser, ','));
  return end_word(parser, "a comma or a blank after the number");
}

/*===-- What stands behind the names of policies ---------------------------===*/

static int parse_nothing(struct parser *parser) {
  (void)parser;
  return 0;
}

/* One node is kept as MAI_BIND() does. */
static int parse_bind(struct parser *parser) {
  mai_policy_t *policy = parser->policy;
  if (parse_nodes(parser) != 0)
    return -1;
  if (policy->node_count > 1)
    return 0;
  policy->node = parser->nodes[0];
  policy->node_count = 0;
  policy->nodes = NULL;
  minas_free(parser->nodes);
  parser->nodes = NULL;
  return 0;
}

/* FIRST.. or FIRST..LAST */
static int parse_range(struct parser *parser) {
  static const char units[] = "a range of units such as 1..62, or 1..";
  mai_policy_t *policy = parser->policy;
  unsigned long last;
  if (!is_digit(*parser->at))
    return 0;
  if (parse_number(parser, 0, ULONG_MAX, units, &policy->first) != 0)
    return -1;
  if (strncmp(parser->at, "..", 2) != 0)
    return fail_at(parser, parser->at, "'..' after the first unit of the range");
  parser->at += 2;
  if (ends_word(*parser->at))
    return end_word(parser, units);
  const char *start = parser->at;
  if (parse_number_word(parser, 0, ULONG_MAX - 1, "the last unit of the range", &last) != 0)
    return -1;
  if (last < policy->first)
    return fail_at(parser, start, "a last unit that is not before the first");
  policy->count = last - policy->first + 1;
  return 0;
}

/* [RANGE] [shares N,N,...] */
static int parse_block(struct parser *parser) {
  if (parse_range(parser) != 0)
    return -1;
  if (!accept_word(parser, "shares"))
    return 0;
  return parse_shares(parser, UINT32_MAX, "each part's share, such as 1,3,5,7");
}

static int parse_block_cyclic(struct parser *parser) {
  if (parse_number_word(parser, 1, ULONG_MAX,
                        "how many units are distributed at a time, at least 1",
                        &parser->policy->value) != 0)
    return -1;
  return parse_range(parser);
}

static int parse_prime(struct parser *parser) {
  static const char expected[] = "a prime number";
  const char *start = parser->at;
  if (parse_number_word(parser, 2, UINT32_MAX, expected, &parser->policy->value) != 0)
    return -1;
  return mai_is_prime(parser->policy->value) ? 0 : fail_at(parser, start, expected);
}

static int parse_seed(struct parser *parser) {
  return parse_number_word(parser, 0, ULONG_MAX, "a seed, a number below 2^64",
                           &parser->policy->value);
}

static int parse_weights(struct parser *parser) {
  if (!is_digit(*parser->at))
    return 0;
  return parse_shares(parser, UINT32_MAX, "a weight, a number below 2^32");
}

static int parse_sizes(struct parser *parser) {
  return parse_shares(parser, ULONG_MAX, "how many units go to each node, such as 100,50");
}

static const char *const tiers[] = {
    [MAI_TIER_FASTEST] = "fastest", [MAI_TIER_LARGEST] = "largest", [MAI_TIER_LATENCY] = "latency"};
enum { TIERS = sizeof tiers / sizeof *tiers };

static int parse_tier(struct parser *parser) {
  for (unsigned tier = 0; tier < TIERS; tier++)
    if (accept_word(parser, tiers[tier])) {
      parser->policy->value = tier;
      return 0;
    }
  return fail_at(parser, parser->at, "fastest, largest or latency");
}

static const struct kind {
  const char *name;
  int (*parse)(struct parser *);
  bool in_pieces; /* pages may be distributed several at a time */
} kinds[] = {
    [MAI_POLICY_FIRST_TOUCH] = {"first-touch", parse_nothing, false},
    [MAI_POLICY_BIND] = {"bind", parse_bind, false},
    [MAI_POLICY_BLOCK] = {"block", parse_block, false},
    [MAI_POLICY_CYCLIC] = {"cyclic", parse_nothing, true},
    [MAI_POLICY_BLOCK_CYCLIC] = {"block-cyclic", parse_block_cyclic, false},
    [MAI_POLICY_SKEW] = {"skew", parse_nothing, true},
    [MAI_POLICY_PRIME] = {"prime", parse_prime, true},
    [MAI_POLICY_RANDOM] = {"random", parse_seed, true},
    [MAI_POLICY_WEIGHTED] = {"weighted", parse_weights, true},
    [MAI_POLICY_IRREGULAR] = {"irregular", parse_sizes, false},
    [MAI_POLICY_LOCAL] = {"local", parse_nothing, false},
    [MAI_POLICY_NEXT_TOUCH] = {"next-touch", parse_nothing, false},
    [MAI_POLICY_REPLICATE] = {"replicate", parse_nothing, false},
    [MAI_POLICY_TIER] = {"tier", parse_tier, false},
    [MAI_POLICY_DYNAMIC] = {"dynamic", parse_nothing, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char size_units[] = "KMG";

/* NUMBER, NUMBERK, NUMBERM or NUMBERG bytes. */
static int parse_piece(struct parser *parser) {
  static const char expected[] = "a size, 1 to 1024G, such as 64K";
  const char *start = parser->at;
  unsigned long *piece = &parser->policy->piece;
  if (parse_number(parser, 1, MOST_PIECE, expected, piece) != 0)
    return -1;
  const char *unit = *parser->at ? strchr(size_units, *parser->at) : NULL;
  unsigned shift = unit ? 10 * (unsigned)(unit - size_units + 1) : 0;
  parser->at += unit ? 1 : 0;
  if (*piece > MOST_PIECE >> shift)
    return fail_at(parser, start, expected);
  *piece <<= shift;
  return end_word(parser, "K, M, G, a blank or the end after the size");
}

/* Skip the policy's name where a size belongs to it, and the colon behind it. */
static bool accept_in_pieces(struct parser *parser, const struct kind *kind) {
  size_t length = strlen(kind->name);
  if (!kind->in_pieces || strncmp(parser->at, kind->name, length) != 0 || parser->at[length] != ':')
    return false;
  parser->at += length + 1;
  return true;
}

static int parse_kind(struct parser *parser) {
  for (unsigned kind = 0; kind < KINDS; kind++) {
    bool in_pieces = accept_in_pieces(parser, &kinds[kind]);
    if (!in_pieces && !accept_word(parser, kinds[kind].name))
      continue;
    parser->policy->kind = kind;
    return in_pieces && parse_piece(parser) != 0 ? -1 : kinds[kind].parse(parser);
  }
  return fail_at(parser, parser->at,
                 "a policy (first-touch, bind, block, cyclic, block-cyclic, skew, prime, random, "
                 "weighted, irregular, local, next-touch, replicate, tier, dynamic)");
}

/*===-- Refinements --------------------------------------------------------===*/

enum refinement {
  UNIT = 1,
  NODES = 2,
  THREAD_NODES = 4,
  THREADS = 8,
  STRICT = 16,
  POPULATE = 32,
  FILLED = 64,
  ALONG = 128,
  REVERSED = 256
};

/* Each refinement stands once; `at` is where this one begins. */
static int note(struct parser *parser, const char *at, enum refinement refinement) {
  if (parser->said & refinement)
    return fail_at(parser, at, "each refinement once");
  parser->said |= refinement;
  return 0;
}

static int parse_dimension(struct parser *parser) {
  unsigned long dimension;
  if (parse_number_word(parser, 0, MAI_MOST_DIMENSIONS - 1, "a dimension, 0 to 4", &dimension) != 0)
    return -1;
  parser->policy->dimension = (unsigned)dimension;
  return 0;
}
_Static_assert(MAI_MOST_DIMENSIONS == 5, "a message says which dimensions there are");

static int parse_blocks(struct parser *parser) {
  static const char expected[] = "a block's size, up to three numbers such as 8x8x4";
  unsigned dimension = 0;
  do {
    if (dimension == 3)
      return fail_at(parser, parser->at - 1, "at most three numbers for a block's size");
    if (parse_number(parser, 1, ULONG_MAX, expected, &parser->policy->block[dimension++]) != 0)
      return -1;
  } while (accept(parser, 'x'));
  return end_word(parser, "'x' or a blank after the number");
}

/* Whether a number and a comma follow. */
static bool is_list(const char *at) {
  while (*at == ' ' || *at == '\t')
    at++;
  size_t digits = strspn(at, "0123456789");
  return digits > 0 && at[digits] == ',';
}

static int parse_slices(struct parser *parser, const char *start) {
  unsigned kind = parser->policy->kind;
  if (kind != MAI_POLICY_BLOCK && kind != MAI_POLICY_BLOCK_CYCLIC)
    return fail_at(parser, start, "another unit, as slices are of block and block-cyclic");
  if (!is_list(parser->at))
    return parse_number_word(parser, 2, ULONG_MAX, "a number of slices, at least 2",
                             &parser->policy->block[0]);
  if (kind != MAI_POLICY_BLOCK || parser->shares)
    return fail_at(parser, parser->at,
                   "a number of slices, as unequal ones are of block without shares");
  return parse_shares(parser, UINT32_MAX, "each slice's part, such as 60,30,10");
}

static int parse_unit(struct parser *parser) {
  mai_policy_t *policy = parser->policy;
  const char *start = parser->at;
  policy->unit = MAI_UNIT_DIMENSION;
  if (accept_word(parser, "rows"))
    return 0;
  if (accept_word(parser, "columns")) {
    policy->dimension = 1;
    return 0;
  }
  if (accept_word(parser, "dimension"))
    return parse_dimension(parser);
  policy->unit = MAI_UNIT_PAGES;
  if (accept_word(parser, "pages"))
    return 0;
  policy->unit = MAI_UNIT_BLOCKS;
  if (accept_word(parser, "blocks"))
    return parse_blocks(parser);
  policy->unit = MAI_UNIT_SLICES;
  if (accept_word(parser, "slices"))
    return parse_slices(parser, start);
  return fail_at(parser, parser->at, "pages, rows, columns, dimension, blocks or slices");
}

static int parse_place(struct parser *parser, const char *start) {
  if (accept_word(parser, "threads")) {
    parser->policy->flags |= MAI_THREAD_NODES;
    return note(parser, start, THREAD_NODES);
  }
  if (parser->policy->kind == MAI_POLICY_BIND)
    return fail_at(parser, parser->at, "threads (bind itself names its nodes)");
  if (!is_digit(*parser->at))
    return fail_at(parser, parser->at, "threads, or " EXPECTED_NODES);
  return note(parser, start, NODES) == 0 ? parse_nodes(parser) : -1;
}

static int parse_threads(struct parser *parser) {
  unsigned long threads;
  if (parse_number_word(parser, 1, UINT_MAX, "a number of threads, at least 1", &threads) != 0)
    return -1;
  parser->policy->threads = (unsigned)threads;
  return accept_word(parser, "threads") || accept_word(parser, "thread")
             ? 0
             : fail_at(parser, parser->at, "threads");
}

/* Up to the next blank. */
static int parse_plain_name(struct parser *parser) {
  size_t length = 0;
  while (!ends_word(parser->at[length]))
    length++;
  if (length == 0)
    return fail_at(parser, parser->at, "the name of an array of row pointers");
  parser->policy->along = minas_copy_part(parser->at, length);
  parser->at += length;
  skip_blanks(parser);
  return parser->policy->along ? 0 : -1;
}

/* The end of a text between quotes, in which two quotes stand for one; NULL: it has none. */
static const char *end_of_quoted(const char *at) {
  while (*at && (at[0] != '\'' || at[1] == '\''))
    at += *at == '\'' ? 2 : 1;
  return *at ? at : NULL;
}

/* Behind the first quote. */
static int parse_quoted(struct parser *parser) {
  const char *end = end_of_quoted(parser->at);
  if (!end)
    return fail_at(parser, parser->at + strlen(parser->at), "a quote behind the name");
  if (end == parser->at)
    return fail_at(parser, parser->at, "the name of an array of row pointers");
  char *name = minas_copy_part(parser->at, (size_t)(end - parser->at));
  parser->policy->along = name;
  if (!name)
    return -1;
  char *to = name;
  for (const char *from = name; *from; from += *from == '\'' ? 2 : 1)
    *to++ = *from;
  *to = '\0';
  parser->at = end + 1;
  return end_word(parser, "a blank or the end behind the name");
}

/* NAME or UNITS*NAME; a name may begin with a digit. */
static int parse_along(struct parser *parser, const char *start) {
  if (parser->policy->kind != MAI_POLICY_BLOCK)
    return fail_at(parser, start, "another refinement, as along is for block");
  size_t digits = strspn(parser->at, "0123456789");
  if (digits && parser->at[digits] == '*') {
    if (parse_number(parser, 1, ULONG_MAX, "how many units a row pointer counts, at least 1",
                     &parser->policy->value) != 0)
      return -1;
    parser->at++;
    if (parser->policy->value == 1)
      parser->policy->value = 0;
  }
  return accept(parser, '\'') ? parse_quoted(parser) : parse_plain_name(parser);
}

static int parse_flag(struct parser *parser, const char *start, enum refinement refinement,
                      unsigned flag) {
  parser->policy->flags |= flag;
  return note(parser, start, refinement);
}

static int parse_reversed(struct parser *parser, const char *start) {
  unsigned kind = parser->policy->kind;
  if (kind != MAI_POLICY_BLOCK && kind != MAI_POLICY_BLOCK_CYCLIC)
    return fail_at(parser, start, "another refinement, as reversed is for block and block-cyclic");
  return parse_flag(parser, start, REVERSED, MAI_REVERSED);
}

static int parse_refinement(struct parser *parser) {
  const char *start = parser->at;
  if (parser->policy->piece && accept_word(parser, "by"))
    return fail_at(parser, start, "another refinement, as pieces of so many bytes are of pages");
  if (accept_word(parser, "by"))
    return note(parser, start, UNIT) == 0 ? parse_unit(parser) : -1;
  if (accept_word(parser, "on"))
    return parse_place(parser, start);
  if (accept_word(parser, "for"))
    return note(parser, start, THREADS) == 0 ? parse_threads(parser) : -1;
  if (accept_word(parser, "strict"))
    return parse_flag(parser, start, STRICT, MAI_STRICT);
  if (accept_word(parser, "populate"))
    return parse_flag(parser, start, POPULATE, MAI_POPULATE);
  if (accept_word(parser, "filled"))
    return parse_flag(parser, start, FILLED, MAI_FILLED);
  if (accept_word(parser, "along"))
    return note(parser, start, ALONG) == 0 ? parse_along(parser, start) : -1;
  if (accept_word(parser, "reversed"))
    return parse_reversed(parser, start);
  return fail_at(parser, start,
                 "by, on, for, along, strict, populate, filled, reversed or the end");
}

static int parse_all(struct parser *parser) {
  skip_blanks(parser);
  if (parse_kind(parser) != 0)
    return -1;
  while (*parser->at)
    if (parse_refinement(parser) != 0)
      return -1;
  return 0;
}

int mai_policy_read(const char *text, mai_policy_t *policy, struct mai_policy_error *error) {
  *policy = (mai_policy_t){0};
  *error = (struct mai_policy_error){0};
  if (!text)
    return fail(EINVAL);
  struct parser parser = {.text = text, .at = text, .policy = policy, .error = error};
  if (parse_all(&parser) == 0)
    return 0;
  int reason = errno;
  mai_policy_release(policy);
  return fail(reason);
}

void mai_policy_release(mai_policy_t *policy) {
  minas_free((void *)(uintptr_t)policy->nodes);
  minas_free((void *)(uintptr_t)policy->shares);
  minas_free((void *)(uintptr_t)policy->along);
  *policy = (mai_policy_t){0};
}

/*===-- Writing ------------------------------------------------------------===*/

struct writer {
  char *text;
  size_t size;
  size_t length; /* of all, also what did not fit */
};

static void put(struct writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put(struct writer *writer, const char *format, ...) {
  bool room = writer->length < writer->size;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(room ? writer->text + writer->length : NULL,
                         room ? writer->size - writer->length : 0, format, arguments);
  va_end(arguments);
  writer->length += length > 0 ? (size_t)length : 0;
}

/* As ranges where they ascend by one: "0,2-3". */
static void put_nodes(struct writer *writer, const unsigned *nodes, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    unsigned first = i;
    while (i + 1 < count && nodes[i + 1] == nodes[i] + 1)
      i++;
    put(writer, "%s%u", first ? "," : " ", nodes[first]);
    if (i > first)
      put(writer, "-%u", nodes[i]);
  }
}

static void put_shares(struct writer *writer, const mai_policy_t *policy) {
  for (unsigned i = 0; policy->shares && i < policy->share_count; i++)
    put(writer, "%s%lu", i ? "," : " ", policy->shares[i]);
}

static void put_range(struct writer *writer, const mai_policy_t *policy) {
  if (policy->count)
    put(writer, " %lu..%lu", policy->first, policy->first + (policy->count - 1));
  else if (policy->first)
    put(writer, " %lu..", policy->first);
}

static void put_bound_nodes(struct writer *writer, const mai_policy_t *policy) {
  if (policy->node_count && policy->nodes)
    put_nodes(writer, policy->nodes, policy->node_count);
  else
    put(writer, " %u", policy->node);
}

static void put_tier(struct writer *writer, unsigned long tier) {
  if (tier < TIERS)
    put(writer, " %s", tiers[tier]);
  else
    put(writer, " %lu", tier);
}

/* In the largest unit that divides it. */
static void put_piece(struct writer *writer, unsigned long bytes) {
  const char *unit = size_units;
  unsigned long number = bytes;
  for (; *unit && number % 1024 == 0; unit++)
    number /= 1024;
  put(writer, ":%lu%.1s", number, unit == size_units ? "" : unit - 1);
}

static void put_kind(struct writer *writer, const mai_policy_t *policy) {
  if (policy->kind >= KINDS) {
    put(writer, "unknown policy %u", policy->kind);
    return;
  }
  put(writer, "%s", kinds[policy->kind].name);
  if (policy->piece)
    put_piece(writer, policy->piece);
  switch (policy->kind) {
  case MAI_POLICY_BIND:
    put_bound_nodes(writer, policy);
    break;
  case MAI_POLICY_BLOCK:
    put_range(writer, policy);
    if (policy->share_count && !mai_policy_has_unequal_slices(policy)) {
      put(writer, " shares");
      put_shares(writer, policy);
    }
    break;
  case MAI_POLICY_BLOCK_CYCLIC:
    put(writer, " %lu", policy->value);
    put_range(writer, policy);
    break;
  case MAI_POLICY_PRIME:
  case MAI_POLICY_RANDOM:
    put(writer, " %lu", policy->value);
    break;
  case MAI_POLICY_WEIGHTED:
  case MAI_POLICY_IRREGULAR:
    put_shares(writer, policy);
    break;
  case MAI_POLICY_TIER:
    put_tier(writer, policy->value);
    break;
  default:
    break;
  }
}

static void put_dimension(struct writer *writer, unsigned dimension) {
  if (dimension < 2)
    put(writer, dimension ? " by columns" : " by rows");
  else
    put(writer, " by dimension %u", dimension);
}

static void put_blocks(struct writer *writer, const unsigned long *block) {
  unsigned dimensions = block[2] ? 3 : block[1] ? 2 : 1;
  put(writer, " by blocks");
  for (unsigned i = 0; i < dimensions; i++)
    put(writer, "%s%lu", i ? "x" : " ", block[i]);
}

static void put_unit(struct writer *writer, const mai_policy_t *policy) {
  switch (policy->unit) {
  case MAI_UNIT_DEFAULT:
    break;
  case MAI_UNIT_PAGES:
    put(writer, " by pages");
    break;
  case MAI_UNIT_DIMENSION:
    put_dimension(writer, policy->dimension);
    break;
  case MAI_UNIT_BLOCKS:
    put_blocks(writer, policy->block);
    break;
  case MAI_UNIT_SLICES:
    put(writer, " by slices");
    if (mai_policy_has_unequal_slices(policy))
      put_shares(writer, policy);
    else
      put(writer, " %lu", policy->block[0]);
    break;
  default:
    put(writer, " by unknown unit %u", policy->unit);
  }
}

/* Whether a name is read as one without quotes. */
static bool is_plain_name(const char *name) {
  size_t digits = strspn(name, "0123456789");
  size_t length = strcspn(name, " \t\n\r");
  return !name[length] && *name != '\'' && !(digits && name[digits] == '*');
}

static void put_quoted(struct writer *writer, const char *name) {
  put(writer, "'");
  for (; *name; name++)
    put(writer, "%s%c", *name == '\'' ? "'" : "", *name);
  put(writer, "'");
}

static void put_along(struct writer *writer, const mai_policy_t *policy) {
  put(writer, " along ");
  if (policy->value > 1)
    put(writer, "%lu*", policy->value);
  if (is_plain_name(policy->along))
    put(writer, "%s", policy->along);
  else
    put_quoted(writer, policy->along);
}

static void put_places(struct writer *writer, const mai_policy_t *policy) {
  if (policy->kind != MAI_POLICY_BIND && policy->node_count && policy->nodes) {
    put(writer, " on");
    put_nodes(writer, policy->nodes, policy->node_count);
  }
  if (policy->flags & MAI_THREAD_NODES)
    put(writer, " on threads");
}

int mai_policy_format(const mai_policy_t *policy, char *text, size_t size) {
  struct writer writer = {.text = text, .size = size};
  put_kind(&writer, policy);
  put_unit(&writer, policy);
  put_places(&writer, policy);
  if (policy->threads)
    put(&writer, " for %u thread%s", policy->threads, policy->threads > 1 ? "s" : "");
  if (policy->kind == MAI_POLICY_BLOCK && policy->along)
    put_along(&writer, policy);
  if (policy->flags & MAI_STRICT)
    put(&writer, " strict");
  if (policy->flags & MAI_POPULATE)
    put(&writer, " populate");
  if (policy->flags & MAI_FILLED)
    put(&writer, " filled");
  if (policy->flags & MAI_REVERSED)
    put(&writer, " reversed");
  return writer.length < INT_MAX ? (int)writer.length : INT_MAX;
}

/*===-- What is wrong, for the user ----------------------------------------===*/

/* The part of a long text that is shown: this much of it, of which so much before the caret. */
enum { SHOWN = 72, SHOWN_BEFORE = 48 };

void mai_policy_show(const char *text, size_t column, char *shown, size_t size) {
  struct writer writer = {.text = shown, .size = size};
  size_t from = column > SHOWN_BEFORE ? column - 1 - SHOWN_BEFORE : 0;
  const char *dots = from ? "..." : "";
  put(&writer, "\n  %s", dots);
  for (size_t i = 0; i < SHOWN && text[from + i]; i++)
    put(&writer, "%c", is_printable(text[from + i]) ? text[from + i] : ' ');
  put(&writer, "\n  %*s", (int)(strlen(dots) + column - from), "^");
}

void mai_policy_explain(const char *text, const struct mai_policy_error *error, char *explained,
                        size_t size) {
  struct writer writer = {.text = explained, .size = size};
  if (size)
    *explained = '\0';
  if (!*error->reason)
    return;
  put(&writer, "column %zu: %s", error->column, error->reason);
  if (writer.length < size)
    mai_policy_show(text, error->column, explained + writer.length, size - writer.length);
}
