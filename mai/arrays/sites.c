/*===-- sites.c - places of the program that ask for blocks -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "sites.h"

static void grow(atomic_size_t *now, atomic_size_t *most, size_t amount) {
  size_t sum = atomic_fetch_add_explicit(now, amount, memory_order_relaxed) + amount;
  size_t before = atomic_load_explicit(most, memory_order_relaxed);
  while (before < sum && !atomic_compare_exchange_weak(most, &before, sum))
    ;
}

void mai_site_begin(struct mai_site *site, size_t bytes) {
  atomic_fetch_add_explicit(&site->blocks, 1, memory_order_relaxed);
  grow(&site->live, &site->live_most, 1);
  grow(&site->bytes, &site->bytes_most, bytes);
}

void mai_site_end(struct mai_site *site, size_t bytes) {
  if (!site)
    return;
  atomic_fetch_sub_explicit(&site->live, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&site->bytes, bytes, memory_order_relaxed);
}
