/*===-- map_file.c - the file that names each thread's CPU -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "map_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "location.h"
#include "runtime/heap.h"
#include "runtime/system.h"

#define HOW_TO_WRITE "list the CPU of thread 0, 1, 2, ... in order, such as 0 2 4-7 or core:0-3"

struct parser {
  const char *name;
  const char *line_start;
  const char *at;
  const char *end;
  unsigned line;
  struct mai_cpu_list allowed; /* the CPUs that may be named, ascending */
  struct mai_group_table groups;
  uint32_t *users; /* for each allowed CPU 1 + the first thread on it, or 0 */
  struct mai_cpu_list list;
  uint32_t capacity;
  struct mai_map_remark *remark;
};

/* An entry of the file: its CPUs, and where it stands. */
struct entry {
  const char *start;
  uint32_t first;
  uint32_t last;
  uint32_t stride;
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_separator(char c) {
  return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_printable(char c) { return c > ' ' && c < 0x7f; }

/* Whether `at` is where an entry may end. */
static bool ends_entry(const struct parser *parser, const char *at) {
  return at == parser->end || is_separator(*at) || *at == '#';
}

/* What stands at `at`, for a message. */
static void describe(const struct parser *parser, const char *at, char *text, size_t size) {
  int length = 0;
  while (length < 20 && !ends_entry(parser, at + length) && is_printable(at[length]))
    length++;
  if (length)
    snprintf(text, size, "'%.*s'", length, at);
  else if (at == parser->end)
    snprintf(text, size, "the end of the file");
  else if (*at == '\n' || *at == '\r')
    snprintf(text, size, "the end of the line");
  else if (*at == ' ' || *at == '\t')
    snprintf(text, size, "a blank");
  else if (is_printable(*at))
    snprintf(text, size, "'%c'", *at);
  else
    snprintf(text, size, "the byte 0x%02x", (unsigned char)*at);
}

/* Remark on what stands at `at`: file:line:column: and a sentence. */
static void remark_at(struct parser *parser, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void remark_at(struct parser *parser, const char *at, const char *format, ...) {
  char sentence[sizeof parser->remark->text / 2];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  snprintf(parser->remark->text, sizeof parser->remark->text, "%.300s:%u:%td: %s", parser->name,
           parser->line, at - parser->line_start + 1, sentence);
}

static int fail_at(struct parser *parser, const char *at, const char *expected,
                   const char *advice) {
  char found[32];
  describe(parser, at, found, sizeof found);
  remark_at(parser, at, "expected %s, found %s (%s)", expected, found, advice);
  return -1;
}

/* Write a list as ranges: "0-3,8". What does not fit becomes "...". */
static void write_ranges(const struct mai_cpu_list *list, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < list->count; i++) {
    char range[32];
    uint32_t first = list->cpus[i];
    while (i + 1 < list->count && list->cpus[i + 1] == list->cpus[i] + 1)
      i++;
    if (list->cpus[i] == first)
      snprintf(range, sizeof range, "%s%u", used ? "," : "", first);
    else
      snprintf(range, sizeof range, "%s%u-%u", used ? "," : "", first, list->cpus[i]);
    if (used + strlen(range) + sizeof ",..." > size) {
      snprintf(text + used, size - used, ",...");
      return;
    }
    used += (size_t)snprintf(text + used, size - used, "%s", range);
  }
}

static int fail_not_allowed(struct parser *parser, const char *at, uint32_t cpu) {
  char allowed[128];
  write_ranges(&parser->allowed, allowed, sizeof allowed);
  remark_at(parser, at,
            "expected a CPU that this process may use (%s), found %u (change the file, or what "
            "taskset, the batch system or the container allow)",
            allowed, cpu);
  return -1;
}

static int grow(struct parser *parser) {
  uint32_t capacity = parser->capacity ? 2 * parser->capacity : 64;
  uint32_t *cpus = minas_resize(parser->list.cpus, capacity * sizeof *cpus);
  if (!cpus) {
    remark_at(parser, parser->at, "%s", strerrordesc_np(ENOMEM));
    return -1;
  }
  parser->list.cpus = cpus;
  parser->capacity = capacity;
  return 0;
}

/* Two threads on one CPU may be meant; the first such pair is pointed out. */
static void note_user(struct parser *parser, const char *at, uint32_t *user, uint32_t cpu) {
  uint32_t thread = parser->list.count;
  if (!*user)
    *user = thread + 1;
  else if (!parser->remark->text[0])
    remark_at(parser, at, "CPU %u is named twice: threads %u and %u share it", cpu, *user - 1,
              thread);
}

static int append(struct parser *parser, const char *at, uint32_t cpu) {
  const uint32_t *allowed = mai_cpu_list_find(&parser->allowed, cpu);
  if (!allowed)
    return fail_not_allowed(parser, at, cpu);
  if (parser->list.count == MAI_MAP_FILE_THREADS) {
    remark_at(parser, at, "expected at most %u CPUs, found more (remove some)",
              MAI_MAP_FILE_THREADS);
    return -1;
  }
  if (parser->list.count == parser->capacity && grow(parser) != 0)
    return -1;
  note_user(parser, at, &parser->users[allowed - parser->allowed.cpus], cpu);
  parser->list.cpus[parser->list.count++] = cpu;
  return 0;
}

static int append_entry(struct parser *parser, const struct entry *entry) {
  bool upwards = entry->first <= entry->last;
  uint32_t steps =
      (upwards ? entry->last - entry->first : entry->first - entry->last) / entry->stride;
  for (uint32_t i = 0;; i++) {
    uint32_t distance = i * entry->stride;
    if (append(parser, entry->start, upwards ? entry->first + distance : entry->first - distance))
      return -1;
    if (i == steps)
      return 0;
  }
}

/* Numbers too large for 32 bits become the largest, which names no CPU. */
static int parse_number(struct parser *parser, const char *expected, const char *advice,
                        uint32_t *number) {
  uint64_t value = 0;
  if (parser->at == parser->end || !is_digit(*parser->at))
    return fail_at(parser, parser->at, expected, advice);
  for (; parser->at < parser->end && is_digit(*parser->at); parser->at++)
    if (value < UINT32_MAX)
      value = 10 * value + (uint64_t)(*parser->at - '0');
  *number = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
  return 0;
}

/* Skip `c` if it is next. */
static bool accept(struct parser *parser, char c) {
  if (parser->at == parser->end || *parser->at != c)
    return false;
  parser->at++;
  return true;
}

static int parse_stride(struct parser *parser, struct entry *entry) {
  static const char expected[] = "a stride of at least 1";
  static const char advice[] = "write ranges with a stride as FIRST-LAST:STRIDE, such as 0-14:2";
  const char *start = parser->at;
  if (parse_number(parser, expected, advice, &entry->stride) != 0)
    return -1;
  return entry->stride ? 0 : fail_at(parser, start, expected, advice);
}

static int end_entry(struct parser *parser) {
  if (ends_entry(parser, parser->at))
    return 0;
  return fail_at(parser, parser->at, "a blank, a comma or a range", HOW_TO_WRITE);
}

static int parse_location(struct parser *parser) {
  const char *start = parser->at;
  struct mai_location_error error;
  struct mai_cpu_list list;
  if (mai_location_parse(&parser->groups, &parser->at, parser->end, MAI_MAP_FILE_THREADS, &list,
                         &error) != 0)
    return fail_at(parser, error.at, error.expected, HOW_TO_WRITE);
  int result = end_entry(parser);
  for (uint32_t i = 0; result == 0 && i < list.count; i++)
    result = append(parser, start, list.cpus[i]);
  mai_cpu_list_free(&list);
  return result;
}

static int parse_numbers(struct parser *parser) {
  struct entry entry = {.start = parser->at, .stride = 1};
  if (parse_number(parser, "a CPU number", HOW_TO_WRITE, &entry.first) != 0)
    return -1;
  entry.last = entry.first;
  if (accept(parser, '-')) {
    if (parse_number(parser, "the last CPU of the range",
                     "write ranges without blanks as FIRST-LAST, such as 0-7", &entry.last) != 0 ||
        (accept(parser, ':') && parse_stride(parser, &entry) != 0))
      return -1;
  }
  return end_entry(parser) == 0 ? append_entry(parser, &entry) : -1;
}

static int parse_entry(struct parser *parser) {
  return mai_location_begins(*parser->at) ? parse_location(parser) : parse_numbers(parser);
}

static void skip_comment(struct parser *parser) {
  while (parser->at < parser->end && *parser->at != '\n')
    parser->at++;
}

static void skip_separator(struct parser *parser) {
  if (*parser->at++ == '\n') {
    parser->line++;
    parser->line_start = parser->at;
  }
}

static int parse_entries(struct parser *parser) {
  while (parser->at < parser->end) {
    if (*parser->at == '#')
      skip_comment(parser);
    else if (is_separator(*parser->at))
      skip_separator(parser);
    else if (parse_entry(parser) != 0)
      return -1;
  }
  if (parser->list.count == 0)
    return fail_at(parser, parser->at, "a CPU number", HOW_TO_WRITE);
  return 0;
}

static int fail_file(struct mai_map_remark *remark, const char *name, const char *reason) {
  snprintf(remark->text, sizeof remark->text,
           "map file %.300s cannot be used: %s (MAI_MAP_FILE names a text file that lists CPUs, "
           "such as 0 2 4-7)",
           name, reason);
  return -1;
}

int mai_map_file_parse(const char *name, const char *text, size_t length, const numarch_t *machine,
                       struct mai_cpu_list *list, struct mai_map_remark *remark) {
  struct parser parser = {.name = name,
                          .line_start = text,
                          .at = text,
                          .end = text + length,
                          .line = 1,
                          .groups = {.machine = machine},
                          .remark = remark};
  int result = -1;
  remark->text[0] = '\0';
  if (mai_cpu_list_all(machine, &parser.allowed) == 0)
    parser.users = minas_alloc_list(parser.allowed.count, sizeof *parser.users);
  if (parser.users)
    result = parse_entries(&parser);
  else
    fail_file(remark, name, strerrordesc_np(errno));
  if (result != 0)
    mai_cpu_list_free(&parser.list);
  *list = parser.list;
  minas_free(parser.users);
  mai_group_table_free(&parser.groups);
  mai_cpu_list_free(&parser.allowed);
  return result;
}

/* Read up to `size` bytes. @return how many, or -1 with errno */
static ssize_t read_all(int file, char *text, size_t size) {
  size_t length = 0;
  long got = 1;
  while (length < size && got > 0) {
    got = minas_read(file, text + length, size - length);
    length += got > 0 ? (size_t)got : 0;
  }
  return got < 0 ? -1 : (ssize_t)length;
}

/* Open a regular file: others may block or never end. NULL, or what is wrong with it. */
static const char *open_regular(const char *name, int *file) {
  struct statx status = {0};
  *file = (int)minas_system(SYS_openat, AT_FDCWD, (long)name, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0,
                            0, 0);
  if (*file < 0 || minas_file_status(*file, &status) != 0)
    return strerrordesc_np(errno);
  if (S_ISDIR(status.stx_mode))
    return strerrordesc_np(EISDIR);
  return S_ISREG(status.stx_mode) ? NULL : "it is not a regular file";
}

static int read_open_file(const char *name, int file, const numarch_t *machine,
                          struct mai_cpu_list *list, struct mai_map_remark *remark) {
  size_t size = MAI_MAP_FILE_BYTES + 1;
  char *text = minas_alloc(size);
  ssize_t length = text ? read_all(file, text, size) : -1;
  int result;
  if (length < 0)
    result = fail_file(remark, name, strerrordesc_np(errno));
  else if ((size_t)length == size)
    result = fail_file(remark, name, "it is larger than 1 MiB");
  else
    result = mai_map_file_parse(name, text, (size_t)length, machine, list, remark);
  minas_free(text);
  return result;
}

int mai_map_file_read(const char *name, const numarch_t *machine, struct mai_cpu_list *list,
                      struct mai_map_remark *remark) {
  int file;
  *list = (struct mai_cpu_list){0};
  const char *reason = open_regular(name, &file);
  int result =
      reason ? fail_file(remark, name, reason) : read_open_file(name, file, machine, list, remark);
  if (file >= 0)
    minas_close(file);
  return result;
}
