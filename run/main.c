/*===-- main.c - mai-run: runs unmodified programs with MAi -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Sets the variables that the libraries read, has the dynamic linker load these in front of the
 * program's own, and becomes the program.  What cannot be done for it is said first.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/check.h"
#include "commandline/exit_status.h"
#include "commandline/misspelt_option.h"
#include "libraries.h"
#include "mai.h"
#include "mai/arrays/overrides.h"
#include "mai/maps/map_file.h"
#include "mai/maps/named_maps.h"
#include "mai/pools/named.h"
#include "mai/process/restrictions.h"
#include "names.h"
#include "program.h"
#include "runtime/heap.h"
#include "runtime/path.h"
#include "runtime/text.h"

enum { CANNOT_RUN = 126, NOT_FOUND = 127 };

static const char brief[] =
    "usage: mai-run [options] program [argument...]\n"
    "Runs an unmodified OpenMP program with its threads pinned and its memory placed.\n"
    "\n"
    "  -m, --map FILE|NAME     the CPU of each thread: a map file, or compact, scatter,\n"
    "                          per-cache, per-node or none\n"
    "  -p, --policy LIST       where memory goes, by name: u:block,Grid::*:cyclic, or @FILE\n"
    "      --list              place and pin nothing; list the names that policies can have\n"
    "      --check             which CPUs has each rank? what to write for the launcher\n"
    "  -w, --watch             place and pin nothing, only report\n"
    "  -r, --report FILE       at the end say where everything is: -, a file, or FILE.json\n"
    "  -v, --verbose           say what is done\n"
    "  -q, --quiet             do not say what cannot be done\n"
    "      --help              all options\n"
    "      --version           the version\n"
    "\n"
    "Examples:\n"
    "  mai-run -w -r - ./solver                        where has it pages and threads?\n"
    "  mai-run ./solver                                pin its threads, side by side\n"
    "  srun -n4 mai-run --check ./solver               do ranks have CPUs of their own?\n"
    "  mai-run --list ./solver                         what has a name?\n"
    "  mai-run -m scatter -p 'malloc@*:cyclic' ./solver  spread threads and memory\n"
    "\n"
    "See also mai-run(1), minas(7).\n";

static const char help[] =
    "usage: mai-run [options] program [argument...]\n"
    "Runs an unmodified OpenMP program with its threads pinned and its memory placed.\n"
    "\n"
    "  -m, --map FILE|NAME       the CPU of each thread: a map file, or compact (the default),\n"
    "                            scatter, per-cache, per-node or none\n"
    "      --threads all|openmp|LIST  pin threads of std::thread, TBB and pthreads, too: in the "
    "order in\n"
    "                            which they are made; OpenMP's alone (the default); or by their "
    "names:\n"
    "                            rank*:node:0,hash*:node:1.core:0-3\n"
    "  -p, --policy LIST         where memory goes, by name: u:block,Grid::allocate*:cyclic, or "
    "@FILE\n"
    "                            with an entry a line\n"
    "                            (static arrays by their symbols, blocks of malloc() by the "
    "functions\n"
    "                            that ask for them, see --list)\n"
    "  -s, --least-size BYTES    leave smaller blocks of malloc() alone (1M; with -p @FILE 8K);\n"
    "                            suffixes K, M and G\n"
    "      --populate            populate placed memory at once, not at first touch\n"
    "      --dynamic[=PERCENT]   find out while the program runs where its memory belongs: what no "
    "policy is\n"
    "                            set for; watching takes so much of the time at most (2)\n"
    "      --learn FILE            with --dynamic: at the end write the policies that were found, "
    "for\n"
    "                            -p @FILE\n"
    "      --keep PERCENT        keep freed blocks for their site, up to so much of what placed "
    "blocks\n"
    "                            have had at most (25), but at least 32 MiB; 0: keep none\n"
    "  -r, --report FILE         at the end say where everything is: on standard error (-), or in "
    "a\n"
    "                            file, as JSON where its name ends in .json\n"
    "      --list                place and pin nothing; at the end list the names that policies "
    "can\n"
    "                            be set for, with sizes and where blocks come from\n"
    "      --wrapper NAME        a function that allocates for others: blocks have the name of "
    "its\n"
    "                            caller; may be given several times, and have wildcards\n"
    "      --check               say which CPUs and nodes each rank and thread had, and what to "
    "write\n"
    "                            for the launcher (MPI, Slurm) where that could be better\n"
    "  -w, --watch               place and pin nothing, only report\n"
    "  -v, --verbose             say what is done\n"
    "  -q, --quiet               do not say what cannot be done\n"
    "  -h                        the most important of these, with examples\n"
    "      --help                show this\n"
    "      --version             show the version\n"
    "\n"
    "Exit status: the program's; 2 for a wrong option, 3 for a file that cannot be read or "
    "written, "
    "126 when\n"
    "the program cannot be run, 127 when it is not found.\n";

static bool quiet;

static int fail(int status, const char *what, const char *why) {
  fprintf(stderr, "mai-run: %s: %s\n", what, why);
  return status;
}

static void cannot(const char *program, const char *what) {
  if (!quiet)
    fprintf(stderr, "mai-run: %s: %s\n", program, what);
}

static void set(const char *name, const char *value) {
  if (setenv(name, value, 1) != 0) {
    perror("mai-run");
    exit(CANNOT_RUN);
  }
}

/*===-- Options ------------------------------------------------------------===*/

static bool is_named_map(const char *text) {
  enum mai_named_map map;
  return strcmp(text, "none") == 0 || mai_named_map_by_name(text, &map);
}

/* NULL where it cannot be read, or who reads it is ended by a filter of system calls. */
static numarch_t *open_machine(void) {
  return mai_survives(MAI_CALLS_OF_START) ? numarch_open(0) : NULL;
}

/* What is wrong with a map file is said now: the library would go on without it. */
static bool can_use_map_file(const char *map) {
  struct mai_map_remark remark;
  struct mai_cpu_list list;
  numarch_t *machine = open_machine();
  bool usable = !machine || mai_map_file_read(map, machine, &list, &remark) == 0;
  if (machine && usable)
    mai_cpu_list_free(&list);
  if (!usable)
    fprintf(stderr, "mai-run: %s\n", remark.text);
  numarch_close(machine);
  return usable;
}

static int set_map(const char *map) {
  if (is_named_map(map)) {
    unsetenv("MAI_MAP_FILE");
    set("MAI_MAPPING", map);
    return 0;
  }
  if (access(map, R_OK) != 0)
    return fail(EXIT_USAGE, map,
                "expected a map file that can be read, or compact, scatter, per-cache, per-node or "
                "none");
  if (!can_use_map_file(map))
    return EXIT_INPUT;
  char *absolute = realpath(map, NULL);
  set("MAI_MAP_FILE", absolute ? absolute : map);
  free(absolute);
  return 0;
}

/* The number that stands for a letter behind a number of bytes; 0 where there is no such letter. */
static unsigned long long unit_of(const char *suffix) {
  static const char letters[] = "KMG";
  if (!*suffix)
    return 1;
  const char *letter = strchr(letters, toupper((unsigned char)*suffix));
  return letter && !suffix[1] ? 1ULL << (10 * (letter - letters + 1)) : 0;
}

static int set_least_size(const char *text) {
  char *end;
  char number[32];
  unsigned long long bytes;
  errno = 0;
  unsigned long long count = strtoull(text, &end, 10);
  if (errno || !isdigit((unsigned char)*text) || count == 0 ||
      __builtin_mul_overflow(count, unit_of(end), &bytes) || bytes == 0)
    return fail(EXIT_USAGE, text, "expected a number of bytes, such as 1048576, 1024K or 1M");
  snprintf(number, sizeof number, "%llu", bytes);
  set("MAI_RUN_LEAST_BYTES", number);
  return 0;
}

/* A file that is not there yet is made and removed again: only that tells what the file system
   allows. */
static const char *obstacle_to_making(const char *file) {
  int made = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made < 0)
    return errno == EEXIST ? NULL : strerror(errno);
  close(made);
  unlink(file);
  return NULL;
}

/* Why a report cannot be written to a file; NULL where it can, as far as is known before. */
static const char *obstacle_to_writing(const char *file) {
  struct stat status;
  if (stat(file, &status) != 0)
    return errno == ENOENT ? obstacle_to_making(file) : strerror(errno);
  if (S_ISDIR(status.st_mode))
    return strerror(EISDIR);
  return access(file, W_OK) == 0 ? NULL : strerror(errno);
}

/* The program may leave the folder that it is started in: the file is named from the root, behind
   `mark`. */
static int set_file(const char *variable, const char *mark, const char *file) {
  char folder[PATH_MAX] = "";
  char absolute[2 * PATH_MAX];
  bool known = *file == '/' || !getcwd(folder, sizeof folder);
  int length =
      snprintf(absolute, sizeof absolute, "%s%s%s%s", mark, folder, known ? "" : "/", file);
  if (length < 0 || (size_t)length >= sizeof absolute)
    return fail(EXIT_USAGE, file, strerror(ENAMETOOLONG));
  set(variable, absolute);
  return 0;
}

static int set_report(const char *file) {
  if (strcmp(file, "-") == 0) {
    set("MAI_REPORT", "1");
    return 0;
  }
  const char *reason = obstacle_to_writing(file);
  if (reason) {
    fprintf(stderr, "mai-run: -r: '%s': a report cannot be written there: %s\n", file, reason);
    return EXIT_INPUT;
  }
  return set_file("MAI_REPORT", "", file);
}

enum {
  OPTION_POPULATE = 256,
  OPTION_CHECK,
  OPTION_HELP,
  OPTION_VERSION,
  OPTION_LIST,
  OPTION_WRAPPER,
  OPTION_KEEP,
  OPTION_THREADS,
  OPTION_DYNAMIC,
  OPTION_LEARN
};

/* What is wrong with names of threads is said now: the library would go on without them. */
static bool can_pin_by_name(const char *list) {
  char explained[256];
  numarch_t *machine = open_machine();
  bool usable =
      !machine || mai_named_threads_check(machine, list, explained, sizeof explained) == 0;
  if (!usable)
    fprintf(stderr, "mai-run: --threads: %s\n", explained);
  numarch_close(machine);
  return usable;
}

static int set_threads(const char *which) {
  if (!strchr(which, ':') && strcmp(which, "all") != 0 && strcmp(which, "openmp") != 0)
    return fail(EXIT_USAGE, which, "expected all, openmp, or NAME:LOCATION, ...");
  if (strchr(which, ':') && !can_pin_by_name(which))
    return EXIT_USAGE;
  set("MAI_THREADS", which);
  return 0;
}

static int set_keep(const char *text) {
  char *end;
  unsigned long percent = strtoul(text, &end, 10);
  if (!isdigit((unsigned char)*text) || *end || percent > 100)
    return fail(EXIT_USAGE, text, "expected a percentage from 0 to 100");
  set("MAI_RUN_KEEP", text);
  return 0;
}

/* @param percent NULL: not given */
static int set_dynamic(const char *percent) {
  char *end = NULL;
  unsigned long part = percent ? strtoul(percent, &end, 10) : 2;
  if (percent && (!isdigit((unsigned char)*percent) || *end || part < 1 || part > 100))
    return fail(EXIT_USAGE, percent, "expected a percentage from 1 to 100");
  set("MAI_DYNAMIC", "1");
  if (percent)
    set("MAI_DYNAMIC_BUDGET", percent);
  return 0;
}

static int set_learn(const char *file) {
  const char *reason = obstacle_to_writing(file);
  if (!reason)
    return set_file("MAI_LEARN", "", file);
  fprintf(stderr, "mai-run: --learn: '%s': policies cannot be written there: %s\n", file, reason);
  return EXIT_USAGE;
}

/* They are kept as a list with commas. */
static int add_wrapper(const char *name) {
  char list[4096];
  const char *before = getenv("MAI_RUN_WRAPPERS");
  int length = snprintf(list, sizeof list, "%s%s%s", before ? before : "", before ? "," : "", name);
  if (!*name || length < 0 || (size_t)length >= sizeof list)
    return fail(EXIT_USAGE, "--wrapper", "expected the name of a function");
  set("MAI_RUN_WRAPPERS", list);
  return 0;
}

static int set_option(int option, const char *argument) {
  switch (option) {
  case 'm':
    return set_map(argument);
  case 'p':
    set("MAI_POLICY", argument);
    return 0;
  case 's':
    return set_least_size(argument);
  case 'r':
    return set_report(argument);
  case 'w':
    set("MAI_WATCH", "1");
    return 0;
  case 'v':
    set("MAI_VERBOSE", "1");
    return 0;
  case 'q':
    quiet = true;
    return 0;
  case OPTION_POPULATE:
    set("MAI_POPULATE", "1");
    return 0;
  case OPTION_CHECK:
    set("MAI_CHECK", "1");
    return 0;
  case OPTION_LIST:
    set("MAI_RUN_LIST", "1");
    return 0;
  case OPTION_KEEP:
    return set_keep(argument);
  case OPTION_THREADS:
    return set_threads(argument);
  case OPTION_LEARN:
    return set_learn(argument);
  case OPTION_DYNAMIC:
    return set_dynamic(argument);
  case OPTION_WRAPPER:
    return add_wrapper(argument);
  default:
    fputs("Try 'mai-run --help'.\n", stderr);
    return EXIT_USAGE;
  }
}

/* A program whose memory is to be placed does not run with less than what is asked for. */
static int check_policies(void) {
  char explained[MAI_OVERRIDES_EXPLAINED];
  const char *list = getenv("MAI_POLICY");
  if (!list)
    return 0;
  if (mai_overrides_check(list, explained, sizeof explained) == 0)
    return *list == '@' ? set_file("MAI_POLICY", "@", list + 1) : 0;
  fprintf(stderr, "mai-run: policies: %s\n", explained);
  return *list == '@' ? EXIT_INPUT : EXIT_USAGE;
}

/* Options that end mai-run. NULL: it is none of them. */
static const char *text_of(int option) {
  return option == 'h'              ? brief
         : option == OPTION_HELP    ? help
         : option == OPTION_VERSION ? "mai-run (Minas) " MINAS_VERSION "\n"
                                    : NULL;
}

static void print(const char *text) {
  fputs(text, stdout);
  exit(fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_INPUT);
}

static int read_options(int count, char **arguments) {
  static const struct option options[] = {{"map", required_argument, NULL, 'm'},
                                          {"dynamic", optional_argument, NULL, OPTION_DYNAMIC},
                                          {"check", no_argument, NULL, OPTION_CHECK},
                                          {"keep", required_argument, NULL, OPTION_KEEP},
                                          {"learn", required_argument, NULL, OPTION_LEARN},
                                          {"list", no_argument, NULL, OPTION_LIST},
                                          {"threads", required_argument, NULL, OPTION_THREADS},
                                          {"wrapper", required_argument, NULL, OPTION_WRAPPER},
                                          {"policy", required_argument, NULL, 'p'},
                                          {"least-size", required_argument, NULL, 's'},
                                          {"populate", no_argument, NULL, OPTION_POPULATE},
                                          {"report", required_argument, NULL, 'r'},
                                          {"watch", no_argument, NULL, 'w'},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, OPTION_HELP},
                                          {"version", no_argument, NULL, OPTION_VERSION},
                                          {NULL, 0, NULL, 0}};
  int option;
  while ((option = getopt_long(count, arguments, "+m:p:s:r:wvqh", options, NULL)) != -1) {
    if (text_of(option))
      print(text_of(option));
    if (option == '?')
      commandline_suggest("mai-run", options, arguments);
    int status = set_option(option, optarg);
    if (status)
      return status;
  }
  return optind < count ? 0 : fail(EXIT_USAGE, "no program", "try 'mai-run --help'");
}

/*===-- What can be done for a program -------------------------------------===*/

/* Why a program of a kind is not reached; NULL where it is. */
static const char *obstacle(enum binary_kind kind) {
  switch (kind) {
  case BINARY_STATIC:
    return "statically linked: its threads cannot be pinned nor its memory placed";
  case BINARY_32_BIT:
    return "a 32-bit program: MAi has 64 bits and cannot be loaded into it";
  case BINARY_OTHER_PROCESSOR:
    return "for another processor: MAi cannot be loaded into it";
  case BINARY_OTHER_LINKER:
    return "linked with another C library than MAi, which cannot be loaded into it";
  case BINARY_CHECKS_MEMORY:
    return "has MemorySanitizer, which takes what MAi writes for unwritten: MAi is not loaded into "
           "it";
  default:
    return NULL;
  }
}

static bool places_memory(void) { return getenv("MAI_POLICY") || getenv("MAI_DYNAMIC"); }

static bool pins_own_threads(void) {
  const char *which = getenv("MAI_THREADS");
  return which && strcmp(which, "openmp") != 0;
}

/* What mai-run cannot do for a program is said before it runs. */
static void warn(const char *name, const struct program *program) {
  if (program->script || program->kind == BINARY_TEXT)
    cannot(name, "no binary: what its interpreter runs is pinned and placed as far as can be");
  if (obstacle(program->kind))
    cannot(program->file, obstacle(program->kind));
  if (program->privileged)
    cannot(program->file, "runs with other rights than yours: the dynamic linker does not load MAi "
                          "into it");
  if (!obstacle(program->kind) && !mai_survives(MAI_CALLS_OF_START))
    cannot(name, "a filter of system calls (seccomp) ends processes that ask for CPUs and nodes: "
                 "memory and threads are left as they are");
  if (program->kind != BINARY_DYNAMIC || program->script)
    return;
  if (!program->needs_openmp && !pins_own_threads())
    cannot(name, "needs no OpenMP run-time by itself: threads are pinned only if it loads one");
  if (places_memory() && *program->sanitizer)
    cannot(name, "has a sanitizer's allocator: blocks of malloc() are left alone");
  if (places_memory() && !program->has_symbols)
    cannot(name, "stripped: its static arrays have no names and are left alone; blocks of "
                 "malloc() are placed");
}

/*===-- Becoming the program -----------------------------------------------===*/

/* The first of the libraries that the user preloads that is a sanitizer's run-time; "" for none. */
static void find_sanitizer(const char *preloaded, char *name, size_t size) {
  while (preloaded && *preloaded) {
    int length = (int)strcspn(preloaded, ": ");
    snprintf(name, size, "%.*s", length, preloaded);
    if (binary_is_sanitizer(minas_file_name(name)))
      return;
    preloaded += length + (preloaded[length] != '\0');
  }
  *name = '\0';
}

/* libmai comes before the run-times that it stands in front of, but behind a sanitizer's, which
   ends the program otherwise; what the user preloads goes on.  mai-run is linked with libmai, and
   the other library lies beside it: that comes first, to see who calls realloc(). */
static int preload(const struct program *program) {
  Dl_info info;
  char libraries[4 * PATH_MAX];
  char sanitizer[PATH_MAX];
  const char *before = getenv("LD_PRELOAD");
  find_sanitizer(before, sanitizer, sizeof sanitizer);
  if (!*sanitizer)
    snprintf(sanitizer, sizeof sanitizer, "%s", program->sanitizer);
  if (!dladdr((const void *)(uintptr_t)mai_init, &info))
    return fail(CANNOT_RUN, "libmai", "not found");
  char *mai = realpath(info.dli_fname, NULL);
  if (!mai)
    return fail(CANNOT_RUN, info.dli_fname, strerror(errno));
  int directory = (int)(strrchr(mai, '/') - mai);
  int length = snprintf(libraries, sizeof libraries, "%s%s%.*s/libmai-run.so:%s%s%s", sanitizer,
                        *sanitizer ? ":" : "", directory, mai, mai, before && *before ? ":" : "",
                        before ? before : "");
  bool has_blank = strpbrk(mai, " :");
  free(mai);
  if (has_blank || length < 0 || (size_t)length >= sizeof libraries)
    return fail(CANNOT_RUN, info.dli_fname,
                "the dynamic linker takes no path with blanks or colons in LD_PRELOAD");
  set("LD_PRELOAD", libraries);
  return 0;
}

/* Another dynamic linker complains of libraries that it cannot load, or stops, and so does
   MemorySanitizer once a library is used. */
static bool may_preload(enum binary_kind kind) { return kind == BINARY_STATIC || !obstacle(kind); }

/* The program will have the number that mai-run has. */
static void set_process(void) {
  char number[16];
  snprintf(number, sizeof number, "%d", (int)getpid());
  set("MAI_RUN_PROCESS", number);
}

/* The list is a report of a run in which nothing is placed. */
static void prepare_list(void) {
  if (!getenv("MAI_RUN_LIST"))
    return;
  set("MAI_WATCH", "1");
  if (!getenv("MAI_REPORT"))
    set("MAI_REPORT", "1");
}

/* Adds the table of a program or library to a list, a line each.
   @return what stands in the way, or NULL */
static const char *add_table(const struct program *object, struct minas_text *tables) {
  char path[PATH_MAX];
  const char *problem = names_table(object, path);
  if (!problem)
    minas_text_add(tables, "%s%s", tables->length ? "\n" : "", path);
  return problem;
}

/* What stands in the way of a library's names stands in that of the program's, which is said. */
static void add_table_of_library(const char *file, void *tables) {
  struct program library;
  program_examine_library(file, &library);
  add_table(&library, tables);
}

/* Blocks get names where these are seen or used. */
static void set_names(const struct program *program) {
  struct minas_text tables = {0};
  const char *problem = "";
  if (getenv("MAI_REPORT") || places_memory()) {
    problem = add_table(program, &tables);
    libraries_visit(program, add_table_of_library, &tables);
  }
  if (tables.bytes)
    set("MAI_NAMES", tables.bytes);
  else
    unsetenv("MAI_NAMES");
  minas_free(tables.bytes);
  if (problem && *problem)
    cannot(program->file, problem);
}

static int prepare(const struct program *program) {
  set_process();
  prepare_list();
  set_names(program);
  if (quiet)
    set("MAI_VERBOSE", "0");
  else if (!getenv("MAI_MAP_FILE") && !getenv("MAI_MAPPING"))
    set("MAI_MAPPING", "compact"); /* what is asked for is also told of when it cannot be */
  return preload(program);
}

/* A binary is the file that was found.  For others execvp() does what shells do: a script without
   #! is run by /bin/sh, and the search goes on where the interpreter is not there. */
static void become(const char *file, const struct program *program, char **arguments) {
  if (!file || program->script || program->kind == BINARY_TEXT || program->kind == BINARY_UNKNOWN)
    execvp(*arguments, arguments);
  else
    execv(file, arguments);
}

/* Why it cannot be run. @return the exit status for that */
static int report_failure(const char *file, const char *name) {
  if (errno != ENOENT)
    return fail(CANNOT_RUN, file ? file : name, strerror(errno));
  return fail(NOT_FOUND, name,
              file ? "the interpreter that it asks for is not found" : "not found");
}

/* Behind this the program's process goes on. @return whether that is this one */
static bool check_if_wanted(int *status) {
  const char *wanted = getenv("MAI_CHECK");
  if (!wanted || !*wanted || strcmp(wanted, "0") == 0)
    return true;
  if (getenv("MAI_REPORT")) {
    *status = fail(EXIT_USAGE, "--check", "reads the report itself: leave -r and MAI_REPORT away");
    return false;
  }
  unsetenv("MAI_CHECK"); /* what the program starts is not checked */
  return check_begin(status);
}

int main(int count, char **arguments) {
  struct program program = {.kind = BINARY_UNKNOWN};
  int status = read_options(count, arguments);
  if (!status)
    status = check_policies();
  if (status || !check_if_wanted(&status))
    return status;
  arguments += optind;
  char *file = program_find(*arguments);
  if (file)
    program_examine(file, &program);
  warn(*arguments, &program);
  status = may_preload(program.kind) ? prepare(&program) : 0;
  if (status)
    return status;
  become(file, &program, arguments);
  return report_failure(file, *arguments);
}
