/*===-- mai_static.h - hand a static array's storage to MAi -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What the output of mapp-rewrite includes, and what a program may write by hand:
 *
 *     static double u[N][M];
 *     MAI_STATIC(u, "block");
 *
 * The array keeps its type and its address.  Before main(), and before the program's own
 * constructors, MAi sets the policy of the pages that lie wholly inside it and keeps what they
 * held.
 *
 * This header includes none of the system's, so it may stand in front of a source's own
 * feature-test macros.
 */
#ifndef MAI_STATIC_H
#define MAI_STATIC_H

#pragma GCC system_header /* no warnings about what its macros leave in strict programs */

#include "mai_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Attributes are spelt with underscores: a program may have macros with the other names. */
#ifdef __has_attribute
#if __has_attribute(__retain__)
#define MAI_STATIC_RETAIN , __retain__
#endif
#endif
#ifndef MAI_STATIC_RETAIN
#define MAI_STATIC_RETAIN
#endif

/* Not const: whether a constant with addresses in it is writable depends on -fPIC, and one section
   cannot be both. The address goes through a number: for pointers to pointers and for arrays of
   restricted ones, compilers warn of the cast, or of its absence.  Aligned no more than they must
   be, which compilers would exceed. */
#define MAI_STATIC_ENTRY(id, object, bytes, strides, heap, ...)                                    \
  MAI_STATIC_NAMED(id, #object, object, bytes, strides, heap, (0, 0, 0), __VA_ARGS__)
#define MAI_STATIC_NAMED(id, name, object, bytes, strides, heap, in_use, ...)                      \
  static struct mai_static_array mai_static_##id                                                   \
      __attribute__((__section__("__mai_arrays"), __aligned__(8), __used__ MAI_STATIC_RETAIN)) = { \
          name,                                                                                    \
          __FILE__,                                                                                \
          (const volatile void *)(__UINTPTR_TYPE__) & (object),                                    \
          (bytes),                                                                                 \
          MAI_STATIC_LIST strides,                                                                 \
          __LINE__,                                                                                \
          (heap),                                                                                  \
          MAI_STATIC_POLICY(__VA_ARGS__, 0, 0, 0),                                                 \
          MAI_STATIC_NUMBER in_use}
/* In parentheses they stay one argument from macro to macro. */
#define MAI_STATIC_STRIDES(...) (__VA_ARGS__)
#define MAI_STATIC_LIST(...) {__VA_ARGS__}
#define MAI_STATIC_NUMBER(address, bytes, units)                                                   \
  (const volatile void *)(__UINTPTR_TYPE__)(address), (bytes), (units)

/* What behind the policy is not said is 0. */
#define MAI_STATIC_POLICY(policy, first, count, ...)                                               \
  (policy), (unsigned long)(first), (unsigned long)(count)

/** Hand the storage of `array`, declared above in the same scope with static storage, to MAi.
 *  Then comes the policy, a text as minas(7) describes it.  Behind it may stand the first unit and
 *  the number of units of its range, constant expressions, for what no text can know:
 *
 *      MAI_STATIC(u, "block", 1, N - 2);
 */
#define MAI_STATIC(array, ...)                                                                     \
  MAI_STATIC_ENTRY(array, array, sizeof(array), MAI_STATIC_STRIDES(sizeof((array)[0])), 0,         \
                   __VA_ARGS__)

/** The same for an array of two or of three dimensions at least, whose policy is by columns or by
 *  blocks. */
#define MAI_STATIC_2D(array, ...) MAI_STATIC_PART_2D(array, array, __VA_ARGS__)
#define MAI_STATIC_3D(array, ...) MAI_STATIC_PART_3D(array, array, __VA_ARGS__)

/** The same for an array that is a part of a variable, such as the member of a struct.  `id` is an
 *  identifier that names no other array of the scope. */
#define MAI_STATIC_PART(id, part, ...)                                                             \
  MAI_STATIC_ENTRY(id, part, sizeof(part), MAI_STATIC_STRIDES(sizeof((part)[0])), 0, __VA_ARGS__)
#define MAI_STATIC_PART_2D(id, part, ...)                                                          \
  MAI_STATIC_ENTRY(id, part, sizeof(part),                                                         \
                   MAI_STATIC_STRIDES(sizeof((part)[0]), sizeof((part)[0][0])), 0, __VA_ARGS__)
#define MAI_STATIC_PART_3D(id, part, ...)                                                          \
  MAI_STATIC_ENTRY(                                                                                \
      id, part, sizeof(part),                                                                      \
      MAI_STATIC_STRIDES(sizeof((part)[0]), sizeof((part)[0][0]), sizeof((part)[0][0][0])), 0,     \
      __VA_ARGS__)

/** MAI_STATIC() and MAI_STATIC_PART() for an array of which loops go over a part: `units` units for
 *  each that `number` counts, a variable (or a part of one) of 4 or 8 bytes with static storage.
 *  The policy is about these units.  The number is looked at whenever a parallel region begins, and
 *  the array divided anew when it has become another:
 *
 *      static double x[MOST_ATOMS][3];
 *      static int atoms;
 *      MAI_STATIC_IN_USE(x, atoms, 1, "block");
 */
#define MAI_STATIC_IN_USE(array, number, units, ...)                                               \
  MAI_STATIC_PART_IN_USE(array, array, number, units, __VA_ARGS__)
#define MAI_STATIC_PART_IN_USE(id, part, number, units, ...)                                       \
  MAI_STATIC_NAMED(id, #part, part, sizeof(part), MAI_STATIC_STRIDES(sizeof((part)[0])), 0,        \
                   (&(number), sizeof(number), units), __VA_ARGS__)

/** Let `pointer`, declared above at file scope with static storage, point to `bytes` of new zeroed
 *  memory before main().  A unit is what the pointer points to. */
#define MAI_HEAP(pointer, bytes, ...)                                                              \
  MAI_HEAP_ENTRY(pointer, bytes, MAI_STATIC_STRIDES(sizeof(*(pointer))), __VA_ARGS__)
#define MAI_HEAP_2D(pointer, bytes, ...)                                                           \
  MAI_HEAP_ENTRY(pointer, bytes, MAI_STATIC_STRIDES(sizeof(*(pointer)), sizeof((*(pointer))[0])),  \
                 __VA_ARGS__)
#define MAI_HEAP_3D(pointer, bytes, ...)                                                           \
  MAI_HEAP_ENTRY(                                                                                  \
      pointer, bytes,                                                                              \
      MAI_STATIC_STRIDES(sizeof(*(pointer)), sizeof((*(pointer))[0]), sizeof((*(pointer))[0][0])), \
      __VA_ARGS__)

/* mai_new_block(): so clang knows, as of pointers that malloc() sets, that arrays do not overlap.
   Nobody takes the pointer's address: else whatever a program writes by way of another pointer,
   such as characters, might change it, and loops would read it again and again. */
#define MAI_HEAP_ENTRY(pointer, bytes, strides, ...)                                               \
  static void *mai_heap_##pointer;                                                                 \
  __attribute__((__constructor__(101), __section__("__mai_start"),                                 \
                 __used__)) static void mai_set_##pointer(void) {                                  \
    if (!mai_heap_##pointer)                                                                       \
      mai_hand_over_static_arrays();                                                               \
    pointer = (__typeof__(pointer))mai_new_block(mai_heap_##pointer);                              \
  }                                                                                                \
  MAI_STATIC_NAMED(pointer, #pointer, mai_heap_##pointer, (bytes), strides, 1, (0, 0, 0),          \
                   __VA_ARGS__)

/** The same for a static pointer of a function. */
#define MAI_HEAP_LOCAL(pointer, bytes, ...)                                                        \
  MAI_STATIC_ENTRY(pointer, pointer, (bytes), MAI_STATIC_STRIDES(sizeof(*(pointer))), 1,           \
                   __VA_ARGS__)
#define MAI_HEAP_LOCAL_2D(pointer, bytes, ...)                                                     \
  MAI_STATIC_ENTRY(pointer, pointer, (bytes),                                                      \
                   MAI_STATIC_STRIDES(sizeof(*(pointer)), sizeof((*(pointer))[0])), 1,             \
                   __VA_ARGS__)
#define MAI_HEAP_LOCAL_3D(pointer, bytes, ...)                                                     \
  MAI_STATIC_ENTRY(                                                                                \
      pointer, pointer, (bytes),                                                                   \
      MAI_STATIC_STRIDES(sizeof(*(pointer)), sizeof((*(pointer))[0]), sizeof((*(pointer))[0][0])), \
      1, __VA_ARGS__)

/*===-- Blocks of the heap ---------------------------------------------------===*/

/**
 * The value of `allocation`, an expression that calls malloc() or one of its like, after the pages
 * of the block that it returned were placed.  Within it MAI_BYTES() stands around the argument that
 * is the block's size, MAI_UNITS() around one that counts units of so many bytes, and MAI_COUNT()
 * around those by which that is to be multiplied; each is evaluated once, as without them.
 * MAI_OWN_PAGES() takes the place of MAI_BYTES() where short blocks are to have pages of their own,
 * MAI_OWN_PAGES_OF() with the bytes of a unit that of MAI_COUNT() in front of it, and
 * MAI_LEAST_OF_OWN_PAGES is the least size:
 *
 *     double *u = MAI_PLACED(u, malloc(MAI_BYTES(n * sizeof *u)), sizeof *u, "block");
 *
 * `object` is what reports call the block, `unit` the bytes of what the policy counts: a row, an
 * element.  Then comes the policy, and behind it may stand the first unit and the number of units
 * of its range, and behind these the bytes of the smallest block that is placed.
 */
#define MAI_PLACED(object, allocation, unit, ...)                                                  \
  MAI_PLACED_BLOCK(#object, allocation, mai_count_ *mai_bytes_, MAI_STATIC_STRIDES(unit),          \
                   __VA_ARGS__)

/** The same for a block of rows of `row` bytes, of elements of `element` bytes, whose policy is by
 *  columns. */
#define MAI_PLACED_2D(object, allocation, row, element, ...)                                       \
  MAI_PLACED_BLOCK(#object, allocation, mai_count_ *mai_bytes_, MAI_STATIC_STRIDES(row, element),  \
                   __VA_ARGS__)

/** The same where the block is new: nothing else of the program points into it, and it holds no
 *  pointers, as after malloc() and calloc(), but not realloc().  Then compilers know of the value
 *  what they know of malloc()'s, for one call more. */
#define MAI_PLACED_NEW(object, allocation, unit, ...)                                              \
  mai_new_block(MAI_PLACED(object, allocation, unit, __VA_ARGS__))
#define MAI_PLACED_NEW_2D(object, allocation, row, element, ...)                                   \
  mai_new_block(MAI_PLACED_2D(object, allocation, row, element, __VA_ARGS__))

/** The same for one of `rows` blocks, row number `row`, which a table of pointers makes a matrix.
 */
#define MAI_PLACED_ROW(object, allocation, row, rows, ...)                                         \
  MAI_PLACED_AS_ROW(#object, allocation, mai_count_ *mai_bytes_, row, rows, __VA_ARGS__)

/** The same where nothing tells which row it is: the rows count in the order in which they are
 *  allocated.  A block that is alone when a parallel region is opened is divided by its units. */
#define MAI_PLACED_NEXT_ROW(object, allocation, unit, ...)                                         \
  MAI_PLACED_AS_NEXT_ROW(#object, allocation, mai_count_ *mai_bytes_, unit, __VA_ARGS__)

/** The same where the text of `allocation` is not at hand: the block has `bytes` bytes, asked for
 *  behind the allocation. */
#define MAI_PLACED_SIZED(object, allocation, bytes, unit, ...)                                     \
  MAI_PLACED_BLOCK(#object, allocation, bytes, MAI_STATIC_STRIDES(unit), __VA_ARGS__)
#define MAI_PLACED_NEW_SIZED(object, allocation, bytes, unit, ...)                                 \
  mai_new_block(MAI_PLACED_SIZED(object, allocation, bytes, unit, __VA_ARGS__))
#define MAI_PLACED_ROW_SIZED(object, allocation, bytes, row, rows, ...)                            \
  MAI_PLACED_AS_ROW(#object, allocation, bytes, row, rows, __VA_ARGS__)
#define MAI_PLACED_NEXT_ROW_SIZED(object, allocation, bytes, unit, ...)                            \
  MAI_PLACED_AS_NEXT_ROW(#object, allocation, bytes, unit, __VA_ARGS__)

/** In the range of a block: so many ten-thousandths of its units, which have `unit` bytes; of the
 *  rows of MAI_PLACED_ROW. */
#define MAI_UNITS_IN_PARTS(parts, unit) (mai_bytes_ / ((unit) + !(unit)) * (parts) / 10000)
#define MAI_ROWS_IN_PARTS(parts) (mai_rows_ * (parts) / 10000)

/** In the place of a block's unit: one of so many that are all of it. */
#define MAI_ONE_OF(units) (mai_bytes_ / ((units) + !(units)))

/** In the place of a block's policy that distributes what all threads share: below
 *  MAI_LEAST_SHARED bytes another one, for what each core's cache holds. */
#define MAI_UNLESS_CACHED(policy, cached) (mai_bytes_ >= MAI_LEAST_SHARED ? (policy) : (cached))

/** In the place of a block's policy by columns, of rows of `row` bytes: not where these are too
 * short for a page on each of a few nodes. */
#define MAI_LEAST_ROW 16384UL
#define MAI_FOR_LONG_ROWS(row, policy) ((row) >= MAI_LEAST_ROW ? (policy) : "first-touch")

/** The value of `call`, an expression, which bears a name while it runs; and in the policy of a
 * block that is allocated there, whether it is so:
 *
 *     MAI_CALLING("main:12", vector_init(&v, n));
 *     ... MAI_CALLED_FROM("main:12") ? "block" : "first-touch")
 */
#define MAI_CALLING(name, call)                                                                    \
  (__extension__({                                                                                 \
    unsigned mai_outer_ __attribute__((__cleanup__(mai_end_call))) = mai_begin_call(name);         \
    (call);                                                                                        \
  }))
#define MAI_CALLED_FROM(name) mai_called_from(name)

/** MAI_PLACED for posix_memalign() and its like, which return a status: `pointer` is the pointer
 *  that they set, not its address. */
#define MAI_PLACED_AT(pointer, allocation, unit, ...)                                              \
  MAI_PLACED_IF(mai_status_ == 0, allocation, MAI_PLACE_AT(#pointer, pointer, unit, __VA_ARGS__))
#define MAI_PLACED_2D_AT(pointer, allocation, row, element, ...)                                   \
  MAI_PLACED_IF(mai_status_ == 0, allocation,                                                      \
                MAI_PLACE_BLOCK_AT(#pointer, pointer, (row, element), __VA_ARGS__))
#define MAI_PLACED_ROW_AT(pointer, allocation, row, rows, ...)                                     \
  MAI_PLACED_IF(mai_status_ == 0, allocation,                                                      \
                MAI_PLACE_ROW_AT(#pointer, pointer, row, rows, __VA_ARGS__))

#define MAI_PLACED_NEXT_ROW_AT(pointer, allocation, unit, ...)                                     \
  MAI_PLACED_IF(mai_status_ == 0, allocation,                                                      \
                MAI_PLACE_NEXT_ROW_AT(#pointer, pointer, unit, __VA_ARGS__))

/** The same for a function of the program that sets the pointer whatever it returns, and for one
 *  that returns nothing. */
#define MAI_PLACED_BY(pointer, call, unit, ...)                                                    \
  MAI_PLACED_IF(1, call, MAI_PLACE_AT(#pointer, pointer, unit, __VA_ARGS__))
#define MAI_PLACED_2D_BY(pointer, call, row, element, ...)                                         \
  MAI_PLACED_IF(1, call, MAI_PLACE_BLOCK_AT(#pointer, pointer, (row, element), __VA_ARGS__))
#define MAI_PLACED_ROW_BY(pointer, call, row, rows, ...)                                           \
  MAI_PLACED_IF(1, call, MAI_PLACE_ROW_AT(#pointer, pointer, row, rows, __VA_ARGS__))
#define MAI_PLACED_NEXT_ROW_BY(pointer, call, unit, ...)                                           \
  MAI_PLACED_IF(1, call, MAI_PLACE_NEXT_ROW_AT(#pointer, pointer, unit, __VA_ARGS__))
#define MAI_PLACED_BY_VOID(pointer, call, unit, ...)                                               \
  MAI_PLACED_THEN(call, MAI_PLACE_AT(#pointer, pointer, unit, __VA_ARGS__))
#define MAI_PLACED_2D_BY_VOID(pointer, call, row, element, ...)                                    \
  MAI_PLACED_THEN(call, MAI_PLACE_BLOCK_AT(#pointer, pointer, (row, element), __VA_ARGS__))
#define MAI_PLACED_ROW_BY_VOID(pointer, call, row, rows, ...)                                      \
  MAI_PLACED_THEN(call, MAI_PLACE_ROW_AT(#pointer, pointer, row, rows, __VA_ARGS__))
#define MAI_PLACED_NEXT_ROW_BY_VOID(pointer, call, unit, ...)                                      \
  MAI_PLACED_THEN(call, MAI_PLACE_NEXT_ROW_AT(#pointer, pointer, unit, __VA_ARGS__))

/** Places the block of `bytes` bytes that `pointer` points to: a statement, to be put behind one
 *  whose macro hides the allocation; and one for the next of many rows. */
#define MAI_PLACE_POINTER(pointer, bytes, unit, ...)                                               \
  {                                                                                                \
    unsigned long mai_bytes_ = (bytes);                                                            \
    void *mai_pointer_ = (void *)(pointer);                                                        \
    MAI_PLACE_AT(#pointer, mai_pointer_, unit, __VA_ARGS__);                                       \
  }
#define MAI_PLACE_NEXT_ROW_POINTER(pointer, bytes, unit, ...)                                      \
  {                                                                                                \
    unsigned long mai_bytes_ = (bytes);                                                            \
    void *mai_pointer_ = (void *)(pointer);                                                        \
    MAI_PLACE_NEXT_ROW_AT(#pointer, mai_pointer_, unit, __VA_ARGS__);                              \
  }

#define MAI_PLACED_IF(done, allocation, place)                                                     \
  (__extension__({                                                                                 \
    unsigned long mai_count_ = 1, mai_bytes_ = 1;                                                  \
    __auto_type mai_status_ = (allocation);                                                        \
    mai_bytes_ *= mai_count_;                                                                      \
    if (done)                                                                                      \
      place;                                                                                       \
    mai_status_;                                                                                   \
  }))
#define MAI_PLACED_THEN(call, place)                                                               \
  (__extension__({                                                                                 \
    unsigned long mai_count_ = 1, mai_bytes_ = 1;                                                  \
    int mai_status_ = ((call), 0);                                                                 \
    (void)mai_status_;                                                                             \
    mai_bytes_ *= mai_count_;                                                                      \
    place;                                                                                         \
    (void)0;                                                                                       \
  }))
#define MAI_BLOCK_POLICY(policy, first, count, least, ...)                                         \
  (unsigned)(least), (policy), (unsigned long)(first), (unsigned long)(count)
#define MAI_BLOCK_LEAST(policy, first, count, least, ...)                                          \
  ((least) ? (least) : MAI_LEAST_SMALL_BLOCK)
#define MAI_PLACE_AT(name, pointer, unit, ...)                                                     \
  MAI_PLACE_BLOCK_AT(name, pointer, (unit), __VA_ARGS__)
#define MAI_PLACE_BLOCK_AT(name, pointer, strides, ...)                                            \
  do                                                                                               \
    if (mai_bytes_ >= MAI_BLOCK_LEAST(__VA_ARGS__, 0, 0, 0, 0)) {                                  \
      struct mai_block mai_how_ = {name, __FILE__, MAI_STATIC_LIST strides, __LINE__,              \
                                   MAI_BLOCK_POLICY(__VA_ARGS__, 0, 0, 0, 0)};                     \
      mai_place_block((void *)(pointer), mai_bytes_, &mai_how_);                                   \
    }                                                                                              \
  while (0)
#define MAI_PLACE_ROW_AT(name, pointer, row, rows, ...)                                            \
  do {                                                                                             \
    unsigned long mai_rows_ = (rows);                                                              \
    if (mai_rows_) {                                                                               \
      struct mai_block mai_how_ = {                                                                \
          name, __FILE__, {0}, __LINE__, MAI_BLOCK_POLICY(__VA_ARGS__, 0, 0, 0, 0)};               \
      mai_place_row((void *)(pointer), mai_bytes_, (row), mai_rows_, &mai_how_);                   \
    }                                                                                              \
  } while (0)

#define MAI_PLACE_NEXT_ROW_AT(name, pointer, unit, ...)                                            \
  do {                                                                                             \
    struct mai_block mai_how_ = {                                                                  \
        name, __FILE__, {unit}, __LINE__, MAI_BLOCK_POLICY(__VA_ARGS__, 0, 0, 0, 0)};              \
    mai_place_next_row((void *)(pointer), mai_bytes_, &mai_how_);                                  \
  } while (0)

#define MAI_PLACED_BLOCK(name, allocation, bytes, strides, ...)                                    \
  MAI_PLACED_AS(allocation, bytes,                                                                 \
                MAI_PLACE_BLOCK_AT(name, (__UINTPTR_TYPE__)mai_block_, strides, __VA_ARGS__))
#define MAI_PLACED_AS_ROW(name, allocation, bytes, row, rows, ...)                                 \
  MAI_PLACED_AS(allocation, bytes,                                                                 \
                MAI_PLACE_ROW_AT(name, (__UINTPTR_TYPE__)mai_block_, row, rows, __VA_ARGS__))
#define MAI_PLACED_AS_NEXT_ROW(name, allocation, bytes, unit, ...)                                 \
  MAI_PLACED_AS(allocation, bytes,                                                                 \
                MAI_PLACE_NEXT_ROW_AT(name, (__UINTPTR_TYPE__)mai_block_, unit, __VA_ARGS__))
#define MAI_PLACED_AS(allocation, bytes, place)                                                    \
  (__extension__({                                                                                 \
    unsigned long mai_count_ = 1, mai_bytes_ = 1;                                                  \
    __auto_type mai_block_ = (allocation);                                                         \
    (void)mai_count_, (void)mai_bytes_;                                                            \
    mai_bytes_ = (bytes);                                                                          \
    place;                                                                                         \
    mai_block_;                                                                                    \
  }))

#define MAI_BYTES(value) (mai_bytes_ = (unsigned long)(value))
#define MAI_OWN_PAGES(value)                                                                       \
  (MAI_BYTES(value), mai_bytes_ < MAI_LEAST_BLOCK ? mai_bytes_ + MAI_APART_BYTES : mai_bytes_)
#define MAI_OWN_PAGES_OF(bytes, value)                                                             \
  (MAI_COUNT(value), MAI_ROOM_APART(mai_count_, (unsigned long)(bytes)))
#define MAI_ROOM_APART(count, bytes)                                                               \
  ((bytes) > 0 && (count) * (bytes) < MAI_LEAST_BLOCK ? (count) + MAI_APART_BYTES / (bytes) + 1    \
                                                      : (count))
#define MAI_COUNT(value) MAI_NOTED(mai_count_, 1, (unsigned long)(value))
#define MAI_UNITS(bytes, value) MAI_NOTED(mai_bytes_, bytes, value)
#define MAI_TIMES(value) MAI_NOTED(mai_count_, 1, value)
#define MAI_NOTED(in, factor, value)                                                               \
  (__extension__({                                                                                 \
    __auto_type mai_value_ = 0 + (value);                                                          \
    in *= (factor) * (unsigned long)mai_value_;                                                    \
    mai_value_;                                                                                    \
  }))

extern const struct mai_static_array __start___mai_arrays[]
    __attribute__((__weak__, __visibility__("hidden")));
extern const struct mai_static_array __stop___mai_arrays[]
    __attribute__((__weak__, __visibility__("hidden")));

/* 101 is the first priority that programs may use: before every other constructor of theirs.  It is
   in a section of its own, behind the program's functions, and calls by an address instead of a
   stub in front of them: so they lie where they would without it, and loops keep their alignment.
 */
__attribute__((__constructor__(101), __section__("__mai_start"), __used__)) static void
mai_hand_over_static_arrays(void) {
  void (*place)(const struct mai_static_array *, const struct mai_static_array *) =
      mai_place_static;
  __asm__("" : "+r"(place));
  place(__start___mai_arrays, __stop___mai_arrays);
}

#ifdef __cplusplus
}
#endif
#endif /* MAI_STATIC_H */
