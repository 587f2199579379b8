/*===-- message.c - what the library says to its user ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "message.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "call.h"
#include "mai.h"
#include "restrictions.h"
#include "runtime/lock.h"
#include "runtime/system.h"
#include "settings.h"

/*===-- The first standard error -------------------------------------------===*/

static struct {
  int file; /* our own descriptor of it; -1: none */
  bool known;
  dev_t device;
  ino_t inode;
} first = {.file = -1};

/* Far from the numbers that programs count on. */
enum { OWN_DESCRIPTOR = 200 };

static bool describe(int file, struct stat *status) {
  return minas_system(SYS_newfstatat, file, (long)"", (long)status, AT_EMPTY_PATH, 0, 0) == 0;
}

static bool user_listens(void) { return mai_settings()->any && !mai_settings()->silent; }

/* Asked before a sanitizer in the program has begun, whose strcmp() fails until then. */
static bool reports_there(void) {
  const char *report = mai_settings()->report;
  return report && report[0] == '1' && !report[1];
}

/* Programs that close all that they do not need, or end a pipe by closing it, do so in a child of
   fork(): there the descriptor must not keep it open. */
static void close_in_child(void) {
  if (first.file >= 0)
    minas_close(first.file);
  first.file = -1;
}

/* After settings.c. */
__attribute__((constructor(102))) static void keep_standard_error(void) {
  struct stat status = {0};
  if ((!user_listens() && !reports_there()) || !describe(STDERR_FILENO, &status))
    return;
  first.known = true;
  first.device = status.st_dev;
  first.inode = status.st_ino;
  first.file =
      (int)minas_system(SYS_fcntl, STDERR_FILENO, F_DUPFD_CLOEXEC, OWN_DESCRIPTOR, 0, 0, 0);
  pthread_atfork(NULL, NULL, close_in_child);
}

static bool is_first(int file) {
  struct stat status = {0};
  return first.known && file >= 0 && describe(file, &status) && status.st_dev == first.device &&
         status.st_ino == first.inode;
}

int mai_message_write(const struct minas_text *text) {
  int file = is_first(first.file) ? first.file : STDERR_FILENO;
  if (is_first(file))
    return minas_text_write(text, file);
  errno = EBADF;
  return -1;
}

/*===-- Messages -----------------------------------------------------------===*/

static struct {
  mai_message_handler_t handler;
  void *context;
} registered;

void mai_set_message_handler(mai_message_handler_t handler, void *context) {
  registered.handler = handler;
  registered.context = context;
}

static void say(const char *text) {
  struct minas_text line = {0};
  if (registered.handler) {
    registered.handler(text, registered.context);
  } else if (user_listens() && !mai_is_restricted()) { /* to find standard error is a call, too */
    minas_text_add(&line, "mai: %s\n", text);
    mai_message_write(&line);
    minas_text_free(&line);
  }
}

enum { MOST_TEXT = 1024 };

void mai_message(const char *format, ...) {
  int saved = errno;
  char text[MOST_TEXT];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  mai_call_say_later(say, text);
  errno = saved;
}

void mai_message_refused(bool *said, const char *call) {
  if (mai_settings()->verbose)
    mai_message_once(said, "the kernel refuses %s: %s", call, strerrordesc_np(errno));
}

void mai_message_and_stop(const char *format, ...) {
  char text[MOST_TEXT];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  mai_call_leave(); /* says what waits */
  say(text);
  fflush(NULL);
  _exit(EXIT_FAILURE);
}

void mai_tell(const char *message) {
  MAI_CALL;
  mai_message("%s", message);
}
