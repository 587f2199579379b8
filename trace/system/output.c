/*===-- output.c - a profile's bytes -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "output.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "kernel.h"
#include "text.h"

enum { LENGTH_BYTES = 8, MOST_NAMES = 16 };

/* @param result of a system call */
static void fail(struct trace_output *output, long result) {
  if (!output->error)
    output->error = result < 0 ? (int)-result : EIO;
}

static void flush(struct trace_output *output) {
  size_t done = 0;
  while (!output->error && done < output->used) {
    ssize_t some = kernel_write(output->file, output->buffer + done, output->used - done);
    if (some > 0)
      done += (size_t)some;
    else if (some != -EINTR)
      fail(output, some);
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

/* A device or a pipe would be gone for all programs, and a profile cannot be written into it. */
static bool is_special(const char *path) {
  struct stat status = {0};
  return kernel_lstat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode) &&
         !S_ISDIR(status.st_mode);
}

void trace_open(struct trace_output *output, const char *path) {
  memset(output, 0, sizeof *output);
  output->file = -EEXIST;
  bool special = is_special(path);
  for (int i = 0; i < MOST_NAMES && !special && output->file == -EEXIST; i++) {
    trace_format(output->temporary, sizeof output->temporary, "%s.%d.%d~", path, kernel_getpid(),
                 i);
    output->file = kernel_open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
  }
  if (output->file < 0)
    fail(output, output->file);
  put_bytes(output, "MAIPROF\002", 8);
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
  ssize_t written =
      output->error ? 0 : kernel_pwrite(output->file, length, sizeof length, output->section);
  if (written != (ssize_t)sizeof length)
    fail(output, written);
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
  int closed = output->file >= 0 ? kernel_close(output->file) : 0;
  if (closed < 0)
    fail(output, closed);
  int renamed = output->error ? 0 : kernel_rename(output->temporary, path);
  if (renamed < 0)
    fail(output, renamed);
  if (output->error && output->file >= 0)
    kernel_unlink(output->temporary);
  return output->error;
}
