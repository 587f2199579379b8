/*===-- map_file.h - the file that names each thread's CPU -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Reads map files, which minas-map(5) describes:
 *
 *     file  = { entry | separator | comment }       entries have a separator between them
 *     entry = CPU [ "-" CPU [ ":" stride ] ]        CPUs by OS index; may run downwards
 *           | location                              see location.h
 *     separator = white space | ","
 *     comment = "#" and what follows on the line
 */
#ifndef MAI_MAP_FILE_H
#define MAI_MAP_FILE_H

#include <stddef.h>

#include "named_maps.h"

/** A file may be so long, ... */
#define MAI_MAP_FILE_BYTES (1U << 20)
/** ... and list so many threads. */
#define MAI_MAP_FILE_THREADS (1U << 16)

/** What is to be said of a map file: one sentence, or "". */
struct mai_map_remark {
  char text[768];
};

/**
 * Read the file `name`.
 *
 * @param machine what this process may use
 * @param list receives the CPU of thread 0, 1, 2, ...
 * @param remark receives what is wrong on failure, and otherwise a warning or ""
 * @return 0, or -1 and `list` is empty
 */
int mai_map_file_read(const char *name, const numarch_t *machine, struct mai_cpu_list *list,
                      struct mai_map_remark *remark);

/** The same with `text` as the contents; `name` is what remarks call the file. */
int mai_map_file_parse(const char *name, const char *text, size_t length, const numarch_t *machine,
                       struct mai_cpu_list *list, struct mai_map_remark *remark);

#endif /* MAI_MAP_FILE_H */
