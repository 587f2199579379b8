// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many nanoseconds an instruction takes, of a program that hands its turns over.
#include <stdio.h>
#include <time.h>

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(void) {
  enum { TURNS = 5000, LOOPS = 1000 }; // of two instructions
  double begin = seconds();
  for (int turn = 0; turn < TURNS; turn++) {
    for (int i = LOOPS; i > 0; i--)
      __asm__ volatile("");
    __asm__ volatile("pause");
  }
  double nanoseconds = (seconds() - begin) * 1e9 / (2.0 * TURNS * LOOPS);
  printf("%s\n", nanoseconds > 6.5 && nanoseconds < 10.5 ? "an eighth" : "another part");
  return 0;
}
