/*===-- text.c - text of the library -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "text.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "kernel.h"

enum { DIGITS_MAX = 24 };

/*===-- Writing -------------------------------------------------------------===*/

struct line {
  char *text;
  size_t size, used;
};

static void put(struct line *line, const char *bytes, size_t count) {
  size_t room = line->size - 1 - line->used;
  size_t some = count < room ? count : room;
  memcpy(line->text + line->used, bytes, some);
  line->used += some;
}

static void put_number(struct line *line, unsigned long number, bool is_negative) {
  char digits[DIGITS_MAX];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  if (is_negative)
    digits[--at] = '-';
  put(line, digits + at, sizeof digits - at);
}

static void put_signed(struct line *line, long number) {
  put_number(line, number < 0 ? 0UL - (unsigned long)number : (unsigned long)number, number < 0);
}

/* At most `count` bytes of a text. */
static void put_text(struct line *line, const char *text, size_t count) {
  size_t length = 0;
  while (length < count && text[length])
    length++;
  put(line, text, length);
}

/* What stands behind a %. @return what follows in the format */
static const char *put_value(struct line *line, const char *format, va_list *list) {
  bool is_long = *format == 'l' || *format == 'z';
  format += is_long;
  switch (*format) {
  case 's':
    put_text(line, va_arg(*list, const char *), SIZE_MAX);
    break;
  case '.': { /* .*s */
    size_t count = (size_t)va_arg(*list, int);
    put_text(line, va_arg(*list, const char *), count);
    format += 2;
    break;
  }
  case 'd':
    put_signed(line, is_long ? va_arg(*list, long) : va_arg(*list, int));
    break;
  case 'u':
    put_number(line, is_long ? va_arg(*list, unsigned long) : va_arg(*list, unsigned), false);
    break;
  default:
    put(line, format, 1);
  }
  return format + 1;
}

__attribute__((format(printf, 3, 0))) static size_t format_list(char *text, size_t size,
                                                                const char *format, va_list list) {
  struct line line = {text, size, 0};
  va_list values;
  va_copy(values, list);
  while (*format) {
    const char *next = strchr(format, '%');
    size_t plain = next ? (size_t)(next - format) : strlen(format);
    put(&line, format, plain);
    format += plain;
    if (*format)
      format = put_value(&line, format + 1, &values);
  }
  va_end(values);
  text[line.used] = '\0';
  return line.used;
}

size_t trace_format(char *text, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  size_t used = format_list(text, size, format, list);
  va_end(list);
  return used;
}

const char *trace_error_text(int error) {
  const char *text = strerrordesc_np(error);
  return text ? text : "unknown error";
}

void trace_say(const char *format, ...) {
  char text[1024];
  size_t used = trace_format(text, sizeof text, "mai-trace: ");
  va_list list;
  va_start(list, format);
  used += format_list(text + used, sizeof text - used, format, list);
  va_end(list);
  text[used] = '\n';
  kernel_write(STDERR_FILENO, text, used + 1);
}

/*===-- Reading -------------------------------------------------------------===*/

/* The value of a digit; UINT_MAX where it is none. */
static unsigned value_of(char digit) {
  if (digit >= '0' && digit <= '9')
    return (unsigned)(digit - '0');
  if (digit >= 'a' && digit <= 'f')
    return (unsigned)(digit - 'a' + 10);
  return UINT_MAX;
}

bool trace_parse(const char **text, unsigned base, unsigned long *number) {
  const char *at = *text;
  unsigned long value = 0;
  bool fits = value_of(*at) < base;
  for (; value_of(*at) < base; at++)
    fits = fits && !__builtin_mul_overflow(value, base, &value) &&
           !__builtin_add_overflow(value, value_of(*at), &value);
  *text = at;
  *number = value;
  return fits;
}
