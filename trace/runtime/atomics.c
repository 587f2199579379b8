/*===-- atomics.c - atomic accesses: performed and counted -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The compilers replace atomic operations by these calls: they have to do the operation.  Each is
 * sequentially consistent, which every weaker order allows.  One that reads and writes counts as a
 * read and a write; a comparison that fails, as a read.
 *
 * Those of 16 bytes are built on the processor's compare-and-exchange, so that they agree with
 * what is compiled elsewhere.
 */
#include <stdbool.h>
#include <stdint.h>

#include "hooks.h"

#define EXPORTED __attribute__((visibility("default")))
#define ORDER __ATOMIC_SEQ_CST

typedef uint8_t value8_t;
typedef uint16_t value16_t;
typedef uint32_t value32_t;
typedef uint64_t value64_t;

static void count_update(const volatile void *address, uintptr_t caller) {
  mai_trace_count(address, MAI_TRACE_READ, caller);
  mai_trace_count(address, MAI_TRACE_WRITE, caller);
}

static void count_compare(const volatile void *address, bool exchanged, uintptr_t caller) {
  mai_trace_count(address, MAI_TRACE_READ, caller);
  if (exchanged)
    mai_trace_count(address, MAI_TRACE_WRITE, caller);
}

#define DEFINE_LOAD_STORE(bits)                                                                    \
  EXPORTED value##bits##_t __tsan_atomic##bits##_load(const volatile value##bits##_t *place,       \
                                                      int order);                                  \
  value##bits##_t __tsan_atomic##bits##_load(const volatile value##bits##_t *place, int order) {   \
    (void)order;                                                                                   \
    mai_trace_count(place, MAI_TRACE_READ, MAI_TRACE_CALLER);                                      \
    return LOAD(place);                                                                            \
  }                                                                                                \
  EXPORTED void __tsan_atomic##bits##_store(volatile value##bits##_t *place,                       \
                                            value##bits##_t value, int order);                     \
  void __tsan_atomic##bits##_store(volatile value##bits##_t *place, value##bits##_t value,         \
                                   int order) {                                                    \
    (void)order;                                                                                   \
    mai_trace_count(place, MAI_TRACE_WRITE, MAI_TRACE_CALLER);                                     \
    STORE(place, value);                                                                           \
  }

#define DEFINE_UPDATE(bits, name, operation)                                                       \
  EXPORTED value##bits##_t __tsan_atomic##bits##_##name(volatile value##bits##_t *place,           \
                                                        value##bits##_t value, int order);         \
  value##bits##_t __tsan_atomic##bits##_##name(volatile value##bits##_t *place,                    \
                                               value##bits##_t value, int order) {                 \
    (void)order;                                                                                   \
    count_update(place, MAI_TRACE_CALLER);                                                         \
    return operation(place, value);                                                                \
  }

#define DEFINE_COMPARE(bits)                                                                       \
  static int compare_##bits(volatile value##bits##_t *place, value##bits##_t *expected,            \
                            value##bits##_t value, uintptr_t caller) {                             \
    bool exchanged = COMPARE_EXCHANGE(place, expected, value);                                     \
    count_compare(place, exchanged, caller);                                                       \
    return exchanged;                                                                              \
  }                                                                                                \
  EXPORTED int __tsan_atomic##bits##_compare_exchange_strong(                                      \
      volatile value##bits##_t *place, value##bits##_t *expected, value##bits##_t value,           \
      int order, int failure_order);                                                               \
  int __tsan_atomic##bits##_compare_exchange_strong(                                               \
      volatile value##bits##_t *place, value##bits##_t *expected, value##bits##_t value,           \
      int order, int failure_order) {                                                              \
    (void)order;                                                                                   \
    (void)failure_order;                                                                           \
    return compare_##bits(place, expected, value, MAI_TRACE_CALLER);                               \
  }                                                                                                \
  EXPORTED int __tsan_atomic##bits##_compare_exchange_weak(                                        \
      volatile value##bits##_t *place, value##bits##_t *expected, value##bits##_t value,           \
      int order, int failure_order);                                                               \
  int __tsan_atomic##bits##_compare_exchange_weak(                                                 \
      volatile value##bits##_t *place, value##bits##_t *expected, value##bits##_t value,           \
      int order, int failure_order) {                                                              \
    (void)order;                                                                                   \
    (void)failure_order;                                                                           \
    return compare_##bits(place, expected, value, MAI_TRACE_CALLER);                               \
  }                                                                                                \
  EXPORTED value##bits##_t __tsan_atomic##bits##_compare_exchange_val(                             \
      volatile value##bits##_t *place, value##bits##_t expected, value##bits##_t value, int order, \
      int failure_order);                                                                          \
  value##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                      \
      volatile value##bits##_t *place, value##bits##_t expected, value##bits##_t value, int order, \
      int failure_order) {                                                                         \
    (void)order;                                                                                   \
    (void)failure_order;                                                                           \
    compare_##bits(place, &expected, value, MAI_TRACE_CALLER);                                     \
    return expected;                                                                               \
  }

#define DEFINE_ATOMICS(bits)                                                                       \
  DEFINE_LOAD_STORE(bits)                                                                          \
  DEFINE_UPDATE(bits, exchange, EXCHANGE)                                                          \
  DEFINE_UPDATE(bits, fetch_add, FETCH_ADD)                                                        \
  DEFINE_UPDATE(bits, fetch_sub, FETCH_SUB)                                                        \
  DEFINE_UPDATE(bits, fetch_and, FETCH_AND)                                                        \
  DEFINE_UPDATE(bits, fetch_or, FETCH_OR)                                                          \
  DEFINE_UPDATE(bits, fetch_xor, FETCH_XOR)                                                        \
  DEFINE_UPDATE(bits, fetch_nand, FETCH_NAND)                                                      \
  DEFINE_COMPARE(bits)

#define LOAD(place) __atomic_load_n(place, ORDER)
#define STORE(place, value) __atomic_store_n(place, value, ORDER)
#define EXCHANGE(place, value) __atomic_exchange_n(place, value, ORDER)
#define FETCH_ADD(place, value) __atomic_fetch_add(place, value, ORDER)
#define FETCH_SUB(place, value) __atomic_fetch_sub(place, value, ORDER)
#define FETCH_AND(place, value) __atomic_fetch_and(place, value, ORDER)
#define FETCH_OR(place, value) __atomic_fetch_or(place, value, ORDER)
#define FETCH_XOR(place, value) __atomic_fetch_xor(place, value, ORDER)
#define FETCH_NAND(place, value) __atomic_fetch_nand(place, value, ORDER)
#define COMPARE_EXCHANGE(place, expected, value)                                                   \
  __atomic_compare_exchange_n(place, expected, value, false, ORDER, ORDER)

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are given */

DEFINE_ATOMICS(8)
DEFINE_ATOMICS(16)
DEFINE_ATOMICS(32)
DEFINE_ATOMICS(64)

#undef LOAD
#undef STORE
#undef EXCHANGE
#undef FETCH_ADD
#undef FETCH_SUB
#undef FETCH_AND
#undef FETCH_OR
#undef FETCH_XOR
#undef FETCH_NAND
#undef COMPARE_EXCHANGE

#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16

__extension__ typedef unsigned __int128 value128_t;

static bool compare_exchange_128(volatile value128_t *place, value128_t *expected,
                                 value128_t value) {
  value128_t found = __sync_val_compare_and_swap(place, *expected, value);
  bool exchanged = found == *expected;
  *expected = found;
  return exchanged;
}

#define DEFINE_UPDATE_128(name, expression)                                                        \
  static value128_t name##_128(volatile value128_t *place, value128_t value) {                     \
    value128_t old = 0;                                                                            \
    while (!compare_exchange_128(place, &old, (expression)))                                       \
      ;                                                                                            \
    return old;                                                                                    \
  }

DEFINE_UPDATE_128(exchange, value)
DEFINE_UPDATE_128(fetch_add, old + value)
DEFINE_UPDATE_128(fetch_sub, old - value)
DEFINE_UPDATE_128(fetch_and, old &value)
DEFINE_UPDATE_128(fetch_or, old | value)
DEFINE_UPDATE_128(fetch_xor, old ^ value)
DEFINE_UPDATE_128(fetch_nand, ~(old &value))

#define LOAD(place) __sync_val_compare_and_swap((volatile value128_t *)(uintptr_t)(place), 0, 0)
#define STORE(place, value) ((void)exchange_128(place, value))
#define EXCHANGE(place, value) exchange_128(place, value)
#define FETCH_ADD(place, value) fetch_add_128(place, value)
#define FETCH_SUB(place, value) fetch_sub_128(place, value)
#define FETCH_AND(place, value) fetch_and_128(place, value)
#define FETCH_OR(place, value) fetch_or_128(place, value)
#define FETCH_XOR(place, value) fetch_xor_128(place, value)
#define FETCH_NAND(place, value) fetch_nand_128(place, value)
#define COMPARE_EXCHANGE(place, expected, value) compare_exchange_128(place, expected, value)

DEFINE_ATOMICS(128)

#endif

EXPORTED void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(ORDER);
}

EXPORTED void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order) {
  (void)order;
  __atomic_signal_fence(ORDER);
}

/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
