/*===-- output.c - a profile's bytes -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LENGTH_BYTES = 8 };

static void fail(struct trace_output *output) {
  if (!output->error)
    output->error = errno ? errno : EIO;
}

static void flush(struct trace_output *output) {
  size_t done = 0;
  while (!output->error && done < output->used) {
    ssize_t some = write(output->file, output->buffer + done, output->used - done);
    if (some > 0)
      done += (size_t)some;
    else if (some == 0 || errno != EINTR)
      fail(output);
  }
  output->written += (off_t)output->used;
  output->used = 0;
}

static void put_bytes(struct trace_output *output, const void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    if (output->used == sizeof output->buffer)
      flush(output);
    size_t some = sizeof output->buffer - output->used;
    if (some > count - done)
      some = count - done;
    memcpy(output->buffer + output->used, (const char *)bytes + done, some);
    output->used += some;
    done += some;
  }
}

void trace_open(struct trace_output *output, const char *path) {
  memset(output, 0, sizeof *output);
  snprintf(output->temporary, sizeof output->temporary, "%s.%ld~", path, (long)getpid());
  output->file = open(output->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (output->file < 0)
    fail(output);
  put_bytes(output, "MAIPROF\001", 8);
}

void trace_begin_section(struct trace_output *output, const char *tag) {
  static const char no_length[LENGTH_BYTES];
  put_bytes(output, tag, 4);
  output->section = output->written + (off_t)output->used;
  put_bytes(output, no_length, sizeof no_length);
}

void trace_end_section(struct trace_output *output) {
  flush(output);
  uint64_t bytes = (uint64_t)(output->written - output->section - LENGTH_BYTES);
  unsigned char length[LENGTH_BYTES];
  for (unsigned i = 0; i < LENGTH_BYTES; i++)
    length[i] = (unsigned char)(bytes >> (8 * i));
  if (!output->error &&
      pwrite(output->file, length, sizeof length, output->section) != (ssize_t)sizeof length)
    fail(output);
}

void trace_put(struct trace_output *output, uint64_t value) {
  unsigned char bytes[10];
  size_t count = 0;
  do {
    bytes[count] = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>= 7;
    count++;
  } while (value);
  put_bytes(output, bytes, count);
}

void trace_put_text(struct trace_output *output, const char *text) {
  trace_put(output, strlen(text));
  put_bytes(output, text, strlen(text));
}

int trace_close(struct trace_output *output, const char *path) {
  trace_begin_section(output, "END ");
  trace_end_section(output);
  if (output->file >= 0 && close(output->file) != 0)
    fail(output);
  if (!output->error && rename(output->temporary, path) != 0)
    fail(output);
  if (output->error && output->file >= 0)
    unlink(output->temporary);
  errno = output->error;
  return output->error ? -1 : 0;
}
