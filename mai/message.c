/*===-- message.c - what the library says to its user ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mai.h"

static struct {
  mai_message_handler_t handler;
  void *context;
} registered;

void mai_set_message_handler(mai_message_handler_t handler, void *context) {
  registered.handler = handler;
  registered.context = context;
}

bool mai_environment_flag(const char *name) {
  const char *value = getenv(name);
  return value && *value && strcmp(value, "0") != 0;
}

/* A user who sets any of our variables wants to know what became of it. */
static bool user_listens(void) {
  static const char *const asking[] = {"MAI_VERBOSE", "MAI_MAP_FILE", "MAI_MAPPING", "MAI_POLICY",
                                       "MAI_REPORT",  "MAI_STRICT",   "MAI_WATCH"};
  const char *verbose = getenv("MAI_VERBOSE");
  if (verbose && strcmp(verbose, "0") == 0)
    return false;
  for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
    if (mai_environment_flag(asking[i]))
      return true;
  return false;
}

void mai_message(const char *format, ...) {
  int saved = errno;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (registered.handler)
    registered.handler(text, registered.context);
  else if (user_listens())
    fprintf(stderr, "mai: %s\n", text);
  errno = saved;
}
