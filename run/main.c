/*===-- main.c - mai-run: runs unmodified programs with MAi -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Sets the variables that the libraries read, has the dynamic linker load these in front of the
 * program's own, and becomes the program.  What cannot be done for it is said first.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mai.h"
#include "mapping.h"

enum { USAGE_ERROR = 2, CANNOT_RUN = 126, NOT_FOUND = 127 };

static const char help[] =
    "usage: mai-run [options] program [argument...]\n"
    "Runs an unmodified OpenMP program with its threads pinned and its memory placed.\n"
    "\n"
    "  -m, --map FILE|NAME       the CPU of each thread: a map file, or compact (the default),\n"
    "                            scatter, per-cache, per-node or none\n"
    "  -p, --policy LIST         where memory goes, by name: u:block,malloc@*:cyclic\n"
    "                            (static arrays by their symbols, blocks of malloc() as "
    "malloc@...)\n"
    "  -s, --least-size BYTES    leave smaller blocks of malloc() alone (1 MiB)\n"
    "      --populate            bring placed memory in at once, not at first touch\n"
    "  -r, --report FILE         at the end say where everything is: on standard error (-), or in "
    "a\n"
    "                            file, .json and .svg as such\n"
    "  -w, --watch               place and pin nothing, only report\n"
    "  -v, --verbose             say what is done\n"
    "  -q, --quiet               do not say what cannot be done\n"
    "  -h, --help                show this\n"
    "      --version             show the version\n"
    "\n"
    "Exit status: the program's; 2 for a wrong option, 126 when the program cannot be run, 127 "
    "when\n"
    "it is not found.\n";

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

static bool is_mapping(const char *text) {
  enum mai_mapping mapping;
  return strcmp(text, "none") == 0 || mai_mapping_by_name(text, &mapping);
}

static int set_map(const char *map) {
  if (is_mapping(map)) {
    unsetenv("MAI_MAP_FILE");
    set("MAI_MAPPING", map);
    return 0;
  }
  if (access(map, R_OK) != 0)
    return fail(USAGE_ERROR, map,
                "expected a map file that can be read, or compact, scatter, per-cache, per-node or "
                "none");
  char *absolute = realpath(map, NULL);
  set("MAI_MAP_FILE", absolute ? absolute : map);
  free(absolute);
  return 0;
}

static int set_least_size(const char *text) {
  char *end;
  errno = 0;
  unsigned long long bytes = strtoull(text, &end, 10);
  if (errno || end == text || *end || *text == '-' || bytes == 0)
    return fail(USAGE_ERROR, text, "expected a number of bytes, such as 1048576");
  set("MAI_RUN_LEAST_BYTES", text);
  return 0;
}

enum { OPTION_POPULATE = 256, OPTION_VERSION };

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
    set("MAI_REPORT", strcmp(argument, "-") == 0 ? "1" : argument);
    return 0;
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
  default:
    fputs("mai-run: see mai-run --help\n", stderr);
    return USAGE_ERROR;
  }
}

static int read_options(int count, char **arguments) {
  static const struct option options[] = {{"map", required_argument, NULL, 'm'},
                                          {"policy", required_argument, NULL, 'p'},
                                          {"least-size", required_argument, NULL, 's'},
                                          {"populate", no_argument, NULL, OPTION_POPULATE},
                                          {"report", required_argument, NULL, 'r'},
                                          {"watch", no_argument, NULL, 'w'},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, OPTION_VERSION},
                                          {NULL, 0, NULL, 0}};
  int option;
  while ((option = getopt_long(count, arguments, "+m:p:s:r:wvqh", options, NULL)) != -1) {
    if (option == 'h' || option == OPTION_VERSION) {
      fputs(option == 'h' ? help : "mai-run " MINAS_VERSION "\n", stdout);
      exit(fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status = set_option(option, optarg);
    if (status)
      return status;
  }
  return optind < count ? 0 : fail(USAGE_ERROR, "no program", "see mai-run --help");
}

/*===-- What can be done for a program -------------------------------------===*/

/* An ELF file in memory; everything read from it is checked against its size. */
struct image {
  const char *bytes;
  size_t size;
};

static const void *part(const struct image *image, size_t offset, size_t size) {
  return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

static bool has_segment(const struct image *image, uint32_t type) {
  const ElfW(Ehdr) *header = part(image, 0, sizeof *header);
  for (size_t i = 0; header && i < header->e_phnum; i++) {
    const ElfW(Phdr) *segment =
        part(image, header->e_phoff + i * header->e_phentsize, sizeof *segment);
    if (segment && segment->p_type == type)
      return true;
  }
  return false;
}

static bool has_symbols(const struct image *image) {
  const ElfW(Ehdr) *header = part(image, 0, sizeof *header);
  for (size_t i = 0; header && i < header->e_shnum; i++) {
    const ElfW(Shdr) *section =
        part(image, header->e_shoff + i * header->e_shentsize, sizeof *section);
    if (section && section->sh_type == SHT_SYMTAB)
      return true;
  }
  return false;
}

/* The names of the libraries that a program needs stand in it as text. */
static bool needs_openmp(const struct image *image) {
  static const char *const libraries[] = {"libgomp.so", "libomp.so", "libiomp5.so"};
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (memmem(image->bytes, image->size, libraries[i], strlen(libraries[i])))
      return true;
  return false;
}

static bool is_elf(const struct image *image) {
  const unsigned char *ident = part(image, 0, EI_NIDENT);
  return ident && memcmp(ident, ELFMAG, SELFMAG) == 0;
}

static void examine(const char *program, const struct image *image, mode_t mode) {
  if (!is_elf(image)) {
    cannot(program, "no binary: what its interpreter runs is pinned and placed as far as can be");
    return;
  }
  if (!has_segment(image, PT_INTERP)) {
    cannot(program, "statically linked: its threads cannot be pinned nor its memory placed");
    return;
  }
  if (mode & (S_ISUID | S_ISGID))
    cannot(program, "set-user-ID: the dynamic linker does not load MAi into it");
  if (!needs_openmp(image))
    cannot(program, "needs no OpenMP run-time by itself: threads are pinned only if it loads one");
  if (getenv("MAI_POLICY") && !has_symbols(image))
    cannot(program, "stripped: its static arrays have no names and are left alone; blocks of "
                    "malloc() are placed");
}

static void examine_file(const char *program) {
  struct stat status;
  int file = open(program, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    struct image image = {NULL, (size_t)status.st_size};
    void *bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      image.bytes = bytes;
      examine(program, &image, status.st_mode);
      munmap(bytes, image.size);
    }
  }
  close(file);
}

/* The file that execvp() would run; to be freed, NULL when there is none. */
static char *find_program(const char *name) {
  const char *path = getenv("PATH");
  if (strchr(name, '/') || !path)
    return strdup(name);
  while (*path) {
    size_t length = strcspn(path, ":");
    char *file;
    if (asprintf(&file, "%.*s/%s", (int)(length ? length : 1), length ? path : ".", name) < 0)
      return NULL;
    if (access(file, X_OK) == 0)
      return file;
    free(file);
    path += length + (path[length] == ':');
  }
  return NULL;
}

/*===-- Becoming the program -----------------------------------------------===*/

/* libmai comes before the run-times that it stands in front of; what the user preloads goes on.
   mai-run is linked with libmai, and the other library lies beside it: that comes first, to see who
   calls realloc(). */
static int preload(void) {
  Dl_info info;
  char libraries[4 * PATH_MAX];
  const char *before = getenv("LD_PRELOAD");
  if (!dladdr((const void *)(uintptr_t)mai_init, &info))
    return fail(CANNOT_RUN, "libmai", "not found");
  char *mai = realpath(info.dli_fname, NULL);
  if (!mai)
    return fail(CANNOT_RUN, info.dli_fname, strerror(errno));
  int directory = (int)(strrchr(mai, '/') - mai);
  int length = snprintf(libraries, sizeof libraries, "%.*s/libmai-run.so:%s%s%s", directory, mai,
                        mai, before && *before ? ":" : "", before ? before : "");
  bool has_blank = strpbrk(mai, " :");
  free(mai);
  if (has_blank || length < 0 || (size_t)length >= sizeof libraries)
    return fail(CANNOT_RUN, info.dli_fname,
                "the dynamic linker takes no path with blanks or colons in LD_PRELOAD");
  set("LD_PRELOAD", libraries);
  return 0;
}

int main(int count, char **arguments) {
  int status = read_options(count, arguments);
  if (status)
    return status;
  char *program = find_program(arguments[optind]);
  if (!program)
    return fail(NOT_FOUND, arguments[optind], "not found");
  examine_file(program);
  status = preload();
  if (status)
    return status;
  if (quiet)
    set("MAI_VERBOSE", "0");
  else if (!getenv("MAI_MAP_FILE") && !getenv("MAI_MAPPING"))
    set("MAI_MAPPING", "compact"); /* what is asked for is also told of when it cannot be */
  execv(program, arguments + optind);
  return fail(errno == ENOENT ? NOT_FOUND : CANNOT_RUN, program, strerror(errno));
}
