/*===-- program.c - what a program does with its memory, at random *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <errno.h>
#include <mai.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "machine.h"

/* Whole pages of an array, counted from its memory; none where `bytes` becomes 0. */
static char *some_pages(struct worker *worker, const struct array *array, size_t *bytes) {
  uintptr_t start = ((uintptr_t)array->memory + CELL - 1) / CELL * CELL;
  uintptr_t end = ((uintptr_t)array->memory + array->memory_bytes) / CELL * CELL;
  size_t pages = end > start ? (end - start) / CELL : 0;
  size_t first = pages ? draw(worker, pages) : 0;
  *bytes = pages ? (1 + draw(worker, pages - first)) * CELL : 0;
  return (char *)start + first * CELL;
}

/* Pages that come again hold zeroes.  Cells that lie in them in part are written anew. */
static void note_zeroes(struct worker *worker, struct array *array, const char *start,
                        size_t bytes) {
  size_t first = (size_t)(start - array->memory);
  size_t end = first + bytes;
  for (size_t cell = first / CELL; cell * CELL < end; cell++)
    if (cell * CELL >= first && cell * CELL + cell_bytes(array, cell) <= end)
      array->tags[cell] = 0;
    else
      write_cell(array, cell, 1 + (uint32_t)draw(worker, 1000));
}

void do_drop_pages(struct worker *worker) {
  struct array *array = any_array(worker, 1 << ALLOCATED | 1 << MAPPED);
  size_t bytes;
  if (!array || array->has_copies)
    return;
  char *start = some_pages(worker, array, &bytes);
  calling(worker, "madvise(%p, %zu, MADV_DONTNEED) in %p", (void *)start, bytes,
          (void *)array->start);
  if (bytes && madvise(start, bytes, MADV_DONTNEED) != 0)
    wrong(worker, "madvise");
  if (bytes)
    note_zeroes(worker, array, start, bytes);
  check_array(worker, array);
}

/*===-- Memory that goes ---------------------------------------------------===*/

/* Whether MAi has found that what is there is not the array any more. */
static void ask_whether_known(struct worker *worker, struct array *array) {
  calling(worker, "mai_replace(%p) after that", (void *)array->start);
  array->known = expect_done(worker, mai_replace(array->start, NULL, NULL), EINVAL, ENOMEM, 0) ||
                 errno != EINVAL;
}

/* Another mapping takes the place of pages of an array. */
static void map_over(struct worker *worker, struct array *array) {
  size_t bytes;
  char *start = some_pages(worker, array, &bytes);
  calling(worker, "mmap(%p, %zu, MAP_FIXED) over %p", (void *)start, bytes, (void *)array->start);
  if (bytes == 0)
    return;
  if (mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
      MAP_FAILED)
    wrong(worker, "mmap");
  note_zeroes(worker, array, start, bytes);
  if (array->known)
    ask_whether_known(worker, array);
  write_some(worker, array);
}

/* All of the memory at `start` is the program's own from now on. */
static void disown(struct array *array, char *start) {
  array->memory = array->start = start;
  array->bytes = array->extents[0] = array->memory_bytes;
  array->size = 1;
  array->known = false;
}

/* The memory goes elsewhere, with its contents.  The kernel moves one mapping only, and what was
   placed may be several. */
static void move_away(struct worker *worker, struct array *array) {
  size_t bytes = array->memory_bytes;
  calling(worker, "mremap(%p, %zu)", (void *)array->memory, bytes);
  void *target = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mremap(array->memory, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, target) == target) {
    disown(array, target);
  } else {
    expect_errno(worker, EFAULT, 0);
    munmap(target, bytes);
    check_array(worker, array);
  }
}

/* Unmapped, and at once somebody else's.  On one node only MAi cannot tell, and it may still know
   what began there. */
static void unmap(struct worker *worker, struct array *array) {
  size_t bytes = array->memory_bytes;
  bool may_be_known = array->known && array->start == array->memory;
  calling(worker, "munmap(%p, %zu), and mmap there", (void *)array->memory, bytes);
  munmap(array->memory, bytes);
  void *memory =
      mmap(array->memory, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    wrong(worker, "mmap");
  if (may_be_known)
    expect_done(worker, mai_forget(memory), EINVAL, 0);
  disown(array, memory);
  forget_contents(array, 0, bytes);
  write_some(worker, array);
}

/* Of memory that the program mapped and MAi placed. */
void do_unmap(struct worker *worker) {
  static void (*const ways[])(struct worker *, struct array *) = {map_over, move_away, unmap};
  struct array *array = any_array(worker, 1 << MAPPED);
  if (array)
    ways[draw(worker, 3)](worker, array);
}

/*===-- Children -----------------------------------------------------------===*/

static void live(struct worker *worker) {
  static void (*const calls[])(struct worker *) = {
      call_look,    call_free,  call_allocate, call_replace, call_next_touch,
      call_migrate, call_where, call_place,    do_check,     call_realloc};
  for (int i = 0; i < 10; i++)
    calls[draw(worker, 10)](worker);
  for (struct array *array = worker->arrays; array < worker->arrays + ARRAYS; array++)
    if (array->kind != NO_ARRAY)
      check_some(worker, array);
}

/* A thread of the run-time that ends while we fork may hold a lock of AddressSanitizer's allocator, which
   gcc 12's does not set right in the child: free() spins there for ever. */
static void let_threads_end(void) {
#ifdef __SANITIZE_ADDRESS__
  usleep(5000);
#endif
}

void do_fork(struct worker *worker) {
  int status;
  calling(worker, "fork");
  let_threads_end();
  pid_t child = fork();
  if (child == 0) {
    live(worker);
    _exit(0);
  }
  if (child == -1)
    wrong(worker, "fork");
  while (waitpid(child, &status, 0) == -1)
    if (errno != EINTR)
      wrong(worker, "waitpid");
  if (status != 0)
    wrong(worker, "a child ended with status %x", (unsigned)status);
  do_check(worker);
}
