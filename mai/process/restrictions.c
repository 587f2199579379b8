/*===-- restrictions.c - system calls that would end the program *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "restrictions.h"

#include <numaif.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "interpose.h"
#include "runtime/maps.h"
#include "runtime/system.h"

static atomic_bool restricted;

bool mai_is_restricted(void) { return atomic_load_explicit(&restricted, memory_order_relaxed); }

void mai_restrict(void) { atomic_store(&restricted, true); }

/*===-- Filters that the program installs ----------------------------------===*/

static void (*_Atomic stop_threads)(void);

void mai_restrictions_stop_by(void (*stop)(void)) { atomic_store(&stop_threads, stop); }

#define FILTERS_INTERPOSE MAI_INTERPOSES
#define FILTERS_NEXT MAI_NEXT
#include "runtime/filters.h"

static void filter_comes(void) {
  void (*stop)(void) = atomic_load(&stop_threads);
  mai_restrict();
  if (stop)
    stop();
}

/*===-- Filters that were there before -------------------------------------===*/

/* The calls, with arguments that the kernel refuses or that change nothing. */
static void make_calls_of_start(void) {
  uint64_t mask[16] = {0};
  int mode;
  minas_system(SYS_get_mempolicy, (long)&mode, 0, 0, 0, 0, 0);
  minas_system(SYS_sched_getaffinity, 0, sizeof mask, (long)mask, 0, 0, 0);
  minas_system(SYS_sched_setaffinity, 0, sizeof mask, (long)mask, 0, 0, 0);
  minas_system(SYS_faccessat, AT_FDCWD, (long)"", F_OK, 0, 0, 0);
  minas_system(SYS_getdents64, -1, 0, 0, 0, 0, 0);
  minas_system(SYS_readlinkat, AT_FDCWD, (long)"", 0, 0, 0, 0);
  minas_system(SYS_statx, AT_FDCWD, (long)"", 0, 0, 0, 0);
  minas_system(SYS_mincore, 0, 0, 0, 0, 0, 0);
}

static void make_calls_of_placing(void) {
  struct timespec at_once = {0};
  minas_system(SYS_set_mempolicy, MPOL_DEFAULT, 0, 0, 0, 0, 0);
  minas_system(SYS_mbind, 0, 0, MPOL_DEFAULT, 0, 0, 0);
  minas_system(SYS_move_pages, 0, 0, 0, 0, 0, 0);
  minas_system(SYS_mkdirat, AT_FDCWD, (long)"", 0, 0, 0, 0);
  minas_system(SYS_fcntl, -1, F_GETLK, 0, 0, 0, 0);
  minas_system(SYS_userfaultfd, -1, 0, 0, 0, 0, 0);
  minas_system(SYS_close_range, 1, 0, 0, 0, 0, 0);
  minas_system(SYS_ppoll, 0, 0, (long)&at_once, 0, 0, 0);
}

static void make_calls_of_sampling(void) { minas_system(SYS_perf_event_open, 0, 0, -1, -1, 0, 0); }

/* A child tries them; nobody is told of its end but us.  Where there can be none, nothing speaks
   against them. */
static bool child_survives(void (*make_calls)(void)) {
  int status = 0;
  long child = minas_system(SYS_clone, 0, 0, 0, 0, 0, 0);
  if (child == 0) {
    make_calls();
    minas_system(SYS_exit_group, 0, 0, 0, 0, 0, 0);
  }
  return child < 0 || (minas_system(SYS_wait4, child, (long)&status, __WALL, 0, 0, 0) == child &&
                       WIFEXITED(status));
}

/* In the words of /proc/self/status: 0 none, 1 strict, 2 filters. Those that come later are seen
   when they are installed. */
bool mai_survives(enum mai_calls calls) {
  static void (*const make[])(void) = {[MAI_CALLS_OF_START] = make_calls_of_start,
                                       [MAI_CALLS_OF_PLACING] = make_calls_of_placing,
                                       [MAI_CALLS_OF_SAMPLING] = make_calls_of_sampling};
  static _Atomic enum { NOT_ASKED, SURVIVES, DIES } known[sizeof make / sizeof *make];
  if (known[calls] == NOT_ASKED)
    known[calls] =
        minas_maps_status("Seccomp") == 0 || child_survives(make[calls]) ? SURVIVES : DIES;
  return known[calls] == SURVIVES;
}
