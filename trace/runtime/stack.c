/*===-- stack.c - stacks for what the library does ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "stack.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

#include "trace/system/kernel.h"
#include "memory.h"

enum {
  STACKS = 4,
  STACK_BYTES = 1 << 18, /* a handler that interrupts the library may run on it, too */
  ROOM = 1 << 16         /* for all that the library does */
};

static __thread struct {
  uintptr_t low, high; /* of the thread's own stack, as far as known */
  char *own;           /* STACKS stacks; NULL: none was needed yet */
  atomic_uint in_use;  /* a bit for each */
} self __attribute__((tls_model("initial-exec")));

void trace_stack_is(uintptr_t low, uintptr_t high) {
  self.low = low;
  self.high = high;
}

void trace_stack_is_initial(uintptr_t high) {
  struct rlimit limit = {0, 0};
  minas_kernel_call(SYS_prlimit64, 0, RLIMIT_STACK, 0, (long)&limit, 0, 0);
  uintptr_t bytes = limit.rlim_cur < (uintptr_t)1 << 30 ? limit.rlim_cur : (uintptr_t)1 << 30;
  trace_stack_is(high - bytes, high);
}

void trace_stack_leave(void) {
  char *own = self.own;
  if (!own || atomic_load(&self.in_use))
    return;
  self.own = NULL;
  trace_memory_free(own, (size_t)STACKS * STACK_BYTES);
}

/* Whether an address lies in [low, low + bytes), and has room below it. */
MAI_TRACE_GENERAL_REGISTERS static bool has_room(uintptr_t here, uintptr_t low, uintptr_t bytes) {
  return here - low < bytes && here - low >= ROOM;
}

#ifdef __x86_64__

/* The number of one that is free, taken now; STACKS: there is none. */
MAI_TRACE_GENERAL_REGISTERS static unsigned take_one(void) {
  unsigned in_use = atomic_load(&self.in_use);
  unsigned number;
  do {
    number = (unsigned)__builtin_ctz(~in_use);
    if (number >= STACKS)
      return STACKS;
  } while (!atomic_compare_exchange_weak(&self.in_use, &in_use, in_use | 1U << number));
  return number;
}

void *mai_trace_stack_take(uintptr_t here) {
  if (has_room(here, self.low, self.high - self.low))
    return NULL;
  if (!self.own)
    self.own = trace_memory((size_t)STACKS * STACK_BYTES);
  if (!self.own)
    return NULL;
  uintptr_t offset = here - (uintptr_t)self.own;
  if (offset < (size_t)STACKS * STACK_BYTES && offset % STACK_BYTES >= ROOM)
    return NULL;
  unsigned number = take_one();
  return number < STACKS ? self.own + (size_t)(number + 1) * STACK_BYTES : NULL;
}

void mai_trace_stack_return(void *end) {
  size_t number = (size_t)((char *)end - self.own) / STACK_BYTES - 1;
  atomic_fetch_and(&self.in_use, ~(1U << number));
}

/* function(argument), with the stack's pointer at `end` meanwhile. */
void call_on(void (*function)(void *), void *argument, void *end) __asm__("mai_trace_call_on_stack")
    __attribute__((visibility("hidden")));
__asm__(".text\n"
        ".globl mai_trace_call_on_stack\n"
        ".hidden mai_trace_call_on_stack\n"
        ".type mai_trace_call_on_stack, @function\n"
        "mai_trace_call_on_stack:\n"
        "  .cfi_startproc\n"
        "  pushq %rbp\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset %rbp, -16\n"
        "  movq %rsp, %rbp\n"
        "  .cfi_def_cfa_register %rbp\n"
        "  movq %rdi, %rax\n"
        "  movq %rsi, %rdi\n"
        "  movq %rdx, %rsp\n"
        "  callq *%rax\n"
        "  movq %rbp, %rsp\n"
        "  popq %rbp\n"
        "  .cfi_def_cfa %rsp, 8\n"
        "  retq\n"
        "  .cfi_endproc\n"
        ".size mai_trace_call_on_stack, . - mai_trace_call_on_stack\n");

#else

/* Elsewhere the program's stack has to do. */
void *mai_trace_stack_take(uintptr_t here) {
  (void)has_room(here, self.low, self.high);
  return NULL;
}

void mai_trace_stack_return(void *end) { (void)end; }

static void call_on(void (*function)(void *), void *argument, void *end) {
  (void)end;
  function(argument);
}

#endif

void trace_on_stack(void (*function)(void *), void *argument) {
  void *end = mai_trace_stack_take((uintptr_t)__builtin_frame_address(0));
  if (!end) {
    function(argument);
    return;
  }
  call_on(function, argument, end);
  mai_trace_stack_return(end);
}
