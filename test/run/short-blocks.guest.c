/* In the guest, pages at the ends of short blocks, which blocks with other policies share, are where most of them belongs; what
   others write there meanwhile stays.

   REQUIRES: guest
   RUN: %{gcc} -D_GNU_SOURCE -pthread %s -o %t
   RUN: %{guest} --topology 4x2 --balancing off --file %{build}/mai/libmai-run.so --file %t \
   RUN:   -- %{build}/bin/mai-run -q -s 8K -p 'on_two:bind 2,on_three:bind 3' %t | FileCheck %s
   CHECK: pages: 33, elsewhere: 0
   CHECK-NEXT: written wrongly: 0
*/
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../mai/Inputs/pages.h"

enum { Page = 4096, Blocks = 8, Bytes = 4 * Page + 500, Rounds = 200 };

static __attribute__((noinline)) char *on_two(void) { return memset(malloc(Bytes), 2, Bytes); }
static __attribute__((noinline)) char *on_three(void) { return memset(malloc(Bytes), 3, Bytes); }

/* Pages whose middle is in the block. */
static void count(const char *block, int node, int *pages, int *elsewhere) {
  uintptr_t start = (uintptr_t)block;
  for (uintptr_t middle = start / Page * Page + Page / 2; middle < start + Bytes; middle += Page)
    if (middle >= start) {
      ++*pages;
      *elsewhere += node_of_page((const char *)middle) != node;
    }
}

static _Atomic(char *) shared;
static atomic_bool ends;

/* Bytes in front of the block that has come last, on its first page. */
static void *write_beside(void *wrong) {
  int *count = wrong;
  while (!ends) {
    volatile char *own = shared;
    for (int i = 0; own && i < 100; i++) {
      own[i % 16]++;
      char before = own[i % 16];
      *count += own[i % 16] != before;
    }
  }
  return NULL;
}

int main(void) {
  char *blocks[Blocks];
  int pages = 0, elsewhere = 0, wrong = 0;
  for (int i = 0; i < Blocks; i++)
    blocks[i] = i % 2 ? on_three() : on_two();
  for (int i = 0; i < Blocks; i++)
    count(blocks[i], 2 + i % 2, &pages, &elsewhere);
  printf("pages: %d, elsewhere: %d\n", pages, elsewhere);

  pthread_t beside;
  pthread_create(&beside, NULL, write_beside, &wrong);
  for (int i = 0; i < Rounds; i++) {
    char *own = calloc(1, 16);
    shared = own;
    char *block = i % 2 ? on_three() : on_two();
    free(block);
  }
  ends = true;
  pthread_join(beside, NULL);
  printf("written wrongly: %d\n", wrong);
}
