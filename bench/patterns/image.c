/*===-- image.c - a blurring filter over an image of bytes ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "common.h"

#ifndef SIZE
#define SIZE 560
#endif
#ifndef SWEEPS
#define SWEEPS 2250
#endif

#ifdef MALLOC
static unsigned char (*picture)[SIZE];
static unsigned char (*blurred)[SIZE];
#else
static unsigned char picture[SIZE][SIZE];
static unsigned char blurred[SIZE][SIZE];
#endif

static void start(void) {
#pragma omp parallel for
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++)
      picture[y][x] = (unsigned char)(256 * noise((unsigned)(y * SIZE + x)));
}

/* Weights 1 2 1, 2 4 2, 1 2 1, of 16 together. */
static void blur_line(unsigned char *restrict to, const unsigned char *restrict above,
                      const unsigned char *restrict here, const unsigned char *restrict below) {
  for (int x = 1; x < SIZE - 1; x++) {
    const int corners = above[x - 1] + above[x + 1] + below[x - 1] + below[x + 1];
    const int sides = above[x] + here[x - 1] + here[x + 1] + below[x];
    to[x] = (unsigned char)((corners + 2 * sides + 4 * here[x] + 8) / 16);
  }
}

static void blur(void) {
#pragma omp parallel for
  for (int y = 1; y < SIZE - 1; y++)
    blur_line(blurred[y], picture[y - 1], picture[y], picture[y + 1]);
}

/* Blurs what has been blurred, but for some points that flicker. */
static void feed_back(int sweep) {
#pragma omp parallel for
  for (int y = 1; y < SIZE - 1; y++) {
    for (int x = 1; x < SIZE - 1; x++)
      picture[y][x] = blurred[y][x];
    picture[y][1 + (y + sweep) % (SIZE - 2)] ^= 255;
  }
}

static double sum(void) {
  long total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++)
      total += picture[y][x] * (x % 16);
  return (double)total;
}

int main(void) {
#ifdef MALLOC
  picture = malloc(SIZE * sizeof *picture);
  blurred = malloc(SIZE * sizeof *blurred);
  if (!picture || !blurred)
    return out_of_memory();
#endif
  start();
  const struct times begin = times_now();
  for (int s = 0; s < SWEEPS; s++) {
    blur();
    feed_back(s);
  }
  return report(begin, sum());
}
