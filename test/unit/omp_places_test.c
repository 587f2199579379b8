/*===-- omp_places_test.c - OMP_PLACES, and who is where ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <string.h>

#include "check.h"
#include "mai/threads/omp_place_list.h"

/*===-- Reading ------------------------------------------------------------===*/

static char seen[4096];

static bool write_place(const struct mai_cpu_mask *place, void *context) {
  (void)context;
  size_t length = strlen(seen);
  for (uint32_t cpu = 0; cpu < 16; cpu++)
    if (mai_cpu_mask_has(place, cpu))
      length += (size_t)snprintf(seen + length, sizeof seen - length, "%u ", cpu);
  snprintf(seen + length, sizeof seen - length, "| ");
  return length < sizeof seen / 2;
}

static bool read_places(const char *text) {
  struct mai_cpu_mask usable = {0};
  for (uint32_t cpu = 0; cpu < 8; cpu++)
    mai_cpu_mask_add(&usable, cpu);
  seen[0] = '\0';
  return mai_omp_place_list_read(text, &usable, write_place, NULL);
}

#define CHECK_PLACES(text, expected) CHECK(read_places(text) && strcmp(seen, expected) == 0)

static void test_lists(void) {
  CHECK_PLACES("{6},{0},{4}", "6 | 0 | 4 | ");
  CHECK_PLACES(" { 0 , 1 } , { 2 : 2 } ", "0 1 | 2 3 | ");
  CHECK_PLACES("{0:4:2}", "0 2 4 6 | ");
  CHECK_PLACES("{7:3:-1}", "5 6 7 | ");
  CHECK_PLACES("{0,1}:4:2", "0 1 | 2 3 | 4 5 | 6 7 | ");
  CHECK_PLACES("{6}:4:-2,{7}", "6 | 4 | 2 | 0 | 7 | ");
  CHECK_PLACES("{0},{99},{6},{7:3}", "0 | 6 | 7 | "); /* CPUs that are not there */
}

static void test_no_lists(void) {
  static const char *const others[] = {"",
                                       "cores",
                                       "cores(4)",
                                       "{",
                                       "{}",
                                       "{0",
                                       "{0},",
                                       "{0}x",
                                       "{0}:",
                                       "{0}:0",
                                       "{0}:-1",
                                       "{0:0}",
                                       "{0::2}",
                                       "!{0}",
                                       "{!0}",
                                       "{0}{1}",
                                       "{a}",
                                       "{0,}",
                                       "{0}:2:x",
                                       "{1.5}",
                                       "{99999999999999999999}",
                                       "{0}:99999999999"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    CHECK(!read_places(others[i]));
}

/*===-- Who is where -------------------------------------------------------===*/

static bool are_in(const unsigned *expected, struct mai_omp_team team) {
  for (unsigned thread = 0; thread < team.threads; thread++)
    if (mai_omp_place_of(thread, &team) != expected[thread])
      return false;
  return true;
}

#define CHECK_TEAM(threads, bind, is_llvm, ...)                                                    \
  CHECK(are_in((const unsigned[]){__VA_ARGS__}, (struct mai_omp_team){threads, 8, bind, is_llvm}))

/* As gcc 12 and clang 19 were seen to distribute teams over eight places. */
static void test_teams(void) {
  CHECK_TEAM(3, MAI_OMP_PRIMARY, true, 0, 0, 0);
  CHECK_TEAM(5, MAI_OMP_CLOSE, false, 0, 1, 2, 3, 4);
  CHECK_TEAM(5, MAI_OMP_CLOSE, true, 0, 1, 2, 3, 4);
  CHECK_TEAM(3, MAI_OMP_SPREAD, false, 0, 3, 6);
  CHECK_TEAM(3, MAI_OMP_SPREAD, true, 0, 3, 6);
  CHECK_TEAM(5, MAI_OMP_SPREAD, false, 0, 2, 4, 6, 7);
  CHECK_TEAM(5, MAI_OMP_SPREAD, true, 0, 1, 3, 5, 7);
  CHECK_TEAM(9, MAI_OMP_CLOSE, false, 0, 1, 2, 3, 4, 5, 6, 7, 0);
  CHECK_TEAM(9, MAI_OMP_CLOSE, true, 0, 0, 1, 2, 3, 4, 5, 6, 7);
  CHECK_TEAM(12, MAI_OMP_SPREAD, true, 0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7);
  CHECK_TEAM(16, MAI_OMP_CLOSE, true, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  CHECK_TEAM(20, MAI_OMP_SPREAD, false, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 0, 1, 2, 3);
  CHECK_TEAM(20, MAI_OMP_CLOSE, true, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7);
}

int main(void) {
  test_lists();
  test_no_lists();
  test_teams();
  printf("failures: %d\n", failures);
  return failures;
}
