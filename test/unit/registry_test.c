/*===-- registry_test.c - many threads use the registry at once *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Without OpenMP, whose run-times the thread sanitizer does not understand. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "mai.h"

enum { THREADS = 8, ROUNDS = 200, PAGE = 4096 };

static int one_round(size_t units) {
  mai_policy_t policy = MAI_CYCLIC;
  char *array = mai_alloc(units, PAGE, &policy, "round");
  if (!array)
    return 1;
  memset(array, 1, units * PAGE);
  struct mai_pages pages;
  int failed = mai_verify(array, &pages, NULL, 0) != 0 || pages.total != units ||
               mai_node_meant(array) < 0 || mai_where(array) < 0;
  return failed + (mai_free(array) != 0);
}

static void *many_rounds(void *failures) {
  for (size_t i = 0; i < ROUNDS; i++)
    *(int *)failures += one_round(1 + i % 5);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int failures[THREADS] = {0};
  int sum = 0;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, many_rounds, &failures[i]) != 0)
      return 2;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    sum += failures[i];
  }
  printf("%d failures\n", sum);
  return sum != 0;
}
