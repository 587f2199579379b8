/*===-- array.c - what an array must hold -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "array.h"

#include <string.h>

static uint64_t word_of(uint32_t tag, size_t word) {
  uint64_t x = tag * 0x9e3779b97f4a7c15 + word * 0xbf58476d1ce4e5b9;
  return tag ? x ^ x >> 29 : 0;
}

size_t count_cells(const struct array *array) { return (array->memory_bytes + CELL - 1) / CELL; }

size_t cell_bytes(const struct array *array, size_t cell) {
  size_t left = array->memory_bytes - cell * CELL;
  return left < CELL ? left : CELL;
}

static void put(char *to, uint32_t tag, size_t first, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t word = word_of(tag, (first + i) / 8);
    memcpy(to + i, &word, bytes - i < 8 ? bytes - i : 8);
  }
}

void write_again(const struct array *array, size_t cell) {
  put(array->memory + cell * CELL, array->tags[cell], cell * CELL, array->filled[cell]);
}

void write_cell(struct array *array, size_t cell, uint32_t tag) {
  array->tags[cell] = tag;
  array->filled[cell] = (uint16_t)cell_bytes(array, cell);
  write_again(array, cell);
}

static bool all_zero(const char *memory, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (memory[i])
      return false;
  return true;
}

bool cell_is_right(const struct array *array, const char *memory, size_t cell) {
  char expected[CELL];
  const char *start = memory + cell * CELL;
  size_t filled = array->tags[cell] ? array->filled[cell] : 0;
  put(expected, array->tags[cell], cell * CELL, filled);
  return memcmp(start, expected, filled) == 0 &&
         all_zero(start + filled, cell_bytes(array, cell) - filled);
}

void forget_contents(struct array *array, size_t first, size_t end) {
  for (size_t cell = first / CELL; cell * CELL < end; cell++)
    array->tags[cell] = 0;
}

void resize_contents(struct array *array, size_t bytes) {
  size_t before = array->memory_bytes;
  size_t kept = before < bytes ? before : bytes;
  array->memory_bytes = array->bytes = bytes;
  if (kept % CELL && array->filled[kept / CELL] > kept % CELL)
    array->filled[kept / CELL] = (uint16_t)(kept % CELL);
  size_t first = (kept + CELL - 1) / CELL;
  forget_contents(array, first * CELL, bytes);
}
