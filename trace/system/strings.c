/*===-- strings.c - functions of memory for the library itself ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program may define functions of these names, which then stand in front of the C library's for
 * all libraries in the process, and count calls or rely on what main() has set up.  Those here are
 * seen by this library alone: it calls them, as do the calls that the compiler makes of it.
 */
#include <stddef.h>
#include <string.h>

#ifndef __clang__ /* which heeds -ffreestanding */
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
#ifdef __x86_64__
  void *end = to;
  __asm__ volatile("rep movsb" : "+D"(end), "+S"(from), "+c"(count)::"memory");
#else
  for (size_t i = 0; i < count; i++)
    ((char *)to)[i] = ((const char *)from)[i];
#endif
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  if ((size_t)((char *)to - (const char *)from) >= count)
    return memcpy(to, from, count);
  for (size_t i = count; i > 0; i--)
    ((char *)to)[i - 1] = ((const char *)from)[i - 1];
  return to;
}

void *memset(void *to, int byte, size_t count) {
#ifdef __x86_64__
  void *end = to;
  __asm__ volatile("rep stosb" : "+D"(end), "+c"(count) : "a"(byte) : "memory");
#else
  for (size_t i = 0; i < count; i++)
    ((char *)to)[i] = (char)byte;
#endif
  return to;
}

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left;
  const unsigned char *b = right;
  for (size_t i = 0; i < count; i++)
    if (a[i] != b[i])
      return a[i] - b[i];
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length])
    length++;
  return length;
}

int strcmp(const char *left, const char *right) {
  while (*left && *left == *right) {
    left++;
    right++;
  }
  return (unsigned char)*left - (unsigned char)*right;
}

int strncmp(const char *left, const char *right, size_t count) {
  for (; count && *left && *left == *right; count--) {
    left++;
    right++;
  }
  return count ? (unsigned char)*left - (unsigned char)*right : 0;
}

char *strchr(const char *text, int byte) {
  while (*text && *text != (char)byte)
    text++;
  return *text == (char)byte ? (char *)(size_t)text : NULL;
}

char *strrchr(const char *text, int byte) {
  const char *found = NULL;
  do
    if (*text == (char)byte)
      found = text;
  while (*text++);
  return (char *)(size_t)found;
}
