/*===-- leftovers.c - what a library leaves where programs may look *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "leftovers.h"

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel_call.h"

enum {
  MOST_OF_THREAD = 8192, /* as much as we may use of a new thread's stack before the program does */
  LEAST_PAGE = 4096,     /* bytes */
  OWN_FRAMES = 128       /* below the caller's frame, before the first byte that is cleared */
};

static __attribute__((__noinline__)) void clear_stack(size_t bytes) {
  volatile uint64_t *used = __builtin_alloca(bytes);
  for (size_t i = 0; i < bytes / sizeof *used; i++)
    used[i] = 0;
}

/* How far the stack below an address has been used by anybody: a page that nobody has used is 0,
   and may lie behind the stack's end.  There need not be so much memory: then the stack is a small
   one, and nothing is known of it. */
static size_t bytes_used_below(uintptr_t address, size_t most) {
  unsigned char in_memory[MOST_OF_THREAD / LEAST_PAGE + 1] = {0};
  size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
  size_t pages = most / page_size + 1;
  uintptr_t used = address - address % page_size;
  minas_kernel_call(SYS_mincore, (long)(used - pages * page_size), (long)(pages * page_size),
                    (long)in_memory, 0, 0, 0);
  while (pages > 0 && in_memory[--pages] & 1)
    used -= page_size;
  return address - used < most ? address - used : most;
}

#if defined __x86_64__

/* No function keeps any of these for its caller. */
#define CLEAR_XMM(number) "pxor %xmm" #number ", %xmm" #number "\n"
#define CLEAR_ZMM(number) "vpxord %zmm" #number ", %zmm" #number ", %zmm" #number "\n"
#define CLEAR_MASK(number) "kxorw %k" #number ", %k" #number ", %k" #number "\n"

#define EACH_FROM_0(clear) clear(0) clear(1) clear(2) clear(3) clear(4) clear(5) clear(6) clear(7)
#define EACH_FROM_8(clear)                                                                         \
  clear(8) clear(9) clear(10) clear(11) clear(12) clear(13) clear(14) clear(15)
#define EACH_FROM_16(clear)                                                                        \
  clear(16) clear(17) clear(18) clear(19) clear(20) clear(21) clear(22) clear(23)
#define EACH_FROM_24(clear)                                                                        \
  clear(24) clear(25) clear(26) clear(27) clear(28) clear(29) clear(30) clear(31)

static void clear_registers(void) {
  if (__builtin_cpu_supports("avx512f"))
    __asm__ volatile(EACH_FROM_16(CLEAR_ZMM) EACH_FROM_24(CLEAR_ZMM) EACH_FROM_0(CLEAR_MASK));
  if (__builtin_cpu_supports("avx"))
    __asm__ volatile("vzeroall");
  else
    __asm__ volatile(EACH_FROM_0(CLEAR_XMM) EACH_FROM_8(CLEAR_XMM));
}

#else
static void clear_registers(void) {}
#endif

void minas_clear_leftovers(size_t bytes) {
  clear_registers();
  clear_stack(bytes); /* a jump: so little of the stack is left as it was */
}

void minas_clear_thread_leftovers(bool may_be_small) {
  size_t bytes = MOST_OF_THREAD;
  if (may_be_small) {
    bytes = bytes_used_below((uintptr_t)__builtin_frame_address(0), MOST_OF_THREAD);
    bytes -= bytes > OWN_FRAMES ? OWN_FRAMES : bytes;
  }
  clear_registers();
  clear_stack(bytes);
}
