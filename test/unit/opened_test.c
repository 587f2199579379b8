/*===-- opened_test.c - which parallel region was open when -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "mai/dynamic/opened.h"

#include <stdio.h>

#include "check.h"

/* When the microseconds that are kept begin again. */
static const double AGAIN = 4294.967296;

static void none_yet(void) {
  CHECK(mai_opened_last() == 0);
  CHECK(mai_opened_at(1) == 0);
}

/* Two that take turns, and the first of them again and again. */
static void each_at_its_time(void) {
  mai_opened_note(1, AGAIN - 0.003);
  mai_opened_note(2, AGAIN - 0.001);
  mai_opened_note(1, AGAIN + 0.001);
  mai_opened_note(1, AGAIN + 0.002);
  CHECK(mai_opened_last() == 1);
  CHECK(mai_opened_at(AGAIN - 0.002) == 1);
  CHECK(mai_opened_at(AGAIN - 0.0005) == 2);
  CHECK(mai_opened_at(AGAIN + 0.0005) == 2);
  CHECK(mai_opened_at(AGAIN + 0.0015) == 1);
  CHECK(mai_opened_at(AGAIN + 1) == 1);
  CHECK(mai_opened_at(AGAIN - 1) == 1); /* before the first */
}

/* Of many only the last are kept. */
static void the_newest(void) {
  for (uint32_t region = 1; region <= 1000; region++)
    mai_opened_note(region, 2 * AGAIN + region);
  CHECK(mai_opened_last() == 1000);
  CHECK(mai_opened_at(2 * AGAIN + 999.5) == 999);
  CHECK(mai_opened_at(2 * AGAIN + 800) == 800);
  CHECK(mai_opened_at(2 * AGAIN + 1) > 700);
}

static void all_since(void) {
  struct mai_region_list regions = {.count = 0};
  mai_opened_note(7, 3 * AGAIN);
  mai_opened_note(8, 3 * AGAIN + 1);
  mai_opened_note(7, 3 * AGAIN + 2);
  mai_opened_note(9, 3 * AGAIN + 3);
  mai_opened_since(3 * AGAIN + 1.5, &regions);
  CHECK(regions.count == 3);
  CHECK(mai_region_list_has(&regions, 8)); /* it was open then */
  CHECK(!mai_region_list_has(&regions, 1000));
}

int main(void) {
  none_yet();
  each_at_its_time();
  the_newest();
  all_since();
  printf(failures ? "%d wrong\n" : "all right\n", failures);
  return failures != 0;
}
