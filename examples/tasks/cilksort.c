/*===-- cilksort.c - sorts by tasks -------------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Mergesort whose merging is parallel, too (S. Akl and N. Santoro, "Optimal parallel merging and
 * sorting without memory conflicts", 1987): quarters are sorted by tasks and merged in two rounds;
 * two sorted parts are merged by halves around the median of the larger.
 *
 *   gcc -O2 -fopenmp cilksort.c -o cilksort
 *   ./cilksort --count 1000000
 */
#include "common.h"

static long count = 100000;
static long cutoff = 2048; /* numbers that are sorted or merged by one task */

static int compare(const void *left, const void *right) {
  int a = *(const int *)left;
  int b = *(const int *)right;
  return (a > b) - (a < b);
}

/* How many numbers of a sorted part are below `limit`. */
static long count_below(const int *part, long length, int limit) {
  long low = 0;
  while (low < length) {
    long middle = low + (length - low) / 2;
    if (part[middle] < limit)
      low = middle + 1;
    else
      length = middle;
  }
  return low;
}

static void merge_alone(const int *a, long a_length, const int *b, long b_length, int *to) {
  while (a_length > 0 && b_length > 0)
    if (*b < *a) {
      *to++ = *b++;
      b_length--;
    } else {
      *to++ = *a++;
      a_length--;
    }
  memcpy(to, a, (size_t)a_length * sizeof *to);
  memcpy(to + a_length, b, (size_t)b_length * sizeof *to);
}

static void merge(const int *a, long a_length, const int *b, long b_length, int *to) {
  if (a_length < b_length) {
    merge(b, b_length, a, a_length, to);
    return;
  }
  if (a_length + b_length <= cutoff) {
    merge_alone(a, a_length, b, b_length, to);
    return;
  }
  long a_half = a_length / 2;
  long b_half = count_below(b, b_length, a[a_half]);
#pragma omp task
  merge(a, a_half, b, b_half, to);
#pragma omp task
  merge(a + a_half, a_length - a_half, b + b_half, b_length - b_half, to + a_half + b_half);
#pragma omp taskwait
}

static void sort(int *numbers, int *spare, long length) {
  long quarter = length / 4;
  long rest = length - 3 * quarter;
  if (length <= cutoff || quarter == 0) {
    qsort(numbers, (size_t)length, sizeof *numbers, compare);
    return;
  }
  int *second = numbers + quarter;
  int *third = second + quarter;
  int *fourth = third + quarter;
#pragma omp task
  sort(numbers, spare, quarter);
#pragma omp task
  sort(second, spare + quarter, quarter);
#pragma omp task
  sort(third, spare + 2 * quarter, quarter);
#pragma omp task
  sort(fourth, spare + 3 * quarter, rest);
#pragma omp taskwait
#pragma omp task
  merge(numbers, quarter, second, quarter, spare);
#pragma omp task
  merge(third, quarter, fourth, rest, spare + 2 * quarter);
#pragma omp taskwait
  merge(spare, 2 * quarter, spare + 2 * quarter, quarter + rest, numbers);
}

/* Sorted, and the same numbers as before: their sum and the sum of their squares are. */
static bool is_right(const int *numbers) {
  uint64_t sums[2] = {0};
  bool sorted = true;
  for (long i = 0; i < count; i++) {
    uint64_t before = random_number(i) >> 33;
    uint64_t now = (uint64_t)numbers[i];
    sorted = sorted && (i == 0 || numbers[i - 1] <= numbers[i]);
    sums[0] += now - before;
    sums[1] += now * now - before * before;
  }
  return sorted && sums[0] == 0 && sums[1] == 0;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {
      {"--count", &count, 524288}, {"--cutoff", &cutoff, 2048}, {NULL, NULL, 0}};
  (void)argument_count;
  read_options(arguments, options);
  int *numbers = allocate(count, sizeof *numbers);
  int *spare = allocate(count, sizeof *spare);
#pragma omp parallel for schedule(static) if (!serial)
  for (long i = 0; i < count; i++) {
    numbers[i] = (int)(random_number(i) >> 33);
    spare[i] = 0;
  }
  double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  sort(numbers, spare, count);
  double seconds = omp_get_wtime() - begin;
  printf("cilksort of %ld numbers\n", count);
  int status = tell(is_right(numbers), seconds);
  free(spare);
  free(numbers);
  return status;
}
