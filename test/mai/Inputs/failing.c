/*===-- failing.c - computes with arrays of MAi whatever fails ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Prints a sum, which is the same whether the library can do what it is asked or not: where it gives no array the program takes
 * memory of its own.  Then how many descriptors are open, and the KiB that are left of what it has taken.  What the
 * calls answered goes to standard error.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <mai.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 120, COUNT = PAGES * PAGE / 8, LARGE = 3000 };

static void note(const char *call, int result) {
  if (result != 0)
    fprintf(stderr, "%s: %s\n", call, strerrorname_np(errno));
}

static double *get(const char *policy, const char *name) {
  double *array = mai_alloc(COUNT, sizeof(double), policy, name);
  if (!array)
    note("mai_alloc", -1);
  return array ? array : calloc(COUNT, sizeof(double));
}

static void give_back(double *array) {
  if (mai_free(array) != 0)
    free(array);
}

static double sum(double *const *arrays, unsigned count) {
  double result = 0;
  for (unsigned i = 0; i < count; i++)
#pragma omp parallel for reduction(+ : result)
    for (int k = 0; k < COUNT; k++)
      result += arrays[i][k] * (k % 7 + 1);
  return result;
}

static void fill(double *array) {
#pragma omp parallel for
  for (int k = 0; k < COUNT; k++)
    array[k] = k % 11;
}

static void add(double *array) {
#pragma omp parallel for
  for (int k = 0; k < COUNT; k++)
    array[k] += k % 5;
}

/* The file in which MAi claims CPUs stays open. */
static int is_claims(int folder, const char *name) {
  char target[256];
  ssize_t length = readlinkat(folder, name, target, sizeof target);
  return length >= 5 && length < (ssize_t)sizeof target &&
         memcmp(target + length - 5, "/cpus", 5) == 0;
}

static unsigned descriptors(void) {
  unsigned count = 0;
  DIR *folder = opendir("/proc/self/fd");
  struct dirent *entry;
  while (folder && (entry = readdir(folder)))
    count += !is_claims(dirfd(folder), entry->d_name);
  if (folder)
    closedir(folder);
  return count;
}

/* What the process has in memory, in KiB. */
static long resident(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1)
    pages = -1;
  if (file)
    fclose(file);
  return pages * 4;
}

static void use(void) {
  double *arrays[] = {get("block", "a"), get("cyclic", "b"), get("skew populate", "c"),
                      get("random 3", "d"), get("replicate", "e")};
  double *own = aligned_alloc(PAGE, COUNT * sizeof(double));
  double *large = aligned_alloc(PAGE, LARGE * PAGE);
  enum { ARRAYS = sizeof arrays / sizeof *arrays };
  for (unsigned i = 0; i < ARRAYS; i++)
    fill(arrays[i]);
  fill(own);
  note("mai_place", mai_place(own, COUNT, sizeof(double), "block", "own"));
  note("mai_replace", mai_replace(arrays[0], "cyclic", NULL));
  note("mai_migrate", mai_migrate(arrays[1], 1, NULL));
  note("mai_next_touch", mai_next_touch(arrays[2], 0, 0));
  memset(large, 0, LARGE * PAGE);
  fill(large);
  note("mai_place", mai_place(large, LARGE, PAGE, "random 5", "large"));
  note("mai_replicate", mai_replicate(arrays[4]));
  add(arrays[2]);
  note("mai_drop_replicas", mai_drop_replicas(arrays[4]));
  omp_set_num_threads(2);
  add(arrays[0]);
  double *larger = mai_realloc(arrays[3], COUNT + 1000);
  note("mai_realloc", larger ? 0 : -1);
  arrays[3] = larger ? larger : arrays[3];
  struct mai_pages pages;
  note("mai_verify", mai_verify(arrays[0], &pages, NULL, 0));
  printf("sum %.0f %.0f %.0f\n", sum(arrays, ARRAYS), sum(&own, 1), sum(&large, 1));
  note("mai_forget", mai_forget(own));
  for (unsigned i = 0; i < ARRAYS; i++)
    give_back(arrays[i]);
  free(own);
  note("mai_forget", mai_forget(large));
  free(large);
}

int main(void) {
  unsigned before = descriptors();
  use();
  long taken = resident();
  use();
  printf("descriptors %d\n", (int)(descriptors() - before));
  printf("left %s\n", resident() - taken < 2048 ? "nothing" : "memory");
  return 0;
}
