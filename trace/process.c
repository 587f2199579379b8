/*===-- process.c - the ends of a traced process -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "process.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "blocks.h"
#include "counters.h"
#include "machine.h"
#include "next.h"
#include "profile_writer.h"
#include "threads.h"

static struct {
  const struct trace_settings *settings;
  int64_t started;
  pid_t process;
  bool is_child;
  char directory[TRACE_PATH_MAX]; /* where the process began */
  atomic_bool written;
} state;

static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGABRT,
                             SIGBUS, SIGFPE, SIGSEGV, SIGTERM};

/* With the number of the process before the suffix in a child, and where the program began. */
static void name_profile(char *path, size_t size) {
  const char *file = state.settings->file;
  bool relative = file[0] != '/' && state.directory[0];
  const char *suffix = strrchr(file, '.');
  if (!suffix || strcmp(suffix, ".maiprof") != 0)
    suffix = file + strlen(file);
  int length = snprintf(path, size, "%s%s%.*s", relative ? state.directory : "",
                        relative ? "/" : "", (int)(suffix - file), file);
  size_t used = length > 0 && (size_t)length < size ? (size_t)length : 0;
  if (state.is_child)
    snprintf(path + used, size - used, ".%ld%s", (long)getpid(), suffix);
  else
    snprintf(path + used, size - used, "%s", suffix);
}

static bool has_counted(void) {
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    if (context->list || context->coarse_list || context->elsewhere[0] || context->elsewhere[1])
      return true;
  return false;
}

static void finish(int signal) {
  static char path[2 * TRACE_PATH_MAX];
  /* A child of vfork() has this memory too, and nothing to tell. */
  if (!state.settings || getpid() != state.process || atomic_exchange(&state.written, true))
    return;
  int saved = errno;
  trace_pause();
  trace_blocks_hide();
  if (!state.is_child || has_counted()) {
    name_profile(path, sizeof path);
    struct trace_end end = {path, state.started, signal};
    if (trace_write_profile(state.settings, &end) != 0)
      trace_say("no profile: %s: %s", path, strerror(errno));
    else if (trace_counters_coarse())
      trace_say("the limit of %zu bytes for counters was reached: from then on accesses were "
                "counted by pages (MAI_TRACE_MEMORY, mai-trace --memory)",
                state.settings->memory);
  }
  trace_blocks_show();
  trace_resume();
  errno = saved;
}

static void finish_quickly(void) { finish(0); }

__attribute__((destructor)) static void finish_at_exit(void) { finish(0); }

static void die(int signal) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  finish(signal);
  sigaction(signal, &action, NULL);
  raise(signal);
}

static void catch_signals(void) {
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
    struct sigaction old;
    struct sigaction action = {.sa_handler = die, .sa_flags = SA_ONSTACK};
    if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(deadly[i], &action, NULL);
  }
}

static void begin_child(void) {
  state.process = getpid();
  state.is_child = true;
  atomic_store(&state.written, false);
  trace_blocks_in_child();
  trace_counters_forget();
  trace_thread_in_child();
}

void trace_process_start(const struct trace_settings *settings) {
  trace_blocks_hide();
  state.started = (int64_t)time(NULL);
  state.process = getpid();
  if (!getcwd(state.directory, sizeof state.directory))
    state.directory[0] = '\0';
  trace_machine_read();
  pthread_atfork(NULL, NULL, begin_child);
  at_quick_exit(finish_quickly);
  catch_signals();
  state.settings = settings;
  trace_blocks_show();
}

__attribute__((constructor)) static void start(void) { trace_thread_begin(0); }

void _exit(int status) {
  finish(0);
  TRACE_NEXT(_exit)(status);
  __builtin_unreachable();
}

void _Exit(int status) { _exit(status); }
