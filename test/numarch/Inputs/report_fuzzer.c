/*===-- report_fuzzer.c - any bytes as a report of MAi -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For libFuzzer: whatever the bytes are, the reader either gives a report whose parts are all there,
 * or nothing.  What it says of them goes nowhere by -close_fd_mask=2.
 */
#include "numarch/tool/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

static void require(int condition) {
  if (!condition)
    abort();
}

static void check(const struct report *report) {
  require(report->program != NULL);
  for (size_t i = 0; i < report->array_count; i++) {
    require(report->arrays[i].name && report->arrays[i].policy);
    for (size_t j = 0; j < report->arrays[i].share_count; j++)
      require(report->arrays[i].shares[j].os_node != UINT32_MAX);
  }
  for (size_t i = 0; i < report->thread_count; i++)
    require(report->threads[i].os_cpu != UINT32_MAX);
}

/* The reader takes a file's name: one of memory that is gone with the process. */
static const char *write_file(const unsigned char *bytes, size_t size) {
  static char path[64];
  static int file = -1;
  if (file < 0) {
    file = memfd_create("report", 0);
    require(file >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  }
  require(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
  return path;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  struct report report;
  if (report_read(write_file(bytes, size), &report) == 0) {
    check(&report);
    report_free(&report);
  }
  require(!report.arrays && !report.threads && !report.program);
  return 0;
}
