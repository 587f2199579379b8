/* Pages that the kernel has given to new memory before MAi could say where they belong (khugepaged made a huge page of
   the end of a neighbouring mapping and the beginning of the array's) lie where the policy says all the same.

   The program's own mmap() brings all pages in at once, as khugepaged may bring many.

   REQUIRES: guest
   RUN: %{gcc} %s -o %t %{mai} -rdynamic
   RUN: %{guest} --topology 4x2 --thp never --balancing off --file %t \
   RUN:   -- sh -c 'for huge in never always; do \
   RUN:       echo $huge >/sys/kernel/mm/transparent_hugepage/enabled; %t; done' | FileCheck %s
   CHECK-COUNT-2: wrong pages: block 0, cyclic 0, bind 0, skew 0, small 0, replaced 0
*/
#define _GNU_SOURCE
#include <mai.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "Inputs/pages.h"

static int is_early;

__attribute__((visibility("default"))) void *mmap(void *address, size_t bytes, int protection,
                                                  int flags, int file, off_t offset) {
  if (is_early && (protection & PROT_WRITE) && (flags & MAP_ANONYMOUS))
    flags |= MAP_POPULATE;
  return (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
}

static size_t count_wrong(const char *array, size_t bytes) {
  size_t wrong = 0;
  for (size_t at = 0; at < bytes; at += 4096)
    wrong +=
        mai_node_meant(array + at) >= 0 && node_of_page(array + at) != mai_node_meant(array + at);
  return wrong;
}

static size_t allocate(size_t bytes, const char *policy) {
  is_early = 1;
  char *array = mai_alloc(bytes, 1, policy, NULL);
  is_early = 0;
  if (!array)
    perror(policy), exit(1);
  memset(array, 1, bytes);
  size_t wrong = count_wrong(array, bytes);
  mai_free(array);
  return wrong;
}

/* Large enough to be replaced by a copy. */
static size_t replace(void) {
  enum { BYTES = 8 << 20 };
  char *array = malloc(BYTES);
  memset(array, 1, BYTES);
  is_early = 1;
  if (mai_place(array, BYTES, 1, "cyclic", "array") != 0)
    perror("mai_place"), exit(1);
  is_early = 0;
  size_t wrong = count_wrong(array, BYTES);
  free(array);
  return wrong;
}

int main(void) {
  enum { BYTES = 493 * 4096, SMALL = 4096 };
  if (omp_get_num_procs() != 8)
    return 1;
  size_t block = allocate(BYTES, "block"), cyclic = allocate(BYTES, "cyclic"),
         bind = allocate(BYTES, "bind 3");
  size_t skew = allocate(BYTES, "skew"), small = allocate(SMALL, "bind 2"), replaced = replace();
  printf("wrong pages: block %zu, cyclic %zu, bind %zu, skew %zu, small %zu, replaced %zu\n", block,
         cyclic, bind, skew, small, replaced);
  return 0;
}
