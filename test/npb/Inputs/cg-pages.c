/*===-- cg-pages.c - the rewritten CG, which at its end asks the kernel for its pages *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* REWRITTEN names what mapp-rewrite made of cg.c: included, so that its static arrays can be seen. */
#include REWRITTEN

#include "pages.h"

__attribute__((destructor)) static void print_pages(void) {
  print_nodes("a", a, sizeof a);
  print_nodes("colidx", colidx, sizeof colidx);
  print_nodes("x", x, sizeof x);
}
