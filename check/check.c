/*===-- check.c - runs the program and tells what it got ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "check.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gather.h"
#include "launcher.h"
#include "record.h"
#include "table.h"
#include "verdict.h"

enum { CANNOT_RUN = 126, BY_SIGNAL = 128 };

static int complain(const char *what) {
  fprintf(stderr, "mai-run: check: %s: %s\n", what, strerror(errno));
  return CANNOT_RUN;
}

/* Signals from the terminal reach the program as well: it decides what they mean. */
static int wait_for_program(pid_t program) {
  int status;
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  while (waitpid(program, &status, 0) < 0)
    if (errno != EINTR)
      return complain("the program");
  return WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL + WTERMSIG(status);
}

static void tell(const char *folder, struct place_among_ranks place) {
  json_t *all = gather_all(folder, place.size);
  table_print(all);
  verdict_print(all, &place);
  json_decref(all);
}

static void record(const char *folder, const char *report, long rank) {
  json_t *own = record_make(rank, report);
  if (!own || gather_leave(folder, rank, own) != 0)
    complain(folder);
  json_decref(own);
  unlink(report);
}

bool check_begin(int *status) {
  char folder[NAME_MAX + 16], here[PATH_MAX], report[3 * PATH_MAX];
  struct place_among_ranks place = launcher_tells();
  if (gather_folder(folder, sizeof folder) != 0 || !getcwd(here, sizeof here)) {
    *status = complain(folder);
    return false;
  }
  snprintf(report, sizeof report, "%s/%s/report.%ld.json", here, folder, place.rank);
  pid_t program = fork();
  if (program == 0) {
    setenv("MAI_REPORT", report, 1);
    return true;
  }
  *status = program < 0 ? complain("no process for the program") : wait_for_program(program);
  record(folder, report, place.rank);
  if (place.rank == 0)
    tell(folder, place);
  return false;
}
