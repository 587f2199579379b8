/*===-- report_file.c - the file of each process's report -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "report_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "mai/process/ranks.h"
#include "runtime/lines.h"
#include "runtime/new_file.h"
#include "runtime/system.h"

/*===-- Names --------------------------------------------------------------===*/

static void add_host(struct minas_text *path) {
  struct utsname host = {0};
  minas_system(SYS_uname, (long)&host, 0, 0, 0, 0, 0);
  minas_text_add(path, "%s", host.nodename);
}

/* What means nothing stays as it is. @return whether it means something */
static bool add_directive(struct minas_text *path, char letter) {
  switch (letter) {
  case 'p':
    minas_text_add(path, "%" PRIu32, minas_process());
    return true;
  case 'r':
    minas_text_add(path, "%" PRIu32, mai_ranks()->rank);
    return true;
  case 'h':
    add_host(path);
    return true;
  case '%':
    minas_text_add_char(path, '%');
    return true;
  default:
    minas_text_add_char(path, '%');
    return false;
  }
}

static void expand(struct minas_text *path, const char *name) {
  for (; *name; name++)
    if (*name != '%')
      minas_text_add_char(path, *name);
    else if (add_directive(path, name[1]))
      name++;
}

static void add_numbered(struct minas_text *path, const char *name) {
  const char *suffix = strrchr(name, '.');
  if (!suffix || strchr(suffix, '/'))
    suffix = name + strlen(name);
  minas_text_add(path, "%.*s.%" PRIu32 "%s", (int)(suffix - name), name, minas_process(), suffix);
}

void mai_report_file_name(struct minas_text *path, const char *name, bool users) {
  if (users || strchr(name, '%'))
    expand(path, name);
  else
    add_numbered(path, name);
}

/*===-- Others' ------------------------------------------------------------===*/

/* When a process began, in ticks since the machine did. */
static bool read_start(uint32_t process, uint64_t *ticks) {
  enum { FIELDS_BEFORE = 20 }; /* behind the name in brackets */
  char path[32];
  char line[1024];
  snprintf(path, sizeof path, "/proc/%" PRIu32 "/stat", process);
  if (minas_read_line(path, line, sizeof line) != 0)
    return false;
  const char *text = strrchr(line, ')');
  for (int i = 0; text && i < FIELDS_BEFORE; i++)
    text = strchr(text + 1, ' ');
  text += text ? 1 : 0;
  return text && minas_scan_number(&text, 10, ticks);
}

/* When the process group began, or this process where its leader is gone; 1970 where nothing tells.
   Clocks of files are behind by a tick, as times of processes are. */
static struct timespec start_of_group(void) {
  struct timespec now, since_boot;
  uint64_t ticks;
  uint32_t group = (uint32_t)minas_system(SYS_getpgid, 0, 0, 0, 0, 0, 0);
  if ((!read_start(group, &ticks) && !read_start(minas_process(), &ticks)) ||
      clock_gettime(CLOCK_REALTIME, &now) != 0 || clock_gettime(CLOCK_BOOTTIME, &since_boot) != 0)
    return (struct timespec){0};
  const int64_t second = INT64_C(1000000000);
  int64_t start = (int64_t)(ticks * (uint64_t)(second / sysconf(_SC_CLK_TCK)));
  int64_t boot = (now.tv_sec - since_boot.tv_sec) * second + now.tv_nsec - since_boot.tv_nsec;
  return (struct timespec){(boot + start) / second, (boot + start) % second};
}

int mai_report_file_write(struct minas_text *path, const struct minas_text *report) {
  struct timespec start = start_of_group();
  int result = minas_replace_older_file(path->bytes, &start, report);
  if (result == 0 || errno != EEXIST)
    return result;
  struct minas_text other = {0};
  add_numbered(&other, path->bytes);
  minas_text_free(path);
  *path = other;
  if (path->cut_off) {
    errno = ENOMEM;
    return -1;
  }
  return minas_replace_file(path->bytes, report);
}
