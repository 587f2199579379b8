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

/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
