/*===-- init.c - starts and ends the library -------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <string.h>

#include "mai/arrays/executable.h"
#include "mai/arrays/filled.h"
#include "mai/arrays/follow.h"
#include "mai/arrays/heap_hooks.h"
#include "mai/dynamic/dynamic.h"
#include "mai/arrays/lifetime.h"
#include "mai/threads/left_out.h"
#include "mai/memory/machine.h"
#include "mai.h"
#include "mai/process/message.h"
#include "mai/process/misspelt.h"
#include "mai/arrays/overrides.h"
#include "mai/report/report.h"
#include "mai/process/restrictions.h"
#include "mai/process/start.h"
#include "mai/tasks/near.h"
#include "mai/threads/threads.h"

static const struct mai_team_listener team_listener = {mai_follow_team, mai_filled_place};

/* By a filter of system calls that the program has installed, or one that was there before. */
static bool is_shut_in(void) {
  if (!mai_is_restricted() && !mai_survives(MAI_CALLS_OF_START))
    mai_restrict();
  return mai_is_restricted();
}

/* @return 0 or an errno */
static int start(void) {
  if (is_shut_in())
    return EPERM;
  mai_left_out_load_of_program();
  const struct mai_machine *machine = mai_machine_read();
  if (!machine) {
    int error = errno;
    mai_message("the machine cannot be read (%s): memory and threads are left as they are",
                strerrordesc_np(error));
    return error;
  }
  mai_misspelt_tell();
  mai_lifetime_listen();
  mai_heap_hooks_listen();
  mai_report_prepare();
  if (machine->watch_only)
    mai_watch_executable();
  else
    mai_overrides_read();
  mai_dynamic_listen();
  mai_near_start(machine);
  mai_threads_listen(&team_listener);
  return mai_threads_init(machine->topology, machine->watch_only) == 0 ? 0 : errno;
}

__attribute__((constructor(101))) static void be_started_by_any_call(void) { mai_start_by(start); }

int mai_init(void) { return mai_start(); }
