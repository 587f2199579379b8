/*===-- stack.c - work that the program's stack has no room for -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "stack.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "system.h"

enum { STACK_BYTES = 256 << 10, ALIGNMENT = 64 };

int minas_stack_make(struct minas_stack *stack) {
  if (stack->bottom)
    return 0;
  long bottom = minas_system(SYS_mmap, 0, STACK_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (bottom == -1) {
    errno = ENOMEM;
    return -1;
  }
  stack->bytes = STACK_BYTES;
  stack->bottom = (char *)bottom;
  return 0;
}

/* Sanitizers know each thread's stack, and take another one for an error. */
#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
static void call_on(char *top, void (*function)(void *), void *argument) {
  __asm__ volatile("movq %%rsp, %%rbx\n\t"
                   "movq %0, %%rsp\n\t"
                   "callq *%1\n\t"
                   "movq %%rbx, %%rsp"
                   : "+r"(top), "+r"(function), "+D"(argument)
                   :
                   : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc",
                     "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                     "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
#else
static void call_on(char *top, void (*function)(void *), void *argument) {
  (void)top;
  function(argument);
}
#endif

void minas_call_on_stack(struct minas_stack *stack, void (*function)(void *), void *argument) {
  uint32_t nobody = 0;
  if (!stack->bottom || !atomic_compare_exchange_strong(&stack->user, &nobody, minas_thread())) {
    function(argument);
    return;
  }
  call_on(stack->bottom + stack->bytes - ALIGNMENT, function, argument);
  atomic_store(&stack->user, 0);
}
