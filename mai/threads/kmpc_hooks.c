/*===-- kmpc_hooks.c - every thread of libomp comes by here ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * clang and its relatives turn the body of a parallel region into a function, a *microtask*, and
 * pass it with the addresses of what it uses to __kmpc_fork_call(), flang also to
 * __kmpc_fork_call_if().  Where threads are to come by, libomp gets a microtask of ours and the
 * address of a struct mai_region in place of the first argument.  Each thread puts that back and
 * jumps to the program's microtask: frames and return addresses stay the program's own, and the
 * user's tools see what they would see without us.
 *
 * OMPT, the tool interface of OpenMP 5.0, would tell of regions as well, but costs each a twentieth
 * of an empty one's time, needed or not, and has room for one tool: it is left to the user's.
 */
#include <stddef.h>
#include <stdint.h>

#include "hook_routes.h"
#include "jump.h"
#include "mai/process/interpose.h"
#include "regions.h"

/* What the clause num_threads of the calling thread's next region says; 0: there is none. */
static _Thread_local unsigned requested __attribute__((tls_model("initial-exec")));

static struct mai_region *open_region(const struct mai_route *route, enum mai_function function) {
  unsigned threads = requested;
  requested = 0;
  return mai_region_open(route->functions[function].runtime, threads);
}

MAI_INTERPOSES void push_num_threads(void *location, int32_t global_thread,
                                     int32_t threads) __asm__("__kmpc_push_num_threads");
void push_num_threads(void *location, int32_t global_thread, int32_t threads) {
  void (*next)(void *, int32_t, int32_t);
  *(void **)&next = mai_hook_next(__builtin_return_address(0), MAI_FN___kmpc_push_num_threads);
  requested = threads > 0 ? (unsigned)threads : 0;
  next(location, global_thread, threads);
}

#if MAI_HAS_JUMPS

/* Where the microtask and its first argument are in the calls; __kmpc_fork_call_if() has only one
   argument, behind a condition. */
enum { COUNT = 1, MICROTASK, FIRST, ONLY };

void mai_run_microtask(void);

static void replace(struct mai_jump *call, unsigned first, struct mai_region *region) {
  region->body = (void *)call->arguments[MICROTASK];
  region->data = (void *)call->arguments[first];
  call->arguments[MICROTASK] = (uintptr_t)mai_run_microtask;
  call->arguments[first] = (uintptr_t)region;
  if ((int32_t)call->arguments[COUNT] == 0)
    call->arguments[COUNT] = 1;
}

/* Those of the microtask's arguments that are in registers, and those on the stack, in one list. */
static void show(const struct mai_jump *call) {
  enum { IN_REGISTERS = 3, MOST = 128 };
  uintptr_t list[MOST];
  int32_t count = (int32_t)call->arguments[COUNT];
  const uintptr_t *more = mai_jump_more(call);
  if (count < 0 || count > MOST)
    return;
  for (int32_t i = 0; i < count; i++)
    list[i] = i < IN_REGISTERS ? call->arguments[FIRST + i] : more[i - IN_REGISTERS];
  mai_region_seen((const void *)call->arguments[MICROTASK], list);
}

void *mai_kmpc_open(struct mai_jump *call, unsigned function, const void *caller);
void *mai_kmpc_open(struct mai_jump *call, unsigned function, const void *caller) {
  const struct mai_route *route = mai_hook_route(caller, function);
  if (function == MAI_FN___kmpc_fork_call && mai_regions_are_watched())
    show(call);
  struct mai_region *region = open_region(route, function);
  if (region)
    replace(call, function == MAI_FN___kmpc_fork_call ? FIRST : ONLY, region);
  return route->functions[function].next;
}

/* A region that its clause `if` makes one of the calling thread alone. */
void *mai_kmpc_serialized(struct mai_jump *call, unsigned function, const void *caller);
void *mai_kmpc_serialized(struct mai_jump *call, unsigned function, const void *caller) {
  (void)call;
  requested = 0;
  return mai_hook_next(caller, function);
}

MAI_JUMP(11, "__kmpc_fork_call", "mai_kmpc_open");
MAI_JUMP(12, "__kmpc_fork_call_if", "mai_kmpc_open");
MAI_JUMP(14, "__kmpc_serialized_parallel", "mai_kmpc_serialized");
_Static_assert(MAI_FN___kmpc_fork_call == 11 && MAI_FN___kmpc_fork_call_if == 12 &&
                   MAI_FN___kmpc_serialized_parallel == 14,
               "numbers as above");

/* A microtask: the addresses of two numbers of the thread, the region, and what the program's own
   gets beyond its first argument, whatever that is. */
__asm__(".pushsection .text\n"
        "  .balign 16\n"
        "  .globl mai_run_microtask\n"
        "  .hidden mai_run_microtask\n"
        "  .type mai_run_microtask, @function\n"
        "mai_run_microtask:\n"
        "  .cfi_startproc\n"
        "  endbr64\n"
        "  pushq %rbp\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset %rbp, -16\n"
        "  movq %rsp, %rbp\n"
        "  .cfi_def_cfa_register %rbp\n"
        "  subq $64, %rsp\n"
        "  movq %rdi, -8(%rbp)\n"
        "  movq %rsi, -16(%rbp)\n"
        "  movq %rcx, -24(%rbp)\n"
        "  movq %r8, -32(%rbp)\n"
        "  movq %r9, -40(%rbp)\n"
        "  movq %rdx, %rdi\n"
        "  movl (%rsi), %esi\n"
        "  call mai_region_begin\n" /* rax: the microtask, rdx: its first argument */
        "  movq %rax, -48(%rbp)\n"
        "  movq %rdx, -56(%rbp)\n"
        "  movq -16(%rbp), %rdi\n"
        "  movl (%rdi), %edi\n"
        "  call mai_region_leave_nothing\n"
        "  movq -56(%rbp), %rdx\n"
        "  movq $0, -56(%rbp)\n"
        "  movq -48(%rbp), %rax\n"
        "  movq $0, -48(%rbp)\n"
        "  movq -40(%rbp), %r9\n"
        "  movq $0, -40(%rbp)\n"
        "  movq -32(%rbp), %r8\n"
        "  movq $0, -32(%rbp)\n"
        "  movq -24(%rbp), %rcx\n"
        "  movq $0, -24(%rbp)\n"
        "  movq -16(%rbp), %rsi\n"
        "  movq $0, -16(%rbp)\n"
        "  movq -8(%rbp), %rdi\n"
        "  movq $0, -8(%rbp)\n"
        "  leave\n"
        "  .cfi_def_cfa %rsp, 8\n"
        "  jmp *%rax\n"
        "  .cfi_endproc\n"
        "  .size mai_run_microtask, . - mai_run_microtask\n"
        "  .popsection\n");

#else

struct region_data {
  struct mai_region *region;
};

#define KMPC_REGIONS_INTERPOSE MAI_INTERPOSES
#include "openmp/kmpc_regions.h"

static fork_t begin(struct region *region, const void *caller) {
  const struct mai_route *route = mai_hook_route(caller, MAI_FN___kmpc_fork_call);
  struct mai_runtime *runtime = route->functions[MAI_FN___kmpc_fork_call].runtime;
  fork_t next;
  *(void **)&next = route->functions[MAI_FN___kmpc_fork_call].next;
  region->invoke =
      find_invoke(runtime ? (const void *)runtime->openmp.get_level : (const void *)next);
  region->data.region = region->invoke ? open_region(route, MAI_FN___kmpc_fork_call) : NULL;
  region->watched = region->data.region;
  return next;
}

static void enter(const struct region *region, unsigned thread) {
  mai_region_begin(region->data.region, thread);
  mai_region_leave_nothing(thread);
}

static void leave(const struct region *region) { (void)region; }

static void end(const struct region *region) { (void)region; }

#endif
