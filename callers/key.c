/*===-- key.c - the name of a place that asks for memory --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "key.h"

#include <string.h>

#include "functions.h"

/*===-- Text ---------------------------------------------------------------===*/

static void add(char *key, size_t size, const char *text) {
  size_t length = strlen(key);
  size_t more = strnlen(text, size - 1 - length);
  memcpy(key + length, text, more);
  key[length + more] = '\0';
}

/* Fowler, Noll and Vo's 1a. */
uint64_t minas_key_hash(const char *key) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *key; key++)
    hash = (hash ^ (unsigned char)*key) * UINT64_C(0x100000001b3);
  return hash;
}

void minas_key_add_order(unsigned order, char *key, size_t size) {
  char digits[12] = "";
  char *at = digits + sizeof digits - 1;
  if (order == 1)
    return;
  do
    *--at = (char)('0' + order % 10);
  while (order /= 10);
  *--at = '#';
  add(key, size, at);
}

/*===-- Functions ----------------------------------------------------------===*/

/* Of a function that calls itself, or has been divided by the compiler, there is one. */
static bool is_last(const char *key, size_t last, const char *name) {
  return strcmp(key + last, name) == 0;
}

/* Where nobody but libraries has asked, what these have in line of the program: a thread begins in
   a template.  Without any the place of the call stands for a function. */
static void add_substitute(const struct minas_callers *callers, char *key, size_t size) {
  struct minas_function function = {.name = ""};
  for (unsigned i = 0; i < callers->count && !*function.name; i++)
    minas_function_at(callers->code[i], &function);
  if (!*function.name)
    minas_function_place(callers->code[0], function.name, sizeof function.name);
  add(key, size, function.name);
}

void minas_key_make(const struct minas_callers *callers, char *key, size_t size) {
  struct minas_function function = {.kind = MINAS_FUNCTION_OWN};
  unsigned functions = 0;
  size_t last = 0;
  *key = '\0';
  for (unsigned i = 0; i < callers->count && functions < MINAS_KEY_FUNCTIONS &&
                       function.kind != MINAS_FUNCTION_FIRST;
       i++) {
    minas_function_at(callers->code[i], &function);
    if (function.kind == MINAS_FUNCTION_PASSES || (functions && is_last(key, last, function.name)))
      continue;
    add(key, size, functions++ ? "<" : "");
    last = strlen(key);
    add(key, size, function.name);
  }
  if (!functions)
    add_substitute(callers, key, size);
}
