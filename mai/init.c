/*===-- init.c - starts and ends the library -------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "machine.h"
#include "mai.h"
#include "message.h"
#include "overrides.h"
#include "report.h"
#include "threads.h"
#include "watch.h"

static struct {
  pthread_once_t once;
  struct mai_machine machine;
  int error;
} state = {.once = PTHREAD_ONCE_INIT};

static void start(void) {
  if (mai_machine_read(&state.machine) != 0) {
    state.error = errno;
    mai_message("the machine cannot be read (%s): memory and threads are left as they are",
                strerror(errno));
    return;
  }
  mai_report_prepare();
  if (!state.machine.watch_only)
    mai_overrides_read();
  if (state.machine.watch_only)
    mai_watch_executable();
  if (mai_threads_init(state.machine.topology, state.machine.watch_only) != 0)
    state.error = errno;
}

int mai_init(void) {
  pthread_once(&state.once, start);
  errno = state.error;
  return state.error ? -1 : 0;
}

const struct mai_machine *mai_machine(void) { return mai_init() == 0 ? &state.machine : NULL; }

__attribute__((destructor)) static void finish(void) { mai_report_at_exit(); }
