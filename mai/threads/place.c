/*===-- place.c - where the library keeps the calling thread -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "place.h"

#include "runtime/system.h"

/* The model of thread-local storage spares a call for each access. */
static _Thread_local struct {
  struct mai_place place;
  bool narrowed;
  uint32_t home; /* and 1; 0: none */
  enum { NOT_ASKED, FIRST, LATER } rank;
} self __attribute__((tls_model("initial-exec")));

struct mai_place mai_place_now(void) { return self.place; }

bool mai_place_is(enum mai_place_kind kind, uint32_t index) {
  return self.place.kind == kind && self.place.index == index;
}

int mai_place_keep(enum mai_place_kind kind, uint32_t index, const struct mai_cpu_mask *mask) {
  self.place = (struct mai_place){kind, index};
  if (mai_affinity_set(mask) != 0)
    return -1;
  self.narrowed = kind != MAI_ANYWHERE;
  return 0;
}

bool mai_place_narrowed(void) { return self.narrowed; }

struct mai_place_before mai_place_release(void) {
  struct mai_place_before before;
  before.place = self.place;
  before.narrowed = self.narrowed && mai_affinity_get(&before.mask) == 0;
  if (before.narrowed)
    mai_place_keep(MAI_ANYWHERE, 0, mai_affinity_of_process());
  return before;
}

void mai_place_return(const struct mai_place_before *before) {
  if (before->narrowed)
    mai_place_keep(before->place.kind, before->place.index, &before->mask);
}

uint32_t mai_place_home(void) { return self.home - 1; }

void mai_place_set_home(uint32_t node) { self.home = node + 1; }

bool mai_place_is_first_thread(void) {
  if (self.rank == NOT_ASKED)
    self.rank = minas_process() == minas_thread() ? FIRST : LATER;
  return self.rank == FIRST;
}

void mai_place_begin_child(void) {
  mai_place_release();
  self.rank = FIRST;
}
