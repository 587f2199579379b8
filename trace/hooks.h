/*===-- hooks.h - counting one access ----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The path that every access of a traced program takes.  It is compiled three times: into the
 * archive that is linked into programs, into the shared library for code that is not linked with
 * the archive, and by clang, through maicc, into the program's functions themselves.
 *
 * Each thread has a directory of chunks, each chunk a counter of reads and one of writes for every
 * 64 bytes of 16 MiB.  A counter counts *down* from 0 and has 32 bits: the borrow that its first
 * step makes, and each 2^32nd after it, costs the path one untaken branch, and brings the first
 * access to every line, and all that no longer fits, to mai_trace_slow().  A missing chunk goes
 * there too; a thread that counts nothing exactly has a directory that is all missing.
 */
#ifndef MAI_TRACE_HOOKS_H
#define MAI_TRACE_HOOKS_H

#include <stdint.h>

enum {
  MAI_TRACE_LINE_SHIFT = 6,
  MAI_TRACE_CHUNK_SHIFT = 24,
  MAI_TRACE_ADDRESS_BITS = 47, /* of user addresses; what lies above is counted as if below */
};
#define MAI_TRACE_CHUNK_LINES ((uintptr_t)1 << (MAI_TRACE_CHUNK_SHIFT - MAI_TRACE_LINE_SHIFT))
#define MAI_TRACE_CHUNKS ((uintptr_t)1 << (MAI_TRACE_ADDRESS_BITS - MAI_TRACE_CHUNK_SHIFT))

enum mai_trace_kind { MAI_TRACE_READ, MAI_TRACE_WRITE };

/** Minus the accesses to a line, modulo 2^32, by kind. */
struct mai_trace_line {
  uint32_t count[2];
};

/** The directory of this thread. */
extern __thread struct mai_trace_line **mai_trace_chunks
    __attribute__((tls_model("initial-exec"), visibility("default")));

/** What every thread begins with: MAI_TRACE_CHUNKS missing chunks, never written. */
extern struct mai_trace_line *mai_trace_no_chunks[] __attribute__((visibility("default")));

/** Count what mai_trace_count() could not: see above. */
void mai_trace_slow(uintptr_t address, int kind) __attribute__((visibility("default"), cold));

/* One step down. Nonzero: the counter was 0. */
static inline __attribute__((always_inline)) int mai_trace_step(uint32_t *counter) {
#if defined(__x86_64__) || defined(__i386__)
  int borrow;
  __asm__("subl $1, %0" : "+m"(*counter), "=@ccc"(borrow));
  return borrow;
#else
  return (*counter)-- == 0;
#endif
}

static inline __attribute__((always_inline)) void mai_trace_count(const volatile void *pointer,
                                                                  int kind) {
  uintptr_t address = (uintptr_t)pointer;
  struct mai_trace_line *chunk =
      mai_trace_chunks[(address >> MAI_TRACE_CHUNK_SHIFT) & (MAI_TRACE_CHUNKS - 1)];
  if (__builtin_expect(!chunk, 0)) {
    mai_trace_slow(address, kind);
    return;
  }
  uintptr_t line = (address >> MAI_TRACE_LINE_SHIFT) & (MAI_TRACE_CHUNK_LINES - 1);
  if (__builtin_expect(mai_trace_step(&chunk[line].count[kind]), 0))
    mai_trace_slow(address, kind);
}

#endif /* MAI_TRACE_HOOKS_H */
