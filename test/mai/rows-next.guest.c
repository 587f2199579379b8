/* Blocks that a function allocates for each of some objects wait until a parallel region is opened: the n-th of them goes to the
   node of the n-th object, with what it holds; one that was freed before counts no longer, and one that is alone is divided.

   A program of clang cannot load a library with gcc's sanitizers.
   UNSUPPORTED: sanitizer
   REQUIRES: guest
   RUN: %{gcc} %s -o %t.gcc %{mai}
   RUN: %{clang} %s -o %t.clang %{mai}
   RUN: %{guest} --topology 4x2 --thp never --balancing off --file %t.gcc --file %t.clang \
   RUN:   --env OMP_WAIT_POLICY=passive -- sh -c '%t.gcc && %t.clang' | FileCheck %s
   CHECK: after: objects elsewhere 0, contents wrong 0
   CHECK: alone: on nodes 0 3
   CHECK: after: objects elsewhere 0, contents wrong 0
   CHECK: alone: on nodes 0 3
*/
#include <mai.h>
#include <mai_static.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { OBJECTS = 16, NODES = 4, BYTES = 40 << 10, PAGE = 4096, LARGE = 1 << 20 };

static char *make(int seed) {
  char *data = MAI_PLACED_NEXT_ROW(data, malloc(MAI_BYTES(BYTES)), sizeof *data, "block");
  for (int i = 0; i < BYTES; i++)
    data[i] = (char)(seed + i % 7);
  return data;
}

/* The first and last pages may be shared with others. */
static int wrong_pages(char *data, int node) {
  int wrong = 0;
  for (char *page = data + PAGE; page < data + BYTES - PAGE; page += PAGE)
    wrong += mai_where(page) != node;
  return wrong;
}

static int wrong_contents(const char *data, int seed) {
  int wrong = 0;
  for (int i = 0; i < BYTES; i++)
    wrong += data[i] != (char)(seed + i % 7);
  return wrong;
}

static void open_region(void) {
  int threads = 0;
#pragma omp parallel num_threads(8) reduction(+ : threads)
  threads += omp_get_num_threads();
  if (threads != 64)
    exit(1);
}

int main(void) {
  open_region();
  char *object[OBJECTS];
  for (int i = 0, made = 0; i < OBJECTS; made++) {
    object[i] = make(i);
    if (made % 3 == 1)
      free(object[i]);
    else
      i++;
  }
  open_region();
  int elsewhere = 0, wrong = 0;
  for (int i = 0; i < OBJECTS; i++) {
    elsewhere += wrong_pages(object[i], i / (OBJECTS / NODES)) > 0;
    wrong += wrong_contents(object[i], i);
  }
  printf("after: objects elsewhere %d, contents wrong %d\n", elsewhere, wrong);
  char *alone = MAI_PLACED_NEXT_ROW(alone, malloc(MAI_BYTES(LARGE)), sizeof *alone, "block");
  alone[PAGE] = alone[LARGE - PAGE] = 1;
  open_region();
  printf("alone: on nodes %d %d\n", mai_where(alone + PAGE), mai_where(alone + LARGE - PAGE));
  return 0;
}
