/*===-- placing.h - places the blocks of allocators -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What all functions have in common that stand in front of an allocator's.  Of the small blocks
 * there are millions: that they are left alone is seen in line.
 */
#ifndef RUN_PLACING_H
#define RUN_PLACING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callers/asking.h"
#include "mai/process/call.h"
#include "recycle.h"
#include "sites.h"

#define RUN_INTERPOSES __attribute__((visibility("default")))

/** Before main() begins the library may not be used, and nothing is placed. */
extern atomic_bool run_has_begun;

/** Of smaller blocks nobody asks who wants them. */
extern atomic_size_t run_known_from;

/** Of this thread, for MINAS_ASK(). */
extern _Thread_local uintptr_t run_asked_from __attribute__((tls_model("initial-exec")));

/** What an allocator answers that is asked for so many bytes. */
#define RUN_ASK(bytes, call) MINAS_ASK(run_asked_from, !run_is_left_alone(bytes), call)

/** A block; where the allocator has no memory, it is asked again once what is kept is free. */
#define RUN_ASK_FOR_BLOCK(bytes, call)                                                             \
  (__extension__({                                                                                 \
    void *asked;                                                                                   \
    do                                                                                             \
      asked = RUN_ASK(bytes, call);                                                                \
    while (!asked && run_recycle_release());                                                       \
    asked;                                                                                         \
  }))

/** From now on blocks are placed: main() begins. */
void run_placing_begin(void);

static inline bool run_is_before_main(void) {
  return !atomic_load_explicit(&run_has_begun, memory_order_acquire);
}

static inline bool run_is_left_alone(size_t bytes) {
  return bytes < atomic_load_explicit(&run_known_from, memory_order_relaxed);
}

/** The same as run_site_for(), where it is not seen in line. */
struct run_site *run_find_site(size_t bytes, struct minas_caller caller);

/** The site of a block that is to be placed; NULL: it is not. */
static inline struct run_site *run_site_for(size_t bytes, struct minas_caller caller) {
  return run_is_left_alone(bytes) || run_is_before_main() ||
                 minas_is_asked_inside(run_asked_from, caller) || mai_call_is_inside()
             ? NULL
             : run_find_site(bytes, caller);
}

/** Place a block. A block that cannot be placed is as useful as before.
 *  @param block NULL: there is none
 *  @param site NULL: it is not placed
 *  @param allocator whose it is @return block */
void *run_place(void *block, size_t bytes, struct run_site *site,
                const struct run_allocator *allocator);

/** A block of the heap that begins with a page, where its policy asks for that; NULL: as the
 * program asks for it.
 *  @param site NULL: it is not placed
 *  @param alignment that it has to have, a power of two */
void *run_ask_at_page(const struct run_site *site, size_t bytes, size_t alignment);

/** Place what a program maps for its arrays: it is neither given back by free() nor a row. */
void run_place_mapping(void *mapping, size_t bytes, struct run_site *site);

/** A kept block for a request; NULL where there is none. */
void *run_take(struct run_site *site, size_t bytes, size_t alignment,
               const struct run_allocator *allocator);

/** An allocator's function like posix_memalign(). */
typedef int run_align_into_t(void **block, size_t alignment, size_t bytes);

/** Ask it for a block, and place that. @return what it returns */
int run_align_into(run_align_into_t *allocate, void **block, size_t alignment, size_t bytes,
                   struct minas_caller caller, const struct run_allocator *allocator);

#endif /* RUN_PLACING_H */
