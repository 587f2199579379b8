/*===-- thread_memory.c - memory that only one thread uses ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The C library has a descriptor for each thread, to which pthread_self() points.  The local
 * variables of the libraries that are there at the start lie beside it, at the same distance in all
 * threads.  Descriptor and variables are at the top of the thread's stack; the first thread's are
 * apart.
 */
#include "thread_memory.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>

#include "binding.h"
#include "mai/memory/kernel.h"
#include "mai/memory/machine.h"

enum {
  BATCH = MAI_MOST_ELSEWHERE,
  AROUND = 16 * 1024,       /* of the stack, on either side */
  NEAR_ITS_TOP = 256 * 1024 /* elsewhere it may be a coroutine's */
};

/* Bytes from the descriptor to the far end of the local variables. */
static size_t distance;

static _Thread_local uint32_t last_node __attribute__((tls_model("initial-exec"))) = MAI_ANY_NODE;

static uintptr_t descriptor(void) { return (uintptr_t)pthread_self(); }

/*===-- Where it is --------------------------------------------------------===*/

struct locals {
  size_t bytes; /* of all libraries */
  size_t distance;
};

static const ElfW(Phdr) * find_locals(const struct dl_phdr_info *info) {
  for (size_t i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS)
      return &info->dlpi_phdr[i];
  return NULL;
}

static size_t distance_of(uintptr_t start, size_t bytes) {
#if defined __x86_64__
  (void)bytes;
  return descriptor() - start;
#else
  return start + bytes - descriptor();
#endif
}

static int add_bytes(struct dl_phdr_info *info, size_t size, void *locals) {
  const ElfW(Phdr) *segment = find_locals(info);
  (void)size;
  if (segment)
    ((struct locals *)locals)->bytes += segment->p_memsz + segment->p_align;
  return 0;
}

/* What was loaded later is somewhere else. */
static int add_distance(struct dl_phdr_info *info, size_t size, void *context) {
  struct locals *locals = context;
  const ElfW(Phdr) *segment = find_locals(info);
  (void)size;
  if (!segment || !info->dlpi_tls_data)
    return 0;
  size_t away = distance_of((uintptr_t)info->dlpi_tls_data, segment->p_memsz);
  if (away > locals->distance && away <= locals->bytes + AROUND)
    locals->distance = away;
  return 0;
}

void mai_thread_memory_init(void) {
  struct locals locals = {0};
  dl_iterate_phdr(add_bytes, &locals);
  dl_iterate_phdr(add_distance, &locals);
  distance = locals.distance;
}

/* Of the first thread, by the dynamic linker. */
extern void *__libc_stack_end __attribute__((weak)); // NOLINT(bugprone-reserved-identifier)

static uintptr_t top_of_stack(void) {
  if (!mai_binding_is_first_thread())
    return descriptor();
  return &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0;
}

/*===-- Moving -------------------------------------------------------------===*/

/* Pages are collected, and moved together. */
struct pages {
  void *addresses[BATCH];
  int nodes[BATCH], status[BATCH];
  size_t count;
};

/* Pages that are not there are passed over. */
static void move(struct pages *pages) {
  if (mai_kernel_is_elsewhere(pages->addresses, pages->nodes, pages->count))
    mai_kernel_move(pages->addresses, pages->nodes, pages->status, pages->count);
  pages->count = 0;
}

static void add(struct pages *pages, uintptr_t begin, uintptr_t end, uint32_t node) {
  size_t page_size = mai_machine()->page_size;
  for (uintptr_t page = begin & ~(uintptr_t)(page_size - 1); page < end; page += page_size) {
    if (pages->count == BATCH)
      move(pages);
    pages->addresses[pages->count] = (void *)page;
    pages->nodes[pages->count++] = (int)node;
  }
}

static void add_locals(struct pages *pages, uint32_t node) {
  uintptr_t self = descriptor();
#if defined __x86_64__
  add(pages, self - distance, self + 1, node);
#else
  add(pages, self, self + distance, node);
#endif
}

static void add_stack(struct pages *pages, uint32_t node) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  uintptr_t top = top_of_stack();
  if (here < top && top - here < distance + NEAR_ITS_TOP)
    add(pages, here - AROUND, top - here < AROUND ? top : here + AROUND, node);
}

static void move_to(uint32_t node) {
  struct pages pages;
  pages.count = 0;
  add_locals(&pages, node);
  add_stack(&pages, node);
  move(&pages);
}

void mai_thread_memory_move(uint32_t node) {
  const struct mai_machine *machine = mai_machine();
  if (node == last_node || !machine)
    return;
  int error = errno;
  last_node = node;
  if (mai_machine_places(machine) && !mai_kernel_thread_has_policy())
    move_to(node);
  errno = error;
}

/*===-- Of a thread that is created ----------------------------------------===*/

bool mai_thread_memory_prefer(uint32_t node) {
  const struct mai_machine *machine = mai_machine();
  int error = errno;
  bool prefers = machine && mai_machine_places(machine) && !mai_kernel_thread_has_policy() &&
                 mai_kernel_set_thread_policy(MAI_MODE_PREFER, &node, 1) == 0;
  errno = error;
  return prefers;
}

void mai_thread_memory_leave(void) {
  static const struct mai_thread_policy by_default;
  mai_kernel_restore_thread_policy(&by_default);
}
