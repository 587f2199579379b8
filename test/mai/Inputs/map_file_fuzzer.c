/*===-- map_file_fuzzer.c - any bytes as a map file --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For libFuzzer: whatever the bytes are, the parser either gives a list of allowed CPUs, no longer
 * than its limit, or no list and a remark that says where in the file.
 *
 *   clang -D_GNU_SOURCE -g -fsanitize=fuzzer,address,undefined -Iinclude -Imai \
 *     test/mai/Inputs/map_file_fuzzer.c mai/maps/map_file.c mai/maps/named_maps.c -Lbuild/numarch -lnumarch
 */
#include "mai/maps/map_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

static void require(int condition) {
  if (!condition)
    abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  static numarch_t *machine;
  if (!machine) {
    setenv("HWLOC_SYNTHETIC",
           "pack:2 [numa(memory=1GB)] l3:2 core:2 "
           "pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,64,4096)",
           1);
    machine = numarch_open(0);
    require(machine != NULL);
  }
  struct mai_cpu_list list;
  struct mai_map_remark remark;
  int result = mai_map_file_parse("f", (const char *)bytes, size, machine, &list, &remark);
  require(memchr(remark.text, '\0', sizeof remark.text) != NULL);
  if (result == 0) {
    require(list.count > 0 && list.count <= MAI_MAP_FILE_THREADS);
    for (uint32_t i = 0; i < list.count; i++)
      require(numarch_cpu_by_os_index(machine, list.cpus[i]) != NUMARCH_NONE);
  } else {
    require(!list.cpus && list.count == 0 && strncmp(remark.text, "f:", 2) == 0);
  }
  mai_cpu_list_free(&list);
  return 0;
}
