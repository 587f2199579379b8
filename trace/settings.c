/*===-- settings.c - what the environment asks for ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "settings.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MIN = 64, BLOCK_DEFAULT = 4096 };

void trace_say(const char *format, ...) {
  char text[1024] = "mai-trace: ";
  size_t prefix = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text + prefix, sizeof text - prefix - 1, format, arguments);
  va_end(arguments);
  size_t end = prefix + (length > 0 ? (size_t)length : 0);
  if (end > sizeof text - 2)
    end = sizeof text - 2;
  text[end] = '\n';
  ssize_t ignored = write(STDERR_FILENO, text, end + 1);
  (void)ignored;
}

/* A number of bytes such as 4096, 32K, 8M, 2G. */
static bool parse_size(const char *text, size_t *size) {
  static const char suffixes[] = "KMGT";
  char *end = NULL;
  if (!isdigit((unsigned char)*text))
    return false;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno)
    return false;
  const char *suffix = *end ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
  unsigned shift = suffix ? 10U * (unsigned)(suffix - suffixes + 1) : 0;
  if (end[suffix ? 1 : 0] != '\0' || value > SIZE_MAX >> shift)
    return false;
  *size = (size_t)value << shift;
  return true;
}

static size_t size_of(const char *variable, size_t fallback, size_t minimum) {
  const char *text = getenv(variable);
  size_t size = 0;
  if (!text || !*text)
    return fallback;
  if (parse_size(text, &size) && size >= minimum)
    return size;
  trace_say("%s: expected a number of at least %zu, such as 64K, found '%s'; it is ignored",
            variable, minimum, text);
  return fallback;
}

static size_t line_size(size_t page) {
  long machine = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
  size_t fallback =
      machine > LINE_MIN && (machine & (machine - 1)) == 0 ? (size_t)machine : LINE_MIN;
  size_t size = size_of("MAI_TRACE_LINE", fallback, LINE_MIN);
  if ((size & (size - 1)) == 0 && size <= page)
    return size;
  trace_say("MAI_TRACE_LINE: expected a power of 2 from %d to %zu, found %zu; it is ignored",
            LINE_MIN, page, size);
  return fallback;
}

/* A quarter of the machine's memory. */
static size_t memory_default(size_t page) {
  long pages = sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? (size_t)pages / 4 * page : (size_t)1 << 30;
}

/* Whether mai-trace started this very process. */
static bool is_traced_child(void) {
  const char *parent = getenv("MAI_TRACE_PARENT");
  return !parent || strtol(parent, NULL, 10) == (long)getppid();
}

static void read_file_name(struct trace_settings *settings) {
  const char *name = getenv("MAI_TRACE_FILE");
  if (name && *name)
    snprintf(settings->file, sizeof settings->file, "%s", name);
  else
    snprintf(settings->file, sizeof settings->file, "%s.maiprof", program_invocation_short_name);
  if (name && *name && !is_traced_child()) {
    char whole[TRACE_PATH_MAX];
    memcpy(whole, settings->file, sizeof whole);
    char *suffix = strrchr(whole, '.');
    if (!suffix || strcmp(suffix, ".maiprof") != 0)
      suffix = whole + strlen(whole);
    snprintf(settings->file, sizeof settings->file, "%.*s.%ld%.16s", (int)(suffix - whole), whole,
             (long)getpid(), suffix);
  }
}

void trace_settings_read(struct trace_settings *settings) {
  long page = sysconf(_SC_PAGESIZE);
  const char *phases = getenv("MAI_TRACE_PHASES");
  settings->page = page > 0 ? (size_t)page : 4096;
  read_file_name(settings);
  settings->sample = size_of("MAI_TRACE_SAMPLE", 1, 1);
  settings->cache = size_of("MAI_TRACE_CACHE", 0, 0);
  settings->line = line_size(settings->page);
  settings->memory = size_of("MAI_TRACE_MEMORY", memory_default(settings->page), 0);
  settings->block = size_of("MAI_TRACE_BLOCK", BLOCK_DEFAULT, 1);
  settings->phases = phases && *phases && strcmp(phases, "0") != 0;
}
