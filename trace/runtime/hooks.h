/*===-- hooks.h - counting one access ----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The path that every access of a traced program takes.  It is compiled three times: into the
 * archive that is linked into programs, into the shared library for code that is not linked with
 * the archive, and by clang, through maicc, into the program's functions themselves.  What
 * gcc_plugin.cpp puts into functions does the same.
 *
 * Each thread has a directory of chunks, each chunk a counter of reads and one of writes for every
 * 64 bytes of 16 MiB.  A counter counts *down* from 0 and has 32 bits: the borrow that its first
 * step makes, and each 2^32nd after it, costs the path one untaken branch, and brings the first
 * access to every line, and all that no longer fits, to mai_trace_began().  That leaves the counter
 * of a line that several arrays share at 0, and so gets all accesses to it.  A missing chunk leads
 * to mai_trace_missing(); a thread that counts nothing exactly has a directory that is all missing.
 *
 * What compilers know before a loop is counted there at once, by mai_trace_run_*().  So what a
 * profile has that is written in the middle of a loop may be some accesses ahead.  Where each
 * access is to be seen by itself, the directory is all missing, and the loop's other version is
 * run.
 *
 * Compile with -fno-plt: a call that the dynamic linker resolves late takes much of the stack,
 * which may be small, and cannot be made while it resolves others (resolvers.c).
 *
 * An entry of the directory is where the chunk's counters would begin if they began at address 0:
 * so the number of a line within all memory is its index.
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

/* Linux gives x86 programs no address above unless they ask for it. */
#ifdef __x86_64__
#define MAI_TRACE_ADDRESS(address) (address)
#else
#define MAI_TRACE_ADDRESS(address) ((address) & (((uintptr_t)1 << MAI_TRACE_ADDRESS_BITS) - 1))
#endif

/* Marks what runs while the program has values in vector registers: see preserve.c. */
#ifdef __x86_64__
#define MAI_TRACE_GENERAL_REGISTERS __attribute__((target("general-regs-only")))
#else
#define MAI_TRACE_GENERAL_REGISTERS
#endif

enum mai_trace_kind { MAI_TRACE_READ, MAI_TRACE_WRITE };

/** Minus the accesses to a line, modulo 2^32, by kind. */
struct mai_trace_line {
  uint32_t count[2];
};

/** The directory of this thread. */
extern __thread uintptr_t *mai_trace_chunks
    __attribute__((tls_model("initial-exec"), visibility("default")));

/** What every thread begins with: MAI_TRACE_CHUNKS missing chunks, never written. */
extern uintptr_t mai_trace_no_chunks[] __attribute__((visibility("default")));

/** Start counting, the first call does it: with what main() gets. */
void mai_trace_initialise(int count, char **arguments, char **variables)
    __attribute__((visibility("default")));

/** Count from now on; or not: mai_trace.h has it programs call this. */
void mai_trace_record(int on) __attribute__((visibility("default")));

/** Count an access whose chunk is missing: what mai_trace_unwanted() does not filter out, or count
 *  itself, mai_trace_count_missing() counts.  The former uses general registers only.
 *  @param caller an address of code behind the access; mai_trace_missing() takes its own caller */
void mai_trace_missing(uintptr_t address, int kind) __attribute__((visibility("default"), cold));
void mai_trace_missing_from(uintptr_t address, int kind, uintptr_t caller)
    __attribute__((visibility("default"), cold));
int mai_trace_unwanted(uintptr_t address, int kind, uintptr_t caller)
    __attribute__((visibility("default"), cold));
void mai_trace_count_missing(uintptr_t address, int kind, uintptr_t caller)
    __attribute__((visibility("default"), cold));

/** Distribute with a counter that has just left 0: what mai_trace_is_part() does not count and put
 *  back, mai_trace_began() does.  The former uses general registers only. */
int mai_trace_is_part(uintptr_t address, int kind) __attribute__((visibility("default"), cold));
void mai_trace_began(uintptr_t address, int kind) __attribute__((visibility("default"), cold));

/** The thread takes a piece of a loop that gives pieces to whoever comes: schedule(dynamic) and its
 *  like. */
void mai_trace_dynamic_loop(void) __attribute__((visibility("default")));

/** The same under schedule(runtime), if OMP_SCHEDULE or omp_set_schedule() asks for such a one. */
void mai_trace_runtime_loop(void) __attribute__((visibility("default")));

/** Count so many accesses at once, from an address on and so many bytes apart. */
void mai_trace_run_read(uintptr_t start, intptr_t step, uintptr_t count)
    __attribute__((visibility("default")));
void mai_trace_run_write(uintptr_t start, intptr_t step, uintptr_t count)
    __attribute__((visibility("default")));

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

/* So many steps, of a counter that has as many left. */
static inline __attribute__((always_inline)) void mai_trace_steps(uint32_t *counter,
                                                                  uint32_t count) {
#if defined(__x86_64__) || defined(__i386__)
  __asm__("subl %1, %0" : "+m"(*counter) : "r"(count) : "cc");
#else
  *counter -= count;
#endif
}

/* What the function around accesses for its caller; MAI_TRACE_HERE for the function itself. */
#define MAI_TRACE_CALLER ((uintptr_t)__builtin_return_address(0))
#define MAI_TRACE_HERE ((uintptr_t)0)

static inline __attribute__((always_inline)) void mai_trace_count(const volatile void *pointer,
                                                                  int kind, uintptr_t caller) {
  uintptr_t address = MAI_TRACE_ADDRESS((uintptr_t)pointer);
  uintptr_t chunk = mai_trace_chunks[address >> MAI_TRACE_CHUNK_SHIFT];
  if (__builtin_expect(!chunk, 0)) {
    if (caller == MAI_TRACE_HERE)
      mai_trace_missing(address, kind);
    else
      mai_trace_missing_from(address, kind, caller);
    return;
  }
  struct mai_trace_line *line = (struct mai_trace_line *)chunk + (address >> MAI_TRACE_LINE_SHIFT);
  if (__builtin_expect(mai_trace_step(&line->count[kind]), 0))
    mai_trace_began(address, kind);
}

/* The same for calls: gcc makes them for what is found by a segment register (__seg_gs), too, and
   an offset in a segment is no address. */
static inline __attribute__((always_inline)) void
mai_trace_count_if_address(const volatile void *pointer, int kind, uintptr_t caller) {
#ifdef __x86_64__
  if ((uintptr_t)pointer >> MAI_TRACE_ADDRESS_BITS)
    return;
#endif
  mai_trace_count(pointer, kind, caller);
}

#endif /* MAI_TRACE_HOOKS_H */
