/*===-- policy_text_test.c - tables of what policies' texts mean -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each row gives a text and either how the policy that it means is written, or how the error begins.
 * What is written must be read as the same policy again.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mai/policy/policy.h"

static int failures;

/* Read a text, and say what is wrong with it in `explained`. */
static int parse(const char *text, mai_policy_t *policy, char *explained, size_t size) {
  struct mai_policy_error error;
  int result = mai_policy_read(text, policy, &error);
  int reason = errno;
  mai_policy_explain(text, &error, explained, size);
  errno = reason;
  return result;
}

struct row {
  const char *text;
  const char *written; /* NULL: an error */
  const char *error;   /* its beginning */
};

#define EXPECTED_KIND "column 1: expected a policy (first-touch, bind, block, cyclic, "
#define EXPECTED_REFINEMENT                                                                        \
  "expected by, on, for, along, strict, populate, filled, reversed or the end, found "
#define EXPECTED_NODES "expected nodes, 0 to 1023, such as 0,2-3, found "

static const struct row rows[] = {
    /* every policy */
    {"first-touch", "first-touch", ""},
    {"bind 2", "bind 2", ""},
    {"bind 0-3", "bind 0-3", ""},
    {"bind 2,0", "bind 2,0", ""},
    {"block", "block", ""},
    {"block 1..62", "block 1..62", ""},
    {"block 0..0", "block 0..0", ""},
    {"block 5..", "block 5..", ""},
    {"block 0..", "block", ""},
    {"block shares 1,3,5", "block shares 1,3,5", ""},
    {"block  2..61\tshares 0,4294967295 for 4 threads",
     "block 2..61 shares 0,4294967295 for 4 threads", ""},
    {"cyclic", "cyclic", ""},
    {"block-cyclic 4", "block-cyclic 4", ""},
    {"block-cyclic 4 1..62", "block-cyclic 4 1..62", ""},
    {"skew", "skew", ""},
    {"prime 5", "prime 5", ""},
    {"prime 4294967291", "prime 4294967291", ""},
    {"random 0", "random 0", ""},
    {"random 18446744073709551615", "random 18446744073709551615", ""},
    {"weighted", "weighted", ""},
    {"weighted 3,1,0", "weighted 3,1,0", ""},
    {"irregular 100,50", "irregular 100,50", ""},
    {"local", "local", ""},
    {"next-touch", "next-touch", ""},
    {"dynamic", "dynamic", ""},
    {"replicate", "replicate", ""},
    {"tier fastest", "tier fastest", ""},
    {"tier largest", "tier largest", ""},
    {"tier latency", "tier latency", ""},

    /* refinements, in any order */
    {"skew by pages", "skew by pages", ""},
    {"skew by rows", "skew by rows", ""},
    {"skew by columns", "skew by columns", ""},
    {"skew by dimension 0", "skew by rows", ""},
    {"skew by dimension 1", "skew by columns", ""},
    {"skew by dimension 4", "skew by dimension 4", ""},
    {"skew by blocks 8", "skew by blocks 8", ""},
    {"skew by blocks 8x1x4", "skew by blocks 8x1x4", ""},
    {"block 2..7 by slices 4", "block 2..7 by slices 4", ""},
    {"block by slices 60,30,10 reversed", "block by slices 60,30,10 reversed", ""},
    {"block shares 1,3 by slices 60,30", NULL, "column 28: "},
    {"block-cyclic 8 by slices 60,30", NULL, "column 26: "},
    {"block-cyclic 8 by slices 2 reversed", "block-cyclic 8 by slices 2 reversed", ""},
    {"cyclic on 0,2-3", "cyclic on 0,2-3", ""},
    {"cyclic on 0,1,2,5,7-6", "cyclic on 0-2,5,7,6", ""},
    {"cyclic on 3-0", "cyclic on 3,2,1,0", ""},
    {"cyclic on threads", "cyclic on threads", ""},
    {"cyclic on threads on 0-1", "cyclic on 0-1 on threads", ""},
    {"bind 1-2 on threads", "bind 1-2 on threads", ""},
    {"block for 8 threads", "block for 8 threads", ""},
    {"block for 1 threads", "block for 1 thread", ""},
    {"populate strict for 4 threads", NULL, EXPECTED_KIND},
    {"block populate strict for 4 threads on 1 by columns 3..4", NULL, "column 53: "},
    {"block 3..4 populate strict for 4 threads on 1 by columns",
     "block 3..4 by columns on 1 for 4 threads strict populate", ""},
    {"block reversed", "block reversed", ""},
    {"block-cyclic 4 1..62 reversed for 8 threads by rows",
     "block-cyclic 4 1..62 by rows for 8 threads reversed", ""},
    {"block shares 1,3 filled reversed strict", "block shares 1,3 strict filled reversed", ""},
    {"block along start", "block along start", ""},
    {"block 3..9 filled along 9*a.start for 2 threads",
     "block 3..9 for 2 threads along 9*a.start filled", ""},
    {"block along 1*start", "block along start", ""},
    {"block along 1start", "block along 1start", ""},
    {"block along m->start[0]", "block along m->start[0]", ""},
    {" \tcyclic \n strict\r\n", "cyclic strict", ""},
    {"bind 0002", "bind 2", ""},

    /* names */
    {"", NULL, EXPECTED_KIND},
    {"  ", NULL, "column 3: expected a policy ("},
    {"none", NULL, EXPECTED_KIND},
    {"Cyclic", NULL, EXPECTED_KIND},
    {"cyclic4", NULL, EXPECTED_KIND},
    {"cyclic 4", NULL, "column 8: " EXPECTED_REFINEMENT "'4'"},
    {"block\xc3\xa9", NULL, EXPECTED_KIND},
    {"cyclic, strict", NULL, EXPECTED_KIND},
    {"cyclic strictly", NULL, "column 8: " EXPECTED_REFINEMENT "'strictly'"},
    {"cyclic \x01", NULL, "column 8: " EXPECTED_REFINEMENT "the byte 0x01"},
    {"cyclic abcdefghijklmnopqrstuvwxyz", NULL,
     "column 8: " EXPECTED_REFINEMENT "'abcdefghijklmnopqrst'"},
    {"cyclic strict strict", NULL, "column 15: expected each refinement once, found 'strict'"},
    {"cyclic by rows by rows", NULL, "column 16: expected each refinement once, found 'by'"},
    {"cyclic on 1 on 2", NULL, "column 13: expected each refinement once, found 'on'"},
    {"cyclic on threads on threads", NULL, "column 19: expected each refinement once"},
    {"block for 2 threads for 3 threads", NULL, "column 21: expected each refinement once"},

    {"block reversed reversed", NULL, "column 16: expected each refinement once"},
    {"cyclic reversed", NULL,
     "column 8: expected another refinement, as reversed is for block and block-cyclic"},

    /* row pointers */
    {"block along", NULL,
     "column 12: expected the name of an array of row pointers, found the end"},
    {"block along 3*", NULL, "column 15: expected the name of an array of row pointers"},
    {"block along 0*start", NULL, "column 13: expected how many units a row pointer counts"},
    {"block along 18446744073709551616*start", NULL, "column 13: expected how many units"},
    {"block along a along b", NULL, "column 15: expected each refinement once"},
    {"cyclic along start", NULL, "column 8: expected another refinement, as along is for block"},

    /* nodes */
    {"bind", NULL, "column 5: " EXPECTED_NODES "the end"},
    {"bind x", NULL, "column 6: " EXPECTED_NODES "'x'"},
    {"bind -1", NULL, "column 6: " EXPECTED_NODES "'-1'"},
    {"bind 1023", "bind 1023", ""},
    {"bind 1024", NULL, "column 6: " EXPECTED_NODES "'1024'"},
    {"bind 4294967296", NULL, "column 6: " EXPECTED_NODES "'4294967296'"},
    {"bind 18446744073709551616", NULL, "column 6: " EXPECTED_NODES "'18446744073709551616'"},
    {"bind 0-4294967295", NULL,
     "column 8: expected the last node of the range, 0 to 1023, found '4294967295'"},
    {"bind 0-", NULL, "column 8: expected the last node of the range, 0 to 1023, found the end"},
    {"bind 0- 3", NULL, "column 8: expected the last node of the range, 0 to 1023, found a blank"},
    {"bind 0,", NULL, "column 8: " EXPECTED_NODES "the end"},
    {"bind 0,,1", NULL, "column 8: " EXPECTED_NODES "',1'"},
    {"bind 1 2", NULL, "column 8: " EXPECTED_REFINEMENT "'2'"},
    {"bind 1.5", NULL, "column 7: expected a comma, a range or a blank after the node, found '.5'"},
    {"bind 0-3-5", NULL, "column 9: expected a comma, a range or a blank after the node"},
    {"bind 0-3,2", NULL, "column 10: expected each node once, found '2'"},
    {"bind 1 on 2", NULL, "column 11: expected threads (bind itself names its nodes), found '2'"},
    {"cyclic on", NULL, "column 10: expected threads, or nodes, 0 to 1023, such as 0,2-3, found "},
    {"cyclic on 0-1023", "cyclic on 0-1023", ""},

    /* numbers */
    {"prime", NULL, "column 6: expected a prime number, found the end"},
    {"prime 9", NULL, "column 7: expected a prime number, found '9'"},
    {"prime 1", NULL, "column 7: expected a prime number, found '1'"},
    {"prime 4294967297", NULL, "column 7: expected a prime number, found '4294967297'"},
    {"prime 7x", NULL, "column 8: expected a blank or the end after the number, found 'x'"},
    {"random", NULL, "column 7: expected a seed, a number below 2^64, found the end"},
    {"random 18446744073709551616", NULL, "column 8: expected a seed, a number below 2^64, found"},
    {"random 0x10", NULL, "column 9: expected a blank or the end after the number, found 'x10'"},
    {"block-cyclic", NULL,
     "column 13: expected how many units are distributed at a time, at least 1"},
    {"block-cyclic 0", NULL,
     "column 14: expected how many units are distributed at a time, at least 1"},
    {"block 1", NULL, "column 8: expected '..' after the first unit of the range, found the end"},
    {"block 1.5", NULL, "column 8: expected '..' after the first unit of the range, found '.5'"},
    {"block 1..x", NULL, "column 10: expected the last unit of the range, found 'x'"},
    {"block 5..4", NULL, "column 10: expected a last unit that is not before the first, found '4'"},
    {"block 0..18446744073709551614", "block 0..18446744073709551614", ""},
    {"block 0..18446744073709551615", NULL, "column 10: expected the last unit of the range"},
    {"weighted 1,x", NULL, "column 12: expected a weight, a number below 2^32, found 'x'"},
    {"weighted 4294967296", NULL, "column 10: expected a weight, a number below 2^32, found"},
    {"weighted 1;2", NULL, "column 11: expected a comma or a blank after the number, found ';2'"},
    {"block shares", NULL, "column 13: expected each part's share, such as 1,3,5,7, found the end"},
    {"block shares 4294967296", NULL, "column 14: expected each part's share"},
    {"block shares 1 2..3", NULL, "column 16: "},
    {"block-cyclic 2 shares 1", NULL, "column 16: "},
    {"irregular", NULL, "column 10: expected how many units go to each node, such as 100,50"},
    {"irregular -5", NULL, "column 11: expected how many units go to each node"},
    {"tier", NULL, "column 5: expected fastest, largest or latency, found the end"},
    {"tier HBM", NULL, "column 6: expected fastest, largest or latency, found 'HBM'"},
    {"block along 'two words' strict", "block along 'two words' strict", ""},
    {"block along 'start'", "block along start", ""},
    {"block along 2*'it''s'", "block along 2*it's", ""},
    {"block along '9*x'", "block along '9*x'", ""},
    {"block along 'start", NULL, "column 19: expected a quote behind the name, found the end"},
    {"block along ''", NULL, "column 14: expected the name of an array of row pointers"},
    {"block along 'a'b", NULL, "column 16: expected a blank or the end behind the name, found 'b'"},
    {"cyclic:64K on 0,2", "cyclic:64K on 0,2", ""},
    {"weighted:1024K 3,1", "weighted:1M 3,1", ""},
    {"prime:4097 7", "prime:4097 7", ""},
    {"cyclic:1024G", "cyclic:1024G", ""},
    {"cyclic:1025G", NULL, "column 8: expected a size, 1 to 1024G, such as 64K, found '1025G'"},
    {"cyclic:0", NULL, "column 8: expected a size"},
    {"cyclic:", NULL, "column 8: expected a size"},
    {"cyclic:64k", NULL, "column 10: expected K, M, G, a blank or the end after the size"},
    {"skew:1M by rows", NULL, "column 9: expected another refinement, as pieces"},
    {"block:64K", NULL, "column 1: expected a policy"},
    {"skew by", NULL,
     "column 8: expected pages, rows, columns, dimension, blocks or slices, found the end"},
    {"skew by slices 2", NULL, "column 9: expected another unit, as slices are of block and"},
    {"block by slices", NULL, "column 16: expected a number of slices, at least 2, found the end"},
    {"block by slices 1", NULL, "column 17: expected a number of slices, at least 2, found '1'"},
    {"skew by dimension", NULL, "column 18: expected a dimension, 0 to 4, found the end"},
    {"skew by dimension 5", NULL, "column 19: expected a dimension, 0 to 4, found '5'"},
    {"skew by dimension 9", NULL, "column 19: expected a dimension, 0 to 4, found '9'"},
    {"skew by blocks 8x0", NULL, "column 18: expected a block's size, up to three numbers such as"},
    {"skew by blocks 8x", NULL, "column 18: expected a block's size, up to three numbers such as"},
    {"skew by blocks 1x2x3x4", NULL,
     "column 21: expected at most three numbers for a block's size"},
    {"skew by blocks 8*8", NULL, "column 17: expected 'x' or a blank after the number, found '*8'"},
    {"block for 0 threads", NULL, "column 11: expected a number of threads, at least 1, found '0'"},
    {"block for 4294967296 threads", NULL, "column 11: expected a number of threads, at least 1"},
    {"block for 4", NULL, "column 12: expected threads, found the end"},
    {"block for threads", NULL, "column 11: expected a number of threads, at least 1"},
};

static void fail(const char *what, const char *expected, const char *found) {
  printf("%.60s: expected \"%s\", found \"%s\"\n", what, expected, found);
  failures++;
}

static bool names_equal(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool lists_equal(const mai_policy_t *a, const mai_policy_t *b) {
  if (a->node_count != b->node_count || a->share_count != b->share_count)
    return false;
  for (unsigned i = 0; i < a->node_count; i++)
    if (a->nodes[i] != b->nodes[i])
      return false;
  for (unsigned i = 0; i < a->share_count; i++)
    if (a->shares[i] != b->shares[i])
      return false;
  return true;
}

static bool policies_equal(const mai_policy_t *a, const mai_policy_t *b) {
  return a->kind == b->kind && a->flags == b->flags && a->node == b->node &&
         a->threads == b->threads && a->first == b->first && a->count == b->count &&
         a->unit == b->unit && a->dimension == b->dimension && a->value == b->value &&
         a->piece == b->piece && memcmp(a->block, b->block, sizeof a->block) == 0 &&
         names_equal(a->along, b->along) && lists_equal(a, b);
}

/* The text of a policy, to be freed. */
static char *write_policy(const mai_policy_t *policy) {
  size_t size = (size_t)mai_policy_format(policy, NULL, 0) + 1;
  char *text = malloc(size);
  if (!text)
    abort();
  if ((size_t)mai_policy_format(policy, text, size) + 1 != size || strlen(text) + 1 != size)
    fail(text, "the length that was said", "another");
  return text;
}

static void check_again(const mai_policy_t *policy, const char *text) {
  char error[512];
  mai_policy_t again;
  if (parse(text, &again, error, sizeof error) != 0)
    fail(text, "a policy when read again", error);
  else if (!policies_equal(policy, &again))
    fail(text, "the same policy when read again", "another");
  mai_policy_release(&again);
}

static void check_error(const struct row *row, int result, int reason, const mai_policy_t *policy,
                        const char *error) {
  static const mai_policy_t empty = {0};
  if (result == 0 || reason != EINVAL)
    fail(row->text, "EINVAL", result == 0 ? "a policy" : strerror(reason));
  if (strncmp(error, row->error, strlen(row->error)) != 0)
    fail(row->text, row->error, error);
  if (!policies_equal(policy, &empty))
    fail(row->text, "no policy", "something");
}

static void check_row(const struct row *row) {
  char error[512];
  mai_policy_t policy;
  memset(&policy, 0x55, sizeof policy);
  int result = parse(row->text, &policy, error, sizeof error);
  if (!row->written) {
    check_error(row, result, errno, &policy, error);
    return;
  }
  if (result != 0 || *error)
    fail(row->text, "no error", error);
  char *written = write_policy(&policy);
  if (strcmp(written, row->written) != 0)
    fail(row->text, row->written, written);
  check_again(&policy, written);
  free(written);
  mai_policy_release(&policy);
}

/* "irregular 7,7,...,7", to be freed. */
static char *write_sevens(size_t count) {
  static const char name[] = "irregular ";
  size_t begin = sizeof name - 1;
  char *text = malloc(begin + 2 * count);
  if (!text)
    abort();
  memcpy(text, name, begin);
  for (size_t i = 0; i < 2 * count; i++)
    text[begin + i] = i % 2 ? ',' : '7';
  text[begin + 2 * count - 1] = '\0';
  return text;
}

/* Lists end at 1024 entries. */
static void check_longest_lists(void) {
  static const char expected[] = "column 2059: expected at most 1024 numbers, found '7'\n";
  char error[512];
  mai_policy_t policy;
  char *longest = write_sevens(1024);
  char *longer = write_sevens(1025);
  if (parse(longest, &policy, error, sizeof error) != 0 || policy.share_count != 1024)
    fail("the longest list", "a policy", error);
  check_again(&policy, longest);
  mai_policy_release(&policy);
  if (parse(longer, &policy, error, sizeof error) == 0 ||
      strncmp(error, expected, strlen(expected)) != 0)
    fail("a list too long", expected, error);
  mai_policy_release(&policy);
  free(longest);
  free(longer);
}

/* What a program may put together, and a text may not say. */
static void check_written(const char *what, mai_policy_t policy, const char *expected) {
  char *written = write_policy(&policy);
  if (strcmp(written, expected) != 0)
    fail(what, expected, written);
  free(written);
}

static void check_odd_policies(void) {
  static const unsigned nodes[] = {2};
  check_written("one node as a list",
                (mai_policy_t){.kind = MAI_POLICY_BIND, .node_count = 1, .nodes = nodes}, "bind 2");
  check_written("a kind that is unknown", (mai_policy_t){.kind = 99}, "unknown policy 99");
  check_written("a unit that is unknown", (mai_policy_t){.unit = 99},
                "first-touch by unknown unit 99");
  check_written("a tier that is unknown", (mai_policy_t){.kind = MAI_POLICY_TIER, .value = 3},
                "tier 3");
  check_written("lists that are not there",
                (mai_policy_t){.kind = MAI_POLICY_IRREGULAR, .node_count = 2, .share_count = 2},
                "irregular");
  check_written("a range", (mai_policy_t){.kind = MAI_POLICY_BLOCK, .first = 1, .count = 62},
                "block 1..62");
}

/* The text is shown with a caret; of a long one, what is around the place that is wrong. */
static void check_shown(void) {
  static const char expected[] =
      "column 10: expected pages, rows, columns, dimension, blocks or slices, "
      "found 'colums'\n  block by colums on 0\n           ^";
  char error[512];
  mai_policy_t policy;
  if (parse("block by colums on 0", &policy, error, sizeof error) == 0 ||
      strcmp(error, expected) != 0)
    fail("block by colums", expected, error);
  parse("cyclic                                                                   , on 0", &policy,
        error, sizeof error);
  const char *shown = strstr(error, "\n  ...   ");
  const char *caret_line = strrchr(error, '\n');
  if (!shown || strcspn(shown + 1, ",") != strcspn(caret_line + 1, "^"))
    fail("a long text", "a caret under the comma", error);
}

static void check_cut_off(void) {
  mai_policy_t policy = {.kind = MAI_POLICY_BLOCK, .first = 1, .count = 62};
  char text[8];
  char untouched = 'x';
  memset(text, 'x', sizeof text);
  if (mai_policy_format(&policy, text, 4) != 11 || strcmp(text, "blo") != 0 || text[4] != 'x')
    fail("a short buffer", "blo", text);
  if (mai_policy_format(&policy, text, 1) != 11 || *text)
    fail("a buffer of one byte", "", text);
  if (mai_policy_format(&policy, &untouched, 0) != 11 || untouched != 'x')
    fail("no buffer", "x", "something");
  if (parse("x", &policy, text, sizeof text) == 0 || strcmp(text, "column ") != 0)
    fail("a short error", "column ", text);
}

/* Write what is read of each line. */
static void write_lines(FILE *lines) {
  char text[512];
  char error[512];
  mai_policy_t policy;
  while (fgets(text, sizeof text, lines)) {
    text[strcspn(text, "\n")] = '\0';
    if (parse(text, &policy, error, sizeof error) != 0) {
      fail(text, "a policy", error);
      continue;
    }
    char *written = write_policy(&policy);
    puts(written);
    free(written);
    mai_policy_release(&policy);
  }
}

/* With an argument, standard input takes the place of the tables. */
int main(int count, char **arguments) {
  (void)arguments;
  if (count > 1) {
    write_lines(stdin);
    return failures != 0;
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_row(&rows[i]);
  check_longest_lists();
  check_odd_policies();
  check_shown();
  check_cut_off();
  printf("%d failures\n", failures);
  return failures != 0;
}
