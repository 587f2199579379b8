/*===-- output.h - a profile's bytes -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Writes the sections of maiprof(5) into a file, which has its name only when it is whole.
 * Allocates nothing.  The first error is kept and makes what follows do nothing.
 */
#ifndef MAI_TRACE_OUTPUT_H
#define MAI_TRACE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "settings.h"

struct trace_output {
  int file;
  int error; /**< an errno, or 0 */
  off_t written;
  off_t section; /**< where the open section's length stands */
  size_t used;
  char temporary[TRACE_PATH_MAX + 16];
  unsigned char buffer[1 << 16];
};

void trace_open(struct trace_output *output, const char *path);
void trace_begin_section(struct trace_output *output, const char *tag);
void trace_end_section(struct trace_output *output);
void trace_put(struct trace_output *output, uint64_t value);
void trace_put_text(struct trace_output *output, const char *text);

/** End the file and give it its name. @return 0, or an errno: what went wrong first */
int trace_close(struct trace_output *output, const char *path);

#endif /* MAI_TRACE_OUTPUT_H */
