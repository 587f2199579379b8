/*===-- process.c - the ends of a traced process -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "process.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "blocks.h"
#include "counters.h"
#include "trace/system/kernel.h"
#include "trace/system/lock.h"
#include "next.h"
#include "profile_writer.h"
#include "runtime/rights.h"
#include "signals.h"
#include "stack.h"
#include "trace/system/text.h"
#include "threads.h"

enum stage { RUNNING, WRITING, WRITTEN };

static struct {
  const struct trace_settings *settings;
  int64_t started;
  pid_t process;
  bool is_child;
  char directory[TRACE_PATH_MAX]; /* where the process began */
  atomic_int stage;
  trace_lock_t writing;
  atomic_int dying; /* the thread that a signal ends the process in; 0: none */
} state;

/* With the number of the process before the suffix in a child, and where the program began. */
static void name_profile(char *path, size_t size) {
  const char *file = state.settings->file;
  bool relative = file[0] != '/' && state.directory[0];
  const char *suffix = strrchr(file, '.');
  if (!suffix || strcmp(suffix, ".maiprof") != 0)
    suffix = file + strlen(file);
  size_t used = trace_format(path, size, "%s%s%.*s", relative ? state.directory : "",
                             relative ? "/" : "", (int)(suffix - file), file);
  if (state.is_child)
    used += trace_format(path + used, size - used, ".%d", kernel_getpid());
  trace_format(path + used, size - used, "%s", suffix);
}

static bool has_counted(void) {
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    if (context->list || context->coarse_list || context->elsewhere[0] || context->elsewhere[1])
      return true;
  return false;
}

/*===-- Writing -------------------------------------------------------------===*/

static void say_what_is_missing(const char *path, int error) {
  if (error)
    trace_say("no profile: %s: %s", path, trace_error_text(error));
  else if (trace_counters_coarse())
    trace_say("the limit of %zu bytes for counters was reached: from then on accesses were "
              "counted by pages (MAI_TRACE_MEMORY, mai-trace --memory)",
              state.settings->memory);
}

/* @param argument a struct trace_end, whose path is found here */
static void write_profile(void *argument) {
  static char path[2 * TRACE_PATH_MAX];
  struct trace_end *end = argument;
  trace_pause();
  trace_blocks_hide();
  trace_lock(&state.writing);
  if (!state.is_child || has_counted()) {
    name_profile(path, sizeof path);
    end->path = path;
    say_what_is_missing(path, trace_write_profile(state.settings, end));
  }
  trace_unlock(&state.writing);
  trace_blocks_show();
  trace_resume();
}

void trace_process_checkpoint(void) {
  struct trace_end end = {.started = state.started, .is_running = true};
  if (state.settings && atomic_load(&state.stage) == RUNNING)
    write_profile(&end);
}

static void wait_while(atomic_int *value, int is) {
  while (atomic_load(value) == is)
    minas_kernel_call(SYS_futex, (long)value, FUTEX_WAIT_PRIVATE, is, 0, 0, 0);
}

/* Writes the profile, once; or waits for another thread that does. */
static void finish(int signal) {
  /* A child of vfork() has this memory too, and nothing to tell. */
  if (!state.settings || kernel_getpid() != state.process)
    return;
  struct kernel_signals before = kernel_block_signals();
  int running = RUNNING;
  if (atomic_compare_exchange_strong(&state.stage, &running, WRITING)) {
    struct trace_end end = {.started = state.started, .signal = signal};
    trace_on_stack(write_profile, &end);
    atomic_store(&state.stage, WRITTEN);
    minas_kernel_call(SYS_futex, (long)&state.stage, FUTEX_WAKE_PRIVATE, INT32_MAX, 0, 0, 0);
  }
  wait_while(&state.stage, WRITING);
  kernel_unblock_signals(before);
}

/*===-- Ends ----------------------------------------------------------------===*/

/* The program ends by itself, unless a signal has ended it already in another thread, which writes
   the profile just now. */
static void finish_orderly(void) {
  finish(0);
  int dying = atomic_load(&state.dying);
  if (dying && dying != kernel_gettid() && kernel_getpid() == state.process)
    wait_while(&state.dying, dying);
}

static void finish_by_signal(int signal) {
  int nobody = 0;
  if (kernel_getpid() == state.process)
    atomic_compare_exchange_strong(&state.dying, &nobody, kernel_gettid());
  finish(signal);
}

__attribute__((destructor)) static void finish_at_exit(void) { finish_orderly(); }

static void begin_child(void) {
  state.process = kernel_getpid();
  state.is_child = true;
  atomic_store(&state.stage, RUNNING);
  atomic_store(&state.dying, 0);
  atomic_store(&state.writing, 0);
  trace_blocks_in_child();
  trace_counters_forget();
  trace_thread_in_child();
}

static int64_t now(void) {
  struct timespec time = {0, 0};
  minas_kernel_call(SYS_clock_gettime, CLOCK_REALTIME, (long)&time, 0, 0, 0, 0);
  return time.tv_sec;
}

void trace_process_start(const struct trace_settings *settings) {
  trace_blocks_hide();
  state.started = now();
  state.process = kernel_getpid();
  long length =
      minas_kernel_call(SYS_getcwd, (long)state.directory, sizeof state.directory, 0, 0, 0, 0);
  if (minas_kernel_failed(length) || state.directory[0] != '/') /* it may be out of reach */
    state.directory[0] = '\0';
  pthread_atfork(NULL, NULL, begin_child);
  at_quick_exit(finish_orderly);
  if (minas_has_others_rights())
    trace_say("no profile is written: the program has rights that its caller has not");
  else
    state.settings = settings;
  trace_signals_start(finish_by_signal);
  trace_blocks_show();
}

void _exit(int status) {
  finish_orderly();
  for (;;)
    minas_kernel_call(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

void _Exit(int status) { _exit(status); }
