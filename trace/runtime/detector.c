/*===-- detector.c - what concerns the detector of races only ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The rest of the interface of -fsanitize=thread: what compilers call at functions, and what
 * programs call that know of the detector (sanitizer/tsan_interface.h).  Nothing of it is needed.
 */
#include <stddef.h>

#define DEFINE(result, name, parameters, value)                                                    \
  __attribute__((visibility("default"))) result __tsan_##name parameters;                          \
  result __tsan_##name parameters { return value; }
#define DEFINE_NOTHING(name, parameters) DEFINE(void, name, parameters, )

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are given
   NOLINTBEGIN(misc-unused-parameters,bugprone-macro-parentheses) */
#pragma GCC diagnostic ignored "-Wunused-parameter"

DEFINE_NOTHING(init, (void))
DEFINE_NOTHING(func_entry, (void *caller))
DEFINE_NOTHING(func_exit, (void))
DEFINE_NOTHING(ignore_thread_begin, (void))
DEFINE_NOTHING(ignore_thread_end, (void))

DEFINE_NOTHING(acquire, (void *address))
DEFINE_NOTHING(release, (void *address))
DEFINE_NOTHING(mutex_create, (void *address, unsigned flags))
DEFINE_NOTHING(mutex_destroy, (void *address, unsigned flags))
DEFINE_NOTHING(mutex_pre_lock, (void *address, unsigned flags))
DEFINE_NOTHING(mutex_post_lock, (void *address, unsigned flags, int recursion))
DEFINE(int, mutex_pre_unlock, (void *address, unsigned flags), 0)
DEFINE_NOTHING(mutex_post_unlock, (void *address, unsigned flags))
DEFINE_NOTHING(mutex_pre_signal, (void *address, unsigned flags))
DEFINE_NOTHING(mutex_post_signal, (void *address, unsigned flags))
DEFINE_NOTHING(mutex_pre_divert, (void *address, unsigned flags))
DEFINE_NOTHING(mutex_post_divert, (void *address, unsigned flags))
DEFINE_NOTHING(check_no_mutexes_held, (void))

DEFINE(void *, external_register_tag, (const char *type), NULL)
DEFINE_NOTHING(external_register_header, (void *tag, const char *header))
DEFINE_NOTHING(external_assign_tag, (void *address, void *tag))
DEFINE_NOTHING(external_read, (void *address, void *caller, void *tag))
DEFINE_NOTHING(external_write, (void *address, void *caller, void *tag))

DEFINE(void *, get_current_fiber, (void), NULL)
DEFINE(void *, create_fiber, (unsigned flags), NULL)
DEFINE_NOTHING(destroy_fiber, (void *fiber))
DEFINE_NOTHING(switch_to_fiber, (void *fiber, unsigned flags))
DEFINE_NOTHING(set_fiber_name, (void *fiber, const char *name))
DEFINE_NOTHING(flush_memory, (void))

/* NOLINTEND(misc-unused-parameters,bugprone-macro-parentheses)
   NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
