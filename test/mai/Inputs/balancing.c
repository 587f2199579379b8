/*===-- balancing.c - hammers arrays from the wrong node -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* For a machine with CPU 0 on node 0 and the last CPU on another.  Turns automatic balancing on, has a
   thread on CPU 0 read arrays that lie on node 1 until the kernel has moved the one that MAi has not
   placed, and says what became of those that it has. */
#include "calls.h"

#include <sys/mount.h>

enum { UNITS = 300, BYTES = UNITS * PAGE, MOST_ROUNDS = 4000 };

static void balance_quickly(void) {
  static const char *const periods[][2] = {{"scan_delay_ms", "1"},
                                           {"scan_period_min_ms", "1"},
                                           {"scan_period_max_ms", "20"},
                                           {"scan_size_mb", "256"}};
  char path[96];
  if (!write_word("/proc/sys/kernel/numa_balancing", "1"))
    printf("no balancing\n");
  if (mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL) != 0)
    printf("no debugfs: %s\n", strerrorname_np(errno));
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "/sys/kernel/debug/sched/numa_balancing/%s", periods[i][0]);
    if (!write_word(path, periods[i][1]))
      printf("no %s\n", path);
  }
}

static void touch(const volatile char *array) {
  for (size_t i = 0; i < BYTES; i += 64)
    (void)array[i];
}

int main(void) {
  static const char *const policies[] = {"bind 1", "cyclic on 1,0", "skew", "block", "local"};
  enum { ARRAYS = 5 };
  char *arrays[ARRAYS];
  mai_options_t options = {.huge_pages = MAI_HUGE_OFF};
  const char *untouched_by_mai = "first-touch";
  size_t units = UNITS;
  struct mai_pages pages;
  int node[ARRAYS];
  setvbuf(stdout, NULL, _IOLBF, 0);
  mai_init();
  balance_quickly();
  run_on((int)sysconf(_SC_NPROCESSORS_CONF) - 1);
  char *free_array = mai_alloc_shape(1, &units, PAGE, untouched_by_mai, &options, "free");
  memset(free_array, 1, BYTES);
  for (int i = 0; i < ARRAYS; i++) {
    const char *policy = policies[i];
    arrays[i] = mai_alloc_shape(1, &units, PAGE, policy, &options, policies[i]);
    memset(arrays[i], 1, BYTES);
    node[i] = mai_where(arrays[i]);
  }
  run_on(0);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    touch(free_array);
    for (int i = 0; i < ARRAYS; i++)
      touch(arrays[i]);
    if (round % 20 == 0 && pages_on(free_array, 0, BYTES, 0) > UNITS / 2)
      break;
  }
  printf("not placed: %s\n", pages_on(free_array, 0, BYTES, 0) > UNITS / 2 ? "moved" : "stayed");
  for (int i = 0; i < ARRAYS; i++)
    if (mai_verify(arrays[i], &pages, NULL, 0) == 0)
      printf("%s: %s\n", policies[i],
             pages.placed == pages.total && mai_where(arrays[i]) == node[i] ? "stayed" : "moved");
}
