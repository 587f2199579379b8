/*===-- hooks.c - the functions that compilers call at each access *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The interface between gcc's and clang's -fsanitize=thread and its run-time, as far as plain
 * accesses go.  An access is counted in the line of its first byte; one of 16 bytes is two, since
 * compilers differ in whether they make one of two.
 *
 * maicc has clang compile this file to bitcode and put the functions in line
 * (MAI_TRACE_INLINE=__attribute__((always_inline))).
 */
#include "hooks.h"

#ifndef MAI_TRACE_INLINE
#define MAI_TRACE_INLINE
#define COUNT(address, kind) mai_trace_count_if_address(address, kind, MAI_TRACE_CALLER)
#else
#define COUNT(address, kind) mai_trace_count(address, kind, MAI_TRACE_HERE)
#endif

#define DEFINE_HOOK(name, kind)                                                                    \
  MAI_TRACE_INLINE __attribute__((visibility("default"))) void __tsan_##name(void *address);       \
  void __tsan_##name(void *address) { COUNT(address, kind); }

#define DEFINE_HOOKS(size)                                                                         \
  DEFINE_HOOK(read##size, MAI_TRACE_READ)                                                          \
  DEFINE_HOOK(write##size, MAI_TRACE_WRITE)                                                        \
  DEFINE_HOOK(unaligned_read##size, MAI_TRACE_READ)                                                \
  DEFINE_HOOK(unaligned_write##size, MAI_TRACE_WRITE)                                              \
  DEFINE_HOOK(volatile_read##size, MAI_TRACE_READ)                                                 \
  DEFINE_HOOK(volatile_write##size, MAI_TRACE_WRITE)                                               \
  DEFINE_HOOK(unaligned_volatile_read##size, MAI_TRACE_READ)                                       \
  DEFINE_HOOK(unaligned_volatile_write##size, MAI_TRACE_WRITE)

#define DEFINE_WIDE_HOOK(name, kind)                                                               \
  MAI_TRACE_INLINE __attribute__((visibility("default"))) void __tsan_##name(void *address);       \
  void __tsan_##name(void *address) {                                                              \
    COUNT(address, kind);                                                                          \
    COUNT((char *)address + 8, kind);                                                              \
  }

/* A read and a write of the same place, where clang is asked to tell so. */
#define DEFINE_COMPOUND(name)                                                                      \
  MAI_TRACE_INLINE __attribute__((visibility("default"))) void __tsan_##name(void *address);       \
  void __tsan_##name(void *address) {                                                              \
    COUNT(address, MAI_TRACE_READ);                                                                \
    COUNT(address, MAI_TRACE_WRITE);                                                               \
  }
#define DEFINE_COMPOUNDS(size)                                                                     \
  DEFINE_COMPOUND(read_write##size)                                                                \
  DEFINE_COMPOUND(unaligned_read_write##size)

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are given */

DEFINE_HOOKS(1)
DEFINE_HOOKS(2)
DEFINE_HOOKS(4)
DEFINE_HOOKS(8)
DEFINE_WIDE_HOOK(read16, MAI_TRACE_READ)
DEFINE_WIDE_HOOK(write16, MAI_TRACE_WRITE)
DEFINE_WIDE_HOOK(unaligned_read16, MAI_TRACE_READ)
DEFINE_WIDE_HOOK(unaligned_write16, MAI_TRACE_WRITE)
DEFINE_WIDE_HOOK(volatile_read16, MAI_TRACE_READ)
DEFINE_WIDE_HOOK(volatile_write16, MAI_TRACE_WRITE)
DEFINE_WIDE_HOOK(unaligned_volatile_read16, MAI_TRACE_READ)
DEFINE_WIDE_HOOK(unaligned_volatile_write16, MAI_TRACE_WRITE)
DEFINE_COMPOUNDS(1)
DEFINE_COMPOUNDS(2)
DEFINE_COMPOUNDS(4)
DEFINE_COMPOUNDS(8)

/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
