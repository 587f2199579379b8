/*===-- index.c - integers that tell tasks their parts -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "index.h"

/* Two tasks are on some line, the next ones by chance only. */
enum { ENOUGH = 2 };

void mai_numbers_add(struct mai_numbers *numbers, uint32_t number) {
  if (numbers->count < MAI_NUMBERS)
    numbers->values[numbers->count++] =
        (uint16_t)(number < MAI_LARGE_NUMBER ? number : MAI_LARGE_NUMBER);
}

static unsigned agreed(const struct mai_index *index) {
  return atomic_load_explicit(&index->agreed, memory_order_acquire);
}

static unsigned number_of(const struct mai_index *index) {
  return atomic_load_explicit(&index->number, memory_order_relaxed);
}

static bool is_index(const struct mai_numbers *numbers, unsigned number) {
  return number < numbers->count && numbers->values[number] != MAI_LARGE_NUMBER;
}

/* What the line says on which the last two tasks were. */
static bool is_on_line(const struct mai_index *index, const struct mai_numbers *numbers,
                       intptr_t *offset) {
  intptr_t stride = atomic_load_explicit(&index->stride, memory_order_relaxed);
  if (stride == 0 || !is_index(numbers, number_of(index)))
    return false;
  *offset = atomic_load_explicit(&index->start, memory_order_relaxed) +
            stride * numbers->values[number_of(index)];
  return true;
}

bool mai_index_predicts(const struct mai_index *index, const struct mai_numbers *numbers,
                        intptr_t *offset) {
  return agreed(index) >= ENOUGH && is_on_line(index, numbers, offset);
}

/* From the last task to this one, if this integer was the index; 0: it was not. */
static intptr_t stride_by(const struct mai_index *index, const struct mai_numbers *numbers,
                          intptr_t offset, unsigned number) {
  if (!is_index(numbers, number) || !is_index(&index->last_numbers, number))
    return 0;
  intptr_t steps = numbers->values[number] - index->last_numbers.values[number];
  return steps != 0 && (offset - index->last) % steps == 0 ? (offset - index->last) / steps : 0;
}

/* Of several integers that may be the index one after the other is tried. */
static void find_line(struct mai_index *index, const struct mai_numbers *numbers, intptr_t offset) {
  intptr_t stride = 0;
  unsigned number = number_of(index);
  for (unsigned i = 0; i < MAI_NUMBERS && stride == 0; i++) {
    number = (number + 1) % MAI_NUMBERS;
    stride = stride_by(index, numbers, offset, number);
  }
  atomic_store_explicit(&index->number, number, memory_order_relaxed);
  atomic_store_explicit(&index->stride, stride, memory_order_relaxed);
  atomic_store_explicit(&index->start, offset - (stride ? stride * numbers->values[number] : 0),
                        memory_order_relaxed);
}

static bool is_as_predicted(const struct mai_index *index, const struct mai_numbers *numbers,
                            intptr_t offset) {
  intptr_t predicted;
  return is_on_line(index, numbers, &predicted) && predicted == offset;
}

static void note(struct mai_index *index, const struct mai_numbers *numbers, intptr_t offset) {
  bool agrees = is_as_predicted(index, numbers, offset);
  unsigned before = agreed(index);
  unsigned then = !agrees ? 0 : before < ENOUGH ? before + 1 : ENOUGH;
  if (then != before)
    atomic_store_explicit(&index->agreed, then, memory_order_release);
  if (!agrees)
    find_line(index, numbers, offset);
  index->last = offset;
  index->last_numbers = *numbers;
}

/* While another thread notes something this is not noted. */
void mai_index_note(struct mai_index *index, const struct mai_numbers *numbers, intptr_t offset) {
  if (numbers->count == 0 || atomic_exchange_explicit(&index->busy, true, memory_order_acquire))
    return;
  note(index, numbers, offset);
  atomic_store_explicit(&index->busy, false, memory_order_release);
}
