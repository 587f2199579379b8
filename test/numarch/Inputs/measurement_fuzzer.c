/*===-- measurement_fuzzer.c - any bytes as measured values ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For libFuzzer: whatever the bytes are, the parser either gives nodes in order and values that are
 * 0 or sane, or nothing and a reason.
 */
#include "numarch/lib/measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

/* Which measurement_use() calls, and nothing here. */
uint32_t numarch_node_by_os_index(const numarch_t *machine, uint32_t os_index) {
  (void)machine;
  (void)os_index;
  abort();
}

static void require(int condition) {
  if (!condition)
    abort();
}

static void check(const struct numarch_measurement *measurement) {
  size_t values = (size_t)measurement->count * measurement->count;
  require(measurement->count > 0 && measurement->count <= NUMARCH_MEASURED_NODES);
  for (uint32_t i = 1; i < measurement->count; i++)
    require(measurement->nodes[i - 1] < measurement->nodes[i]);
  for (int metric = 0; metric < NUMARCH_METRICS; metric++)
    for (size_t i = 0; i < values; i++)
      require(isfinite(measurement->tables[metric][i]) && measurement->tables[metric][i] >= 0);
}

/* What is written is what was read. */
static void check_written(const struct numarch_measurement *measurement) {
  struct numarch_measurement again;
  char *problem = NULL;
  char *text = numarch_measurement_print(measurement, "0123456789abcdef");
  require(text != NULL);
  require(numarch_measurement_parse(text, strlen(text), "0123456789abcdef", &again, &problem) == 0);
  require(again.count == measurement->count);
  numarch_measurement_free(&again);
  free(text);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  struct numarch_measurement measurement;
  char *problem = NULL;
  if (numarch_measurement_parse((const char *)bytes, size, "0123456789abcdef", &measurement,
                                &problem) == 0) {
    require(!problem);
    check(&measurement);
    check_written(&measurement);
  } else {
    require(problem && measurement.count == 0 && !measurement.nodes);
  }
  numarch_measurement_free(&measurement);
  free(problem);
  return 0;
}
