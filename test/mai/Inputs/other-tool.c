/*===-- other-tool.c - an OpenMP tool that only says that it is there *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <stdio.h>

struct tool {
  int (*initialize)(void *lookup, int device, void *data);
  void (*finalize)(void *data);
  void *data;
};

static int initialize(void *lookup, int device, void *data) {
  (void)lookup;
  (void)device;
  (void)data;
  printf("the other tool starts\n");
  fflush(stdout);
  return 1;
}

static void finalize(void *data) { (void)data; }

struct tool *ompt_start_tool(unsigned version, const char *name);
struct tool *ompt_start_tool(unsigned version, const char *name) {
  static struct tool tool = {initialize, finalize, 0};
  (void)version;
  (void)name;
  return &tool;
}
