/*===-- map_file_fuzzer.c - any bytes as a map file --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For libFuzzer: whatever the bytes are, the parser either gives a list of allowed CPUs, no longer
 * than its limit, or no list and a remark that says where in the file.
 *
 *   clang -D_GNU_SOURCE -g -fsanitize=fuzzer,address,undefined -Iinclude -Imai \
 *     test/mai/Inputs/map_file_fuzzer.c mai/map_file.c mai/mapping.c -Lbuild/numarch -lnumarch
 */
#include "map_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

static void require(int condition) {
  if (!condition)
    abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  static uint32_t cpus[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 31, 64, 4096, UINT32_MAX};
  static const struct mai_cpu_list allowed = {cpus, sizeof cpus / sizeof *cpus};
  struct mai_cpu_list list;
  struct mai_map_remark remark;
  int result = mai_map_file_parse("f", (const char *)bytes, size, &allowed, &list, &remark);
  require(memchr(remark.text, '\0', sizeof remark.text) != NULL);
  if (result == 0) {
    require(list.count > 0 && list.count <= MAI_MAP_FILE_THREADS);
    for (uint32_t i = 0; i < list.count; i++)
      require(mai_cpu_list_find(&allowed, list.cpus[i]) != NULL);
  } else {
    require(!list.cpus && list.count == 0 && strncmp(remark.text, "f:", 2) == 0);
  }
  mai_cpu_list_free(&list);
  return 0;
}
