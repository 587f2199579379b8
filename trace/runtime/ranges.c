/*===-- ranges.c - accesses to many bytes at once ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What a range counts: one access for every 8 bytes from its start, or part of them, as a loop over
 * doubles would.
 *
 * clang calls __tsan_memcpy() and its like.  gcc calls memcpy(), which the linker's --wrap makes
 * __wrap_memcpy(); but where it copies a structure, it calls __tsan_read_range() and
 * __tsan_write_range() first and then perhaps memcpy() as well.  Such a call follows at once and
 * is not counted again.
 *
 * A loop that goes through an array by less than a line is counted before it runs, line by line
 * (plugin/loop_runs.cpp, plugin/clang_plugin.cpp).
 */
#include <stddef.h>
#include <string.h>

#include "hooks.h"

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are given */

#define EXPORTED __attribute__((visibility("default")))

/* What the program means by these, where it is linked with --wrap, which turns these names' own
   into the functions here. */
__typeof__(memcpy) __real_memcpy __attribute__((weak));
__typeof__(memmove) __real_memmove __attribute__((weak));
__typeof__(memset) __real_memset __attribute__((weak));
#define ITS_OWN(function) (__real_##function ? __real_##function : (function))

/* Accesses to one address that are counted at once. */
enum { AT_ONCE = 1 << 30 };

struct range {
  uintptr_t start;
  size_t bytes;
};

/* The last range that the compiler told by itself, by kind. */
static __thread struct range told[2] __attribute__((tls_model("initial-exec")));

static void count_range(uintptr_t address, size_t bytes, int kind, uintptr_t caller) {
  for (size_t i = 0; i < bytes; i += 8)
    mai_trace_count_if_address((const char *)address + i, kind, caller);
}

static void count_told(const void *start, size_t bytes, int kind, uintptr_t caller) {
  told[kind] = (struct range){(uintptr_t)start, bytes};
  count_range((uintptr_t)start, bytes, kind, caller);
}

static void count_call(const void *start, size_t bytes, int kind, uintptr_t caller) {
  struct range last = told[kind];
  told[kind].bytes = 0;
  if (last.bytes != bytes || last.start != (uintptr_t)start)
    count_range((uintptr_t)start, bytes, kind, caller);
}

static void count_copy(const void *to, const void *from, size_t bytes, uintptr_t caller) {
  count_call(from, bytes, MAI_TRACE_READ, caller);
  count_call(to, bytes, MAI_TRACE_WRITE, caller);
}

EXPORTED void __tsan_read_range(void *start, unsigned long bytes);
void __tsan_read_range(void *start, unsigned long bytes) {
  count_told(start, bytes, MAI_TRACE_READ, MAI_TRACE_CALLER);
}

EXPORTED void __tsan_write_range(void *start, unsigned long bytes);
void __tsan_write_range(void *start, unsigned long bytes) {
  count_told(start, bytes, MAI_TRACE_WRITE, MAI_TRACE_CALLER);
}

#define DEFINE_COPY(name, function)                                                                \
  EXPORTED void *name(void *to, const void *from, size_t bytes);                                   \
  void *name(void *to, const void *from, size_t bytes) {                                           \
    count_copy(to, from, bytes, MAI_TRACE_CALLER);                                                 \
    return ITS_OWN(function)(to, from, bytes);                                                     \
  }

DEFINE_COPY(__tsan_memcpy, memcpy)
DEFINE_COPY(__tsan_memmove, memmove)
DEFINE_COPY(__wrap_memcpy, memcpy)
DEFINE_COPY(__wrap_memmove, memmove)

#define DEFINE_SET(name)                                                                           \
  EXPORTED void *name(void *to, int byte, size_t bytes);                                           \
  void *name(void *to, int byte, size_t bytes) {                                                   \
    count_call(to, bytes, MAI_TRACE_WRITE, MAI_TRACE_CALLER);                                      \
    return ITS_OWN(memset)(to, byte, bytes);                                                       \
  }

DEFINE_SET(__tsan_memset)
DEFINE_SET(__wrap_memset)

/* A constructor's or destructor's write of the pointer to the class's functions, and a call's read
   of it. */
EXPORTED void __tsan_vptr_update(void **pointer, void *value);
void __tsan_vptr_update(void **pointer, void *value) {
  (void)value;
  mai_trace_count(pointer, MAI_TRACE_WRITE, MAI_TRACE_CALLER);
}

EXPORTED void __tsan_vptr_read(void **pointer);
void __tsan_vptr_read(void **pointer) {
  mai_trace_count(pointer, MAI_TRACE_READ, MAI_TRACE_CALLER);
}

/*===-- The accesses of a loop ----------------------------------------------===*/

/* A run stays in registers. */
#define IN_REGISTERS static inline __attribute__((always_inline))

enum { LINE_BYTES = 1 << MAI_TRACE_LINE_SHIFT };

/* Where the first of so many addresses is, and how far they are apart: a run upwards. */
struct run {
  uintptr_t at, count;
  unsigned step;
};

/* Whether a counter has begun and does not go round meanwhile. */
IN_REGISTERS int goes_at_once(const uint32_t *counter, uint32_t count) { return *counter >= count; }

IN_REGISTERS uint32_t *counter_of(uintptr_t address, int kind) {
  uintptr_t chunk = mai_trace_chunks[address >> MAI_TRACE_CHUNK_SHIFT];
  struct mai_trace_line *line = (struct mai_trace_line *)chunk + (address >> MAI_TRACE_LINE_SHIFT);
  return chunk ? &line->count[kind] : NULL;
}

/* Counts the next accesses, which are to one line. */
IN_REGISTERS void count_in_line(struct run *run, uint32_t count, int kind, uintptr_t caller) {
  uint32_t *counter = counter_of(MAI_TRACE_ADDRESS(run->at), kind);
  if (counter && goes_at_once(counter, count))
    mai_trace_steps(counter, count);
  else
    for (uint32_t i = 0; i < count; i++)
      mai_trace_count((const void *)(run->at + (uintptr_t)i * run->step), kind, caller);
  run->at += (uintptr_t)count * run->step;
  run->count -= count;
}

/* Counts accesses to lines of one chunk, so many to each, while these can be counted at once. */
IN_REGISTERS void count_lines(struct run *run, unsigned shift, int kind) {
  const uint32_t each = (uint32_t)1 << shift;
  uintptr_t address = MAI_TRACE_ADDRESS(run->at);
  uintptr_t in_chunk =
      MAI_TRACE_CHUNK_LINES - (address >> MAI_TRACE_LINE_SHIFT & (MAI_TRACE_CHUNK_LINES - 1));
  uintptr_t lines = run->count >> shift;
  uint32_t *counter = counter_of(address, kind);
  if (!counter)
    return;
  if (lines > in_chunk)
    lines = in_chunk;
  uintptr_t counted = 0;
  for (; counted < lines && goes_at_once(counter, each); counted++, counter += 2)
    mai_trace_steps(counter, each);
  run->at += counted << MAI_TRACE_LINE_SHIFT;
  run->count -= counted << shift;
}

/* The next access and those behind it that are to the same line, which has room for `more`. */
IN_REGISTERS uint32_t in_line(const struct run *run, unsigned more) {
  return run->count <= more ? (uint32_t)run->count : more + 1;
}

IN_REGISTERS unsigned room_in_line(uintptr_t address) {
  return LINE_BYTES - 1 - (unsigned)(address & (LINE_BYTES - 1));
}

/* The distances of which a line has a whole number: nearly all are such. */
IN_REGISTERS void count_dividing(struct run *run, int kind, uintptr_t caller) {
  const unsigned shift = (unsigned)__builtin_ctz(run->step);
  while (run->count) {
    count_in_line(run, in_line(run, room_in_line(run->at) >> shift), kind, caller);
    if (run->count)
      count_lines(run, MAI_TRACE_LINE_SHIFT - shift, kind);
  }
}

IN_REGISTERS void count_others(struct run *run, int kind, uintptr_t caller) {
  while (run->count)
    count_in_line(run, in_line(run, run->step ? room_in_line(run->at) / run->step : AT_ONCE), kind,
                  caller);
}

IN_REGISTERS void count_run(uintptr_t start, intptr_t step, uintptr_t count, int kind,
                            uintptr_t caller) {
  struct run run = {start, count, (unsigned)step};
  if (step < 0)
    run = (struct run){start + (uintptr_t)step * (count - 1), count, (unsigned)-step};
  if (run.step && (run.step & (run.step - 1)) == 0)
    count_dividing(&run, kind, caller);
  else
    count_others(&run, kind, caller);
}

void mai_trace_run_read(uintptr_t start, intptr_t step, uintptr_t count) {
  count_run(start, step, count, MAI_TRACE_READ, MAI_TRACE_CALLER);
}

void mai_trace_run_write(uintptr_t start, intptr_t step, uintptr_t count) {
  count_run(start, step, count, MAI_TRACE_WRITE, MAI_TRACE_CALLER);
}

/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
