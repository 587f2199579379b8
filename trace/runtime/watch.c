/*===-- watch.c - what is done while the program runs ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "watch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "blocks.h"
#include "trace/system/kernel.h"
#include "process.h"
#include "regions.h"
#include "trace/system/text.h"
#include "threads.h"

enum { STEP = 1000 /* milliseconds */, STACK_BYTES = 1 << 20 };
enum { SLICES_ALIKE = 16 }; /* then they become twice as long, lest long runs have very many */

static struct {
  const struct trace_settings *settings;
  int64_t next_checkpoint, beginning, end, next_slice; /* when; 0: never */
  int64_t first_slice;
} state;

/* Whether the initial thread has ended (pthread_exit()), and all others but this one have.
   /proc/self/stat: number (name) state ..., the number of threads is the 18th field behind it. */
static bool is_alone(void) {
  enum { THREADS_FIELD = 18 };
  char text[1024];
  int file = kernel_open("/proc/self/stat", O_RDONLY, 0);
  ssize_t length = file < 0 ? 0 : kernel_read(file, text, sizeof text - 1);
  if (file >= 0)
    kernel_close(file);
  text[length > 0 ? length : 0] = '\0';
  const char *at = strrchr(text, ')');
  if (!at || strncmp(at, ") Z", 3) != 0)
    return false;
  for (int field = 0; at && field < THREADS_FIELD; field++)
    at = strchr(at + 1, ' ');
  unsigned long threads = 0;
  return at && trace_parse(&(const char *){at + 1}, 10, &threads) && threads <= 2;
}

static int64_t in_future(unsigned long milliseconds) {
  return milliseconds ? kernel_now() + (int64_t)milliseconds : 0;
}

static bool is_due(int64_t *event, int64_t now) {
  bool due = *event && now >= *event;
  if (due)
    *event = 0;
  return due;
}

static void do_what_is_due(int64_t now) {
  if (is_due(&state.beginning, now)) {
    trace_record(true);
    state.end = in_future(state.settings->duration);
  }
  if (is_due(&state.end, now))
    trace_record(false);
  if (is_due(&state.next_slice, now) && trace_slice_begin((uint64_t)(now - state.first_slice)))
    state.next_slice = in_future(state.settings->slices << (trace_slice_count() / SLICES_ALIKE));
  if (is_due(&state.next_checkpoint, now)) {
    trace_process_checkpoint();
    state.next_checkpoint = in_future(state.settings->checkpoint);
  }
}

static int64_t earlier(int64_t time, int64_t event) { return event && event < time ? event : time; }

static void *watch(void *argument) {
  trace_pause();
  trace_blocks_hide();
  while (!is_alone()) {
    int64_t now = kernel_now();
    int64_t until = earlier(now + STEP, state.next_checkpoint);
    until = earlier(earlier(until, state.beginning), state.end);
    until = earlier(until, state.next_slice);
    if (until > now)
      kernel_sleep(until - now);
    do_what_is_due(kernel_now());
  }
  return argument;
}

void trace_watch_start(const struct trace_settings *settings) {
  pthread_attr_t attributes;
  pthread_t thread;
  state.settings = settings;
  state.next_checkpoint = in_future(settings->checkpoint);
  state.beginning = in_future(settings->after);
  state.end = state.beginning ? 0 : in_future(settings->duration);
  state.first_slice = kernel_now();
  state.next_slice = in_future(settings->slices);
  if (!state.next_checkpoint && !state.beginning && !state.end && !state.next_slice)
    return;
  if (state.beginning)
    trace_record(false);
  trace_blocks_hide();
  struct kernel_signals before = kernel_block_signals(); /* the thread begins with these, too */
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (trace_create_thread(&thread, &attributes, watch) != 0)
    trace_say("there is no thread for what is to be done while the program runs");
  pthread_attr_destroy(&attributes);
  kernel_unblock_signals(before);
  trace_blocks_show();
}
