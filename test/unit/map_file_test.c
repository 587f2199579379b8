/*===-- map_file_test.c - tables of what map files mean ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each row gives the text of a map file and the CPUs that it lists, or how the remark on it begins.
 * The process may use CPUs 0 to 15, 32 and 100: two packages, each a node, of three caches with three
 * cores.
 */
#include "mai/maps/map_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE                                                                                    \
  "pack:2 [numa(memory=1GB)] l3:3 core:3 "                                                         \
  "pu:1(indexes=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,32,100)"

static numarch_t *machine;
static int failures;

struct row {
  const char *what;
  const char *text;
  const char *cpus;   /* NULL: an error */
  const char *remark; /* its beginning */
};

static const struct row rows[] = {
    {"one CPU", "3", "3", ""},
    {"separators", "1 2,3\t4\n5 , 6\r\n7\v8\f9,,10\n", "1 2 3 4 5 6 7 8 9 10", ""},
    {"comments and blank lines", "# map\n\n1 # one, 2\n#\n  2#two\n", "1 2", ""},
    {"a range", "2-5", "2 3 4 5", ""},
    {"a range of one", "7-7", "7", ""},
    {"a stride", "0-14:2", "0 2 4 6 8 10 12 14", ""},
    {"a stride that does not meet the end", "0-5:4", "0 4", ""},
    {"a stride beyond the range", "1-3:4294967295", "1", ""},
    {"a descending range", "3-0", "3 2 1 0", ""},
    {"a descending range with a stride", "7-0:3", "7 4 1", ""},
    {"entries are in order", "8 0-1 4", "8 0 1 4", ""},
    {"leading zeroes", "007", "7", ""},
    {"gaps in the numbers", "32 100", "32 100", ""},

    {"a core", "core:3", "3", ""},
    {"objects within objects", "package:1.l3:2.core:1 node:0.core:8", "32 8", ""},
    {"an object stands for its cores", "node:1 l3:0", "9 10 11 12 13 14 15 32 100 0 1 2", ""},
    {"ranges of objects", "core:0-8:4 core:2-0 package:0-1.core:0", "0 4 8 2 1 0 0 9",
     "f:1:12: CPU 0 is named twice"},
    {"a CPU of a core", "core:17.pu:0 pu:16", "100 32", ""},
    {"no such object", "1 node:2", NULL,
     "f:1:8: expected node: 0 to 1, which this process may use here, found '2'"},
    {"no such object within", "core:1.pu:1", NULL,
     "f:1:11: expected pu: 0 to 0, which this process may use here, found '1'"},
    {"a cache that is not there", "l4:0", NULL,
     "f:1:4: expected another object: there is no l4 here, found '0'"},
    {"an unknown kind within", "core:1.cpu:0", NULL,
     "f:1:8: expected package:, node:, l3:, core: or pu:, found 'cpu:0'"},
    {"no index", "core:x", NULL, "f:1:6: expected an index, found 'x'"},
    {"a stride of 0 of objects", "core:0-4:0", NULL,
     "f:1:10: expected a stride of at least 1, found '0'"},
    {"a path too long", "pu:0.pu:0.pu:0.pu:0.pu:0.pu:0.pu:0.pu:0.pu:0", NULL,
     "f:1:41: expected fewer objects"},

    {"a CPU twice", "0 1\n 0 1", "0 1 0 1",
     "f:2:2: CPU 0 is named twice: threads 0 and 2 share it"},
    {"a CPU twice in a range", "1 3-0", "1 3 2 1 0",
     "f:1:3: CPU 1 is named twice: threads 0 and 3"},

    {"no text", "", NULL, "f:1:1: expected a CPU number, found the end of the file"},
    {"no CPU", "\n# none\n", NULL, "f:3:1: expected a CPU number, found the end of the file"},
    {"a word", "0\n 1 eight,9", NULL, "f:2:4: expected a CPU number, found 'eight'"},
    {"a negative number", "-1", NULL, "f:1:1: expected a CPU number, found '-1'"},
    {"a long word is cut", "abcdefghijklmnopqrstuvwxyz", NULL,
     "f:1:1: expected a CPU number, found 'abcdefghijklmnopqrst'"},
    {"letters after a number", "0 1x", NULL,
     "f:1:4: expected a blank, a comma or a range, found 'x'"},
    {"a fraction", "1.5", NULL, "f:1:2: expected a blank, a comma or a range, found '.5'"},
    {"a stride without a range", "4:2", NULL,
     "f:1:2: expected a blank, a comma or a range, found ':2'"},
    {"a range without an end", "0- 3", NULL,
     "f:1:3: expected the last CPU of the range, found a blank"},
    {"a range cut short", "0-", NULL,
     "f:1:3: expected the last CPU of the range, found the end of the file"},
    {"a range before a comment", "0-#3", NULL,
     "f:1:3: expected the last CPU of the range, found '#'"},
    {"a range of three", "0-3-5", NULL, "f:1:4: expected a blank, a comma or a range, found '-5'"},
    {"a stride of nothing", "0-3:\n", NULL,
     "f:1:5: expected a stride of at least 1, found the end of the line"},
    {"a stride of zero", "0-3:0", NULL, "f:1:5: expected a stride of at least 1, found '0'"},
    {"a byte that is no text", "1 \x01", NULL, "f:1:3: expected a CPU number, found the byte 0x01"},
    {"a byte beyond ASCII",
     "\xef\xbb\xbf"
     "0",
     NULL, "f:1:1: expected a CPU number, found the byte 0xef"},
    {"an end of line of a Mac", "0\r1-\r", NULL,
     "f:1:5: expected the last CPU of the range, found the end of the line"},

    {"a CPU that is not allowed", "0\n1, 16", NULL,
     "f:2:4: expected a CPU that this process may use (0-15,32,100), found 16"},
    {"a range that leaves what is allowed", "0 12-20", NULL,
     "f:1:3: expected a CPU that this process may use (0-15,32,100), found 16"},
    {"the largest number", "4294967295", NULL,
     "f:1:1: expected a CPU that this process may use (0-15,32,100), found 4294967295"},
    {"a number too large", "99999999999999999999999999", NULL,
     "f:1:1: expected a CPU that this process may use (0-15,32,100), found 4294967295"},
    {"a range too large", "0-99999999999999999999999999", NULL,
     "f:1:1: expected a CPU that this process may use (0-15,32,100), found 16"},
    {"a range down from too large", "99999999999999999999-0:4294967295", NULL,
     "f:1:1: expected a CPU that this process may use (0-15,32,100), found 4294967295"},
};

static void fail(const char *what, const char *expected, const char *found) {
  printf("%s: expected \"%s\", found \"%s\"\n", what, expected, found);
  failures++;
}

/* Parse a copy that ends where the text does, so that a sanitizer sees a read beyond. */
static int parse(const char *text, size_t length, struct mai_cpu_list *list,
                 struct mai_map_remark *remark) {
  char *copy = malloc(length ? length : 1);
  if (!copy)
    abort();
  memcpy(copy, text, length);
  int result = mai_map_file_parse("f", copy, length, machine, list, remark);
  free(copy);
  return result;
}

static void write_list(const struct mai_cpu_list *list, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < list->count && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%u", i ? " " : "", list->cpus[i]);
}

static void check_row(const struct row *row) {
  struct mai_cpu_list list;
  struct mai_map_remark remark;
  char cpus[256];
  int result = parse(row->text, strlen(row->text), &list, &remark);
  write_list(&list, cpus, sizeof cpus);
  if ((result == 0) != (row->cpus != NULL))
    fail(row->what, row->cpus ? "a list" : "an error", result == 0 ? cpus : remark.text);
  if (strcmp(cpus, row->cpus ? row->cpus : "") != 0)
    fail(row->what, row->cpus ? row->cpus : "", cpus);
  if (strncmp(remark.text, row->remark, strlen(row->remark)) != 0 ||
      (!*row->remark && *remark.text))
    fail(row->what, row->remark, remark.text);
  mai_cpu_list_free(&list);
}

static void check_nul(void) {
  static const char expected[] = "f:1:3: expected a CPU number, found the byte 0x00";
  struct mai_cpu_list list;
  struct mai_map_remark remark;
  if (parse("1 \0 2", 5, &list, &remark) == 0 ||
      strncmp(remark.text, expected, sizeof expected - 1) != 0)
    fail("a zero byte", expected, remark.text);
  mai_cpu_list_free(&list);
}

/* As many threads as are allowed, and one more. */
static void check_most_threads(void) {
  static char text[2 * (MAI_MAP_FILE_THREADS + 1)];
  struct mai_cpu_list list;
  struct mai_map_remark remark;
  for (size_t i = 0; i < sizeof text; i++)
    text[i] = i % 2 ? '\n' : '1';
  if (parse(text, sizeof text - 2, &list, &remark) != 0 || list.count != MAI_MAP_FILE_THREADS)
    fail("the longest list", "a list", remark.text);
  mai_cpu_list_free(&list);
  static const char expected[] = "f:65537:1: expected at most 65536 CPUs, found more";
  if (parse(text, sizeof text, &list, &remark) == 0 ||
      strncmp(remark.text, expected, sizeof expected - 1) != 0)
    fail("a list too long", expected, remark.text);
  mai_cpu_list_free(&list);
}

/* A name that fills the remark leaves room for the sentence. */
static void check_long_name(void) {
  char name[4096];
  struct mai_cpu_list list;
  struct mai_map_remark remark;
  memset(name, 'n', sizeof name);
  name[sizeof name - 1] = '\0';
  if (mai_map_file_parse(name, "x", 1, machine, &list, &remark) == 0 ||
      !strstr(remark.text, "n:1:1: expected a CPU number, found 'x'"))
    fail("a long name", "n:1:1: expected a CPU number, found 'x'", remark.text);
  if (mai_map_file_read(name, machine, &list, &remark) == 0 ||
      !strstr(remark.text, "File name too long"))
    fail("a long name", "File name too long", remark.text);
}

int main(void) {
  setenv("HWLOC_SYNTHETIC", MACHINE, 1);
  machine = numarch_open(0);
  if (!machine)
    return 2;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_row(&rows[i]);
  check_nul();
  check_most_threads();
  check_long_name();
  printf("%d failures\n", failures);
  return failures != 0;
}
