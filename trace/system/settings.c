/*===-- settings.c - what the environment asks for ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "settings.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "kernel.h"
#include "runtime/path.h"
#include "runtime/rights.h"
#include "text.h"

enum { TIME_MAX = 1000 * 1000 * 1000 }; /* milliseconds */
enum { LINE_MIN = 64, BLOCK_DEFAULT = 512, PAGE_DEFAULT = 4096 };
enum { NODES_MAX = 64, WAYS_MAX = 64, WAYS_DEFAULT = 16, CACHE_DEFAULT = 8 << 20 };

/* The environment that the process was started with, while it is read. */
static char *const *environment;

static const char *value_of(const char *variable) {
  size_t length = strlen(variable);
  for (char *const *entry = environment; entry && *entry; entry++)
    if (strncmp(*entry, variable, length) == 0 && (*entry)[length] == '=')
      return *entry + length + 1;
  return NULL;
}

static bool is_on(const char *variable) {
  const char *value = value_of(variable);
  return value && *value && strcmp(value, "0") != 0;
}

static bool is_any(const char *variable) {
  const char *value = value_of(variable);
  return value && strcmp(value, "any") == 0;
}

/* A number of bytes such as 4096, 32K, 8M, 2G. */
static bool parse_size(const char *text, size_t *size) {
  static const char suffixes[] = "KMGT";
  unsigned long value;
  if (!trace_parse(&text, 10, &value))
    return false;
  char letter = *text;
  if (letter >= 'a' && letter <= 'z')
    letter = (char)(letter - 'a' + 'A');
  const char *suffix = letter ? strchr(suffixes, letter) : NULL;
  unsigned shift = suffix ? 10U * (unsigned)(suffix - suffixes + 1) : 0;
  if (text[suffix ? 1 : 0] != '\0' || value > SIZE_MAX >> shift)
    return false;
  *size = (size_t)value << shift;
  return true;
}

static size_t size_of(const char *variable, size_t fallback, size_t minimum) {
  const char *text = value_of(variable);
  size_t size = 0;
  if (!text || !*text)
    return fallback;
  if (parse_size(text, &size) && size >= minimum)
    return size;
  trace_say("%s: expected a number of at least %zu, such as 64K, found '%s'; it is ignored",
            variable, minimum, text);
  return fallback;
}

/* A time such as 90, 90s, 500ms, 5m or 2h, in milliseconds. */
static bool parse_time(const char *text, unsigned long *time) {
  static const struct {
    const char *suffix;
    unsigned long milliseconds;
  } units[] = {{"", 1000}, {"s", 1000}, {"ms", 1}, {"m", 60000}, {"h", 3600000}};
  unsigned long value;
  if (!trace_parse(&text, 10, &value))
    return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(text, units[i].suffix) == 0 && value <= TIME_MAX / units[i].milliseconds) {
      *time = value * units[i].milliseconds;
      return true;
    }
  return false;
}

/* 0 where there is none. */
static unsigned long time_of(const char *variable) {
  const char *text = value_of(variable);
  unsigned long time = 0;
  if (text && *text && !parse_time(text, &time))
    trace_say("%s: expected a time such as 90, 500ms, 5m or 2h, found '%s'; it is ignored",
              variable, text);
  return time;
}

/* The first line of a file of the kernel's; empty where it tells nothing. */
static void read_line(const char *path, char *text, size_t size) {
  int file = kernel_open(path, 0, 0);
  ssize_t length = file < 0 ? 0 : kernel_read(file, text, size - 1);
  if (file >= 0)
    kernel_close(file);
  text[length > 0 ? length : 0] = '\0';
  text[strcspn(text, "\n")] = '\0';
}

/* What it tells about a cache of the machine. */
static void read_about_cache(unsigned index, const char *what, char *text, size_t size) {
  char path[96];
  trace_format(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index, what);
  read_line(path, text, size);
}

static size_t own_line_size(void) {
  char text[32];
  size_t size = 0;
  read_about_cache(0, "coherency_line_size", text, sizeof text);
  return parse_size(text, &size) && size > LINE_MIN && (size & (size - 1)) == 0 ? size : LINE_MIN;
}

static size_t line_size(size_t page) {
  size_t fallback = own_line_size();
  size_t size = size_of("MAI_TRACE_LINE", fallback, LINE_MIN);
  if ((size & (size - 1)) == 0 && size <= page)
    return size;
  trace_say("MAI_TRACE_LINE: expected a power of 2 from %d to %zu, found %zu; it is ignored",
            LINE_MIN, page, size);
  return fallback;
}

static size_t page_size(void) {
  unsigned long entry[2] = {0}; /* what, and its value */
  size_t size = PAGE_DEFAULT;
  int file = kernel_open("/proc/thread-self/auxv", 0, 0);
  while (file >= 0 && kernel_read(file, entry, sizeof entry) == sizeof entry)
    if (entry[0] == AT_PAGESZ)
      size = entry[1];
  if (file >= 0)
    kernel_close(file);
  return size;
}

/* A quarter of the machine's memory. */
static size_t memory_default(void) {
  struct sysinfo info = {.mem_unit = 0};
  bool known = minas_kernel_call(SYS_sysinfo, (long)&info, 0, 0, 0, 0, 0) == 0;
  return known ? info.totalram / 4 * info.mem_unit : (size_t)1 << 30;
}

/* The last level of caches has the highest number. */
static unsigned own_last_cache(void) {
  char text[32];
  unsigned index = 0;
  do
    read_about_cache(++index, "size", text, sizeof text);
  while (text[0]);
  return index - 1;
}

static size_t own_number(unsigned cache, const char *what, size_t fallback) {
  char text[32];
  size_t value = 0;
  read_about_cache(cache, what, text, sizeof text);
  return parse_size(text, &value) && value ? value : fallback;
}

/* One more than the highest number of a node, which ends a list such as 0-1,3. */
static unsigned own_nodes(void) {
  char text[256];
  unsigned long highest = 0;
  read_line("/sys/devices/system/node/online", text, sizeof text);
  const char *last = text + strlen(text);
  while (last > text && last[-1] >= '0' && last[-1] <= '9')
    last--;
  trace_parse(&last, 10, &highest);
  return highest < NODES_MAX ? (unsigned)highest + 1 : NODES_MAX;
}

static unsigned small_number_of(const char *variable, size_t fallback, size_t most) {
  size_t value = size_of(variable, fallback, 1);
  if (value <= most)
    return (unsigned)value;
  trace_say("%s: expected a number up to %zu, found %zu; it is ignored", variable, most, value);
  return (unsigned)fallback;
}

static void read_model(struct trace_settings *settings) {
  unsigned last = own_last_cache();
  size_t ways = own_number(last, "ways_of_associativity", WAYS_DEFAULT);
  unsigned imagined = small_number_of("MAI_TRACE_MODEL_NODES", 0, NODES_MAX);
  settings->model_imagined = imagined > 0;
  settings->model_nodes = imagined ? imagined : own_nodes();
  settings->model_ways =
      small_number_of("MAI_TRACE_MODEL_WAYS", ways < WAYS_MAX ? ways : WAYS_MAX, WAYS_MAX);
  settings->model_cache =
      size_of("MAI_TRACE_MODEL_CACHE", own_number(last, "size", CACHE_DEFAULT), LINE_MIN);
  settings->sources = true;
  if (settings->sample == 1 && !settings->cache)
    return;
  trace_say("MAI_TRACE_MODEL: the model has to see every access; MAI_TRACE_SAMPLE, "
            "MAI_TRACE_PACE and MAI_TRACE_CACHE are ignored");
  settings->sample = 1;
  settings->pace = 0;
  settings->cache = 0;
}

/* Whether mai-trace started this very process. */
static bool is_traced_child(void) {
  const char *parent = value_of("MAI_TRACE_PARENT");
  unsigned long number;
  return !parent || (trace_parse(&parent, 10, &number) &&
                     number == (unsigned long)minas_kernel_call(SYS_getppid, 0, 0, 0, 0, 0, 0));
}

/* Of this process among those of an MPI program, as what starts these tells it; NULL: it is none.
 */
static const char *own_rank(void) {
  static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                          "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *rank = value_of(variables[i]);
    const char *end = rank;
    unsigned long number;
    if (rank && trace_parse(&end, 10, &number) && !*end)
      return rank;
  }
  return NULL;
}

static void name_by_program(struct trace_settings *settings, const char *program) {
  const char *rank = own_rank();
  trace_format(settings->file, sizeof settings->file, "%s%s%s.maiprof",
               program ? minas_file_name(program) : "", rank ? "." : "", rank ? rank : "");
}

/* The rank in place of %r; outside of MPI the number of the process. */
static void name_by_rank(struct trace_settings *settings, const char *name, const char *place) {
  const char *rank = own_rank();
  char process[16];
  trace_format(process, sizeof process, "%d", kernel_getpid());
  trace_format(settings->file, sizeof settings->file, "%.*s%s%s", (int)(place - name), name,
               rank ? rank : process, place + strlen("%r"));
}

static void name_as_told(struct trace_settings *settings, const char *name) {
  const char *suffix = strrchr(name, '.');
  if (!suffix || strcmp(suffix, ".maiprof") != 0)
    suffix = name + strlen(name);
  if (is_traced_child())
    trace_format(settings->file, sizeof settings->file, "%s", name);
  else
    trace_format(settings->file, sizeof settings->file, "%.*s.%d%s", (int)(suffix - name), name,
                 kernel_getpid(), suffix);
}

static void read_file_name(struct trace_settings *settings, const char *program) {
  const char *name = value_of("MAI_TRACE_FILE");
  const char *place = name ? strstr(name, "%r") : NULL;
  if (place)
    name_by_rank(settings, name, place);
  else if (name && *name)
    name_as_told(settings, name);
  else
    name_by_program(settings, program);
}

/* A thread that is held to a pace has to look how late it is, but not at each access. */
static void read_pace(struct trace_settings *settings) {
  enum { SAMPLE = 16 };
  settings->pace = size_of("MAI_TRACE_PACE", 0, 0);
  if (settings->pace && settings->sample == 1)
    settings->sample = SAMPLE;
}

void trace_settings_read(struct trace_settings *settings, const char *program,
                         char *const *variables) {
  environment = minas_has_others_rights() ? NULL : variables;
  settings->page = page_size();
  read_file_name(settings, program);
  settings->sample = size_of("MAI_TRACE_SAMPLE", 1, 1);
  settings->cache = size_of("MAI_TRACE_CACHE", 0, 0);
  read_pace(settings);
  settings->line = line_size(settings->page);
  settings->memory = size_of("MAI_TRACE_MEMORY", memory_default(), 0);
  settings->block = size_of("MAI_TRACE_BLOCK", BLOCK_DEFAULT, 1);
  settings->checkpoint = time_of("MAI_TRACE_CHECKPOINT");
  settings->slices = time_of("MAI_TRACE_SLICES");
  settings->after = time_of("MAI_TRACE_AFTER");
  settings->duration = time_of("MAI_TRACE_FOR");
  settings->phases = is_on("MAI_TRACE_PHASES");
  settings->tasks = is_on("MAI_TRACE_TASKS");
  settings->any_loops = is_any("MAI_LOOPS");
  settings->transfers = is_on("MAI_TRACE_TRANSFERS");
  settings->sources = is_on("MAI_TRACE_SOURCES");
  settings->model = is_on("MAI_TRACE_MODEL");
  if (settings->model)
    read_model(settings);
}
