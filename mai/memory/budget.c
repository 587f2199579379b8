/*===-- budget.c - how many mappings the library may make -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "budget.h"

#include <stdatomic.h>

#include "machine.h"
#include "mai/process/message.h"

static atomic_size_t pieces;

bool mai_budget_allows(void) {
  static bool said;
  const struct mai_machine *machine = mai_machine();
  if (machine && atomic_load_explicit(&pieces, memory_order_relaxed) < machine->most_mappings / 2)
    return true;
  mai_message_once(&said,
                   "arrays have %zu mappings, half of what vm.max_map_count allows: the pages of "
                   "others are populated at once",
                   atomic_load(&pieces));
  return false;
}

void mai_budget_change(size_t before, size_t now) { atomic_fetch_add(&pieces, now - before); }
