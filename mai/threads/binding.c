/*===-- binding.c - where the library keeps the calling thread -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "binding.h"

#include "runtime/system.h"

/* The model of thread-local storage spares a call for each access. */
static _Thread_local struct {
  struct mai_binding binding;
  bool narrowed;
  uint32_t node; /* and 1; 0: none */
  enum { NOT_ASKED, FIRST, LATER } rank;
} self __attribute__((tls_model("initial-exec")));

struct mai_binding mai_binding_now(void) { return self.binding; }

bool mai_binding_is(enum mai_binding_kind kind, uint32_t index) {
  return self.binding.kind == kind && self.binding.index == index;
}

int mai_binding_keep(enum mai_binding_kind kind, uint32_t index, const struct mai_cpu_mask *mask) {
  self.binding = (struct mai_binding){kind, index};
  if (mai_affinity_set(mask) != 0)
    return -1;
  self.narrowed = kind != MAI_ANYWHERE;
  return 0;
}

bool mai_binding_narrowed(void) { return self.narrowed; }

struct mai_binding_before mai_binding_release(void) {
  struct mai_binding_before before;
  before.binding = self.binding;
  before.narrowed = self.narrowed && mai_affinity_get(&before.mask) == 0;
  if (before.narrowed)
    mai_binding_keep(MAI_ANYWHERE, 0, mai_affinity_of_process());
  return before;
}

void mai_binding_return(const struct mai_binding_before *before) {
  if (before->narrowed)
    mai_binding_keep(before->binding.kind, before->binding.index, &before->mask);
}

uint32_t mai_binding_node(void) { return self.node - 1; }

void mai_binding_set_node(uint32_t node) { self.node = node + 1; }

bool mai_binding_is_first_thread(void) {
  if (self.rank == NOT_ASKED)
    self.rank = minas_process() == minas_thread() ? FIRST : LATER;
  return self.rank == FIRST;
}

void mai_binding_begin_thread(void) { self.rank = LATER; }

void mai_binding_begin_child(void) {
  mai_binding_release();
  self.rank = FIRST;
}
