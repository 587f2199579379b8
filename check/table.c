/*===-- table.c - one line a rank ---------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "record.h"
#include "verdict.h"

enum { MOST_CELL = 40, MOST_NUMBER = 32 };

/* Adds "4" or "4-7"; what has no room any more is left out, and "..." stands for it. */
static void add_range(char *cell, long first, long last) {
  char text[MOST_NUMBER];
  size_t length = strlen(cell);
  int more = first == last
                 ? snprintf(text, sizeof text, "%s%ld", length ? "," : "", first)
                 : snprintf(text, sizeof text, "%s%ld-%ld", length ? "," : "", first, last);
  if (length + (size_t)more + 4 < MOST_CELL)
    memcpy(cell + length, text, (size_t)more + 1);
  else if (length < 3 || strcmp(cell + length - 3, "...") != 0)
    memcpy(cell + length, "...", 4);
}

/* Numbers in their order: "0-3,8". `name` is of those in objects, NULL where they stand alone. */
static void write_list(const json_t *list, const char *name, char *cell) {
  long first = -1, last = -1;
  *cell = '\0';
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *each = json_array_get(list, i);
    long number = name ? record_number(each, name) : (long)json_integer_value(each);
    if (first >= 0 && number == last + 1) {
      last = number;
      continue;
    }
    if (first >= 0)
      add_range(cell, first, last);
    first = last = number;
  }
  if (first >= 0)
    add_range(cell, first, last);
}

static void print_rank(const json_t *all, const json_t *record) {
  char allowed[MOST_CELL], threads[MOST_CELL], memory[MOST_CELL], remark[VERDICT_MOST_REMARK];
  write_list(record_list(record, "allowed"), NULL, allowed);
  write_list(record_list(record, "threads"), "cpu", threads);
  write_list(record_list(record, "memory"), NULL, memory);
  verdict_on_rank(all, record, remark, sizeof remark);
  fprintf(stderr, "%5ld %-12.12s %-14s %-18s %-8s %s\n", record_number(record, "rank"),
          record_text(record, "host"), allowed, *threads ? threads : "-", memory, remark);
}

/* Whether no record before this one is of the same host. */
static bool begins_host(const json_t *all, size_t index) {
  const char *host = record_text(json_array_get(all, index), "host");
  for (size_t i = 0; i < index; i++)
    if (strcmp(record_text(json_array_get(all, i), "host"), host) == 0)
      return false;
  return true;
}

void table_print(const json_t *all) {
  fprintf(stderr, "%5s %-12s %-14s %-18s %-8s\n", "rank", "host", "allowed CPUs", "threads on CPUs",
          "memory");
  for (size_t i = 0; i < json_array_size(all); i++)
    print_rank(all, json_array_get(all, i));
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *record = json_array_get(all, i);
    if (begins_host(all, i))
      fprintf(stderr, "%s: %ld of %ld cores are idle\n", record_text(record, "host"),
              verdict_idle_cores(all, record_text(record, "host")),
              record_number(record, "job cores"));
  }
}
