/* Handing over an array keeps its contents: what its initialiser says, what an earlier constructor
   has written, and what lies around it; and its pages are placed all the same.

   RUN: %{gcc} %s -o %t %{mai} -I%S/Inputs -DEXPECT_EARLY=77 && %t | FileCheck %s
   RUN: %{clang} %s -o %t.clang %{mai} -I%S/Inputs -DEXPECT_EARLY=77 && %t.clang | FileCheck %s

   CHECK: contents: right
   CHECK: initialised:
   CHECK: touched:
   CHECK: local:
*/
enum { N = 40000 };
static int touched[N];

/* Of the priority with which arrays are handed over, and defined before that constructor. */
__attribute__((constructor(101))) static void write_early(void) { touched[N / 2] = EXPECT_EARLY; }

#include <mai_static.h>

#include <stdio.h>
#include <stdlib.h>

#include "pages.h"

static char before[100] = "before";
static int initialised[N] = {1, 2, 3, [N - 1] = 4};
MAI_STATIC(initialised, "block");
static char after[100] = "after";
MAI_STATIC(touched, "cyclic");

static int *local_array(void) {
  static int local[N];
  MAI_STATIC(local, "bind 0");
  return local;
}

int main(void) {
  int right = initialised[0] == 1 && initialised[1] == 2 && initialised[2] == 3 &&
              initialised[3] == 0 && initialised[N - 1] == 4 && touched[N / 2] == EXPECT_EARLY &&
              strcmp(before, "before") == 0 && strcmp(after, "after") == 0;
  printf("contents: %s\n", right ? "right" : "wrong");
  int *local = local_array();
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    initialised[i] = touched[i] = local[i] = i;
  print_nodes("initialised", initialised, sizeof initialised);
  print_nodes("touched", touched, sizeof touched);
  print_nodes("local", local, sizeof initialised);
}
