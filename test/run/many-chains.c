/* A place to which thousands of chains of calls lead is one site, after the first few hundred of them: else each of them would
   be followed and named, again and again once there is no room. What it is called is found in a program of many functions.

   RUN: gcc -O0 -Wall -Werror %s -o %t
   RUN: mai-run -m none -s 1 --list %t 2>&1 | FileCheck %s
   CHECK-COUNT-256: {{^}}get<go<
   CHECK-NOT: {{^}}get<
   CHECK: get 16.0 KiB 3840 1 get
   */
#include <stdlib.h>

static void *a(unsigned path, int depth);
static void *b(unsigned path, int depth);
static void *c(unsigned path, int depth);
static void *d(unsigned path, int depth);

static void *get(void) { return malloc(1 << 14); }

static void *go(unsigned path, int depth) {
  static void *(*const next[])(unsigned, int) = {a, b, c, d};
  return depth ? next[path % 4](path / 4, depth - 1) : get();
}

static void *a(unsigned path, int depth) { return go(path, depth); }
static void *b(unsigned path, int depth) { return go(path, depth); }
static void *c(unsigned path, int depth) { return go(path, depth); }
static void *d(unsigned path, int depth) { return go(path, depth); }

int main(void) {
  enum { CHAINS = 1 << 12, DEPTH = 6 };
  for (unsigned path = 0; path < CHAINS; path++)
    free(go(path, DEPTH));
  return 0;
}
