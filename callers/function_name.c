/*===-- function_name.c - how functions and variables are called in text *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The names of C++ are those of the Itanium C++ ABI, section 5.1.  libstdc++'s own reader is not in
 * programs of C, and takes memory from the program's allocator.  Of types and arguments only the
 * ends are found.
 */
#include "function_name.h"

#include <string.h>

/* Enough for any name that a person has written. */
enum { MOST_DEPTH = 64 };

/* A mangled name that is being read, and what has been written of it. */
struct reader {
  const char *at;
  char *name;
  size_t size, length;
  size_t last, last_length; /* where the innermost class's or function's name is */
  unsigned quiet;           /* nothing is written */
  const char *local;        /* the first argument of a template that stands in a function */
  unsigned depth;
  bool wrong;
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/* NOLINTBEGIN(misc-no-recursion): names nest, no deeper than MOST_DEPTH */

/*===-- Writing ------------------------------------------------------------===*/

static void put(struct reader *reader, const char *text, size_t length) {
  size_t room = reader->size - 1 - reader->length;
  if (reader->quiet)
    return;
  length = length < room ? length : room;
  memmove(reader->name + reader->length, text, length);
  reader->length += length;
  reader->name[reader->length] = '\0';
}

static void put_part(struct reader *reader, const char *text, size_t length) {
  if (reader->quiet)
    return;
  if (reader->length)
    put(reader, "::", 2);
  reader->last = reader->length;
  put(reader, text, length);
  reader->last_length = reader->length - reader->last;
}

static void put_text(struct reader *reader, const char *text) {
  put_part(reader, text, strlen(text));
}

/* A constructor is called as its class, a destructor with a tilde. */
static void put_last_again(struct reader *reader, bool destructor) {
  size_t last = reader->last, length = reader->last_length;
  put(reader, destructor ? "::~" : "::", destructor ? 3 : 2);
  put(reader, reader->name + last, length);
}

/*===-- Reading ------------------------------------------------------------===*/

static void read_type(struct reader *reader);
static void read_name(struct reader *reader);
static void read_expression(struct reader *reader);

static bool accept(struct reader *reader, char c) {
  if (*reader->at != c)
    return false;
  reader->at++;
  return true;
}

static void expect(struct reader *reader, char c) {
  if (!accept(reader, c))
    reader->wrong = true;
}

static bool enter(struct reader *reader) {
  if (++reader->depth > MOST_DEPTH)
    reader->wrong = true;
  return !reader->wrong;
}

static void leave(struct reader *reader) { reader->depth--; }

static size_t read_number(struct reader *reader) {
  size_t number = 0;
  for (; is_digit(*reader->at) && number < 1U << 20; reader->at++)
    number = number * 10 + (size_t)(*reader->at - '0');
  return number;
}

/* Types or arguments up to the E that ends them. */
static void read_list(struct reader *reader, void (*read)(struct reader *)) {
  reader->quiet++;
  while (!reader->wrong && !accept(reader, 'E'))
    read(reader);
  reader->quiet--;
}

static void read_source_name(struct reader *reader) {
  static const char anonymous[] = "_GLOBAL__N_";
  size_t length = read_number(reader);
  if (length == 0 || strnlen(reader->at, length) < length) {
    reader->wrong = true;
    return;
  }
  if (length >= sizeof anonymous - 1 && memcmp(reader->at, anonymous, sizeof anonymous - 1) == 0)
    put_text(reader, "(anonymous)");
  else
    put_part(reader, reader->at, length);
  reader->at += length;
}

/* What stands between S or T and an underscore. */
static void read_sequence(struct reader *reader) {
  while (is_digit(*reader->at) || (*reader->at >= 'A' && *reader->at <= 'Z'))
    reader->at++;
  expect(reader, '_');
}

/* Std, an abbreviation of something in it, or something that has stood before: that cannot be
   written, as what has stood before is not kept. */
static void read_substitution(struct reader *reader) {
  static const struct {
    char letter;
    const char *name;
  } known[] = {{'t', "std"},          {'a', "std::allocator"}, {'b', "std::basic_string"},
               {'s', "std::string"},  {'i', "std::istream"},   {'o', "std::ostream"},
               {'d', "std::iostream"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (accept(reader, known[i].letter)) {
      put_text(reader, known[i].name);
      return;
    }
  reader->wrong = reader->wrong || reader->quiet == 0;
  read_sequence(reader);
}

static void read_template_parameter(struct reader *reader) {
  if (accept(reader, 'L'))
    read_sequence(reader);
  read_sequence(reader);
}

/* A number of values or what else stands for one. */
static void read_literal(struct reader *reader) {
  if (accept(reader, '_')) {
    expect(reader, 'Z');
    read_name(reader);
    read_list(reader, read_type);
    return;
  }
  read_type(reader);
  while (*reader->at && *reader->at != 'E')
    reader->at++;
  expect(reader, 'E');
}

static void read_argument(struct reader *reader) {
  if (!enter(reader))
    return;
  if (accept(reader, 'L'))
    read_literal(reader);
  else if (accept(reader, 'X'))
    read_list(reader, read_expression);
  else if (accept(reader, 'J'))
    read_list(reader, read_argument);
  else
    read_type(reader);
  leave(reader);
}

/* Operators whose list of operands has an end. */
static bool has_list(const char *operator_name) {
  static const char lists[] = "cl cp il tl nw na ";
  for (const char *at = lists; *at; at += 3)
    if (memcmp(at, operator_name, 2) == 0)
      return true;
  return false;
}

/* Operators and what they work on, one after another. */
static void read_expression(struct reader *reader) {
  if (!enter(reader))
    return;
  const char *at = reader->at;
  if (accept(reader, 'L'))
    read_literal(reader);
  else if (accept(reader, 'X') || accept(reader, 'I') || accept(reader, 'J'))
    read_list(reader, read_expression);
  else if (at[0] == 'f' && (at[1] == 'p' || at[1] == 'L'))
    reader->at += 2, read_sequence(reader);
  else if (is_digit(*at))
    read_source_name(reader);
  else if (is_lower(at[0]) && at[1]) {
    reader->at += 2;
    if (has_list(at))
      read_list(reader, read_expression);
  } else if (*at == '_')
    reader->at++;
  else
    read_type(reader);
  leave(reader);
}

/* Lambda expressions and types without names. */
static void read_unnamed(struct reader *reader) {
  bool lambda = *reader->at == 'l';
  if (!lambda && *reader->at != 't')
    reader->wrong = true;
  reader->at += !reader->wrong;
  if (lambda)
    read_list(reader, read_type);
  const char *number = reader->at;
  read_sequence(reader);
  put_text(reader, lambda ? "{lambda" : "{unnamed");
  put(reader, number, (size_t)(reader->at - 1 - number));
  put(reader, "}", 1);
}

static void read_operator(struct reader *reader) {
  static const char *const symbols[] = {
      "nw new", "na new[]", "dl delete", "da delete[]", "cl()", "ix[]", "aS=",  "pL+=",
      "mI-=",   "pl+",      "mi-",       "ml*",         "dv/",  "eq==", "ne!=", NULL};
  const char *at = reader->at;
  bool converts = at[0] == 'c' && at[1] == 'v';
  if (!is_lower(at[0]) || !at[1]) {
    reader->wrong = true;
    return;
  }
  reader->at += 2;
  put_text(reader, "operator");
  for (size_t i = 0; symbols[i]; i++)
    if (memcmp(symbols[i], at, 2) == 0)
      put(reader, symbols[i] + 2, strlen(symbols[i] + 2));
  reader->quiet++;
  if (converts)
    read_type(reader);
  else if (is_digit(*reader->at))
    read_source_name(reader);
  reader->quiet--;
}

/* A constructor, destructor, or the type that an expression has. */
static void read_special(struct reader *reader) {
  bool destructor = *reader->at++ == 'D';
  if (destructor && (*reader->at == 't' || *reader->at == 'T')) {
    reader->at++;
    read_list(reader, read_expression);
    return;
  }
  bool inherits = accept(reader, 'I');
  if (!is_digit(*reader->at))
    reader->wrong = true;
  reader->at += !reader->wrong;
  put_last_again(reader, destructor);
  reader->quiet++;
  if (inherits)
    read_type(reader);
  reader->quiet--;
}

/* One of the names that a nested name consists of, or its arguments. */
static void read_part(struct reader *reader) {
  char c = *reader->at;
  if (is_digit(c))
    read_source_name(reader);
  else if (accept(reader, 'I'))
    read_list(reader, read_argument);
  else if (accept(reader, 'S'))
    read_substitution(reader);
  else if (accept(reader, 'T'))
    read_template_parameter(reader);
  else if (c == 'C' || c == 'D')
    read_special(reader);
  else if (accept(reader, 'U'))
    read_unnamed(reader);
  else if (accept(reader, 'B')) {
    reader->quiet++;
    read_source_name(reader);
    reader->quiet--;
  } else if (!accept(reader, 'L') && !accept(reader, 'M'))
    read_operator(reader);
}

static void read_nested(struct reader *reader) {
  reader->at += strspn(reader->at, "rVKRO");
  while (!reader->wrong && !accept(reader, 'E'))
    read_part(reader);
}

/* Something that is declared in a function. */
static void read_local(struct reader *reader) {
  read_name(reader);
  read_list(reader, read_type);
  if (accept(reader, 's'))
    return;
  if (accept(reader, 'd'))
    read_sequence(reader);
  read_name(reader);
  if (accept(reader, '_')) {
    accept(reader, '_');
    read_number(reader);
  }
}

static void read_name(struct reader *reader) {
  if (!enter(reader))
    return;
  bool std = reader->at[0] == 'S' && reader->at[1] == 't';
  if (accept(reader, 'N'))
    read_nested(reader);
  else if (accept(reader, 'Z')) {
    if (reader->quiet && !reader->local)
      reader->local = reader->at;
    read_local(reader);
  } else {
    accept(reader, 'L');
    read_part(reader);
    if (std)
      read_part(reader);
    while (!reader->wrong && *reader->at == 'B')
      read_part(reader);
    if (accept(reader, 'I'))
      read_list(reader, read_argument);
  }
  leave(reader);
}

/* Types whose letter is D. */
static void read_long_type(struct reader *reader) {
  char kind = *reader->at;
  reader->at += kind != '\0';
  if (kind == 't' || kind == 'T' || kind == 'O')
    read_list(reader, read_expression);
  else if (kind == 'p' || kind == 'o')
    read_type(reader);
  else if (kind == 'F' || kind == 'v') {
    read_number(reader);
    if (!accept(reader, '_'))
      reader->at += *reader->at != '\0';
    if (kind == 'v')
      read_type(reader);
  }
}

static void read_array(struct reader *reader) {
  while (!reader->wrong && *reader->at && !accept(reader, '_'))
    is_digit(*reader->at) ? (void)read_number(reader) : read_expression(reader);
  read_type(reader);
}

static void read_function_type(struct reader *reader) {
  accept(reader, 'Y');
  while (!reader->wrong && !accept(reader, 'E')) {
    if (reader->at[1] == 'E' && strchr("RO", *reader->at))
      reader->at++;
    else
      read_type(reader);
  }
}

static void read_type_unguarded(struct reader *reader) {
  char c = *reader->at;
  if (c && strchr("rVKPROCG", c)) {
    reader->at++;
    read_type(reader);
  } else if (accept(reader, 'F'))
    read_function_type(reader);
  else if (accept(reader, 'A'))
    read_array(reader);
  else if (accept(reader, 'D'))
    read_long_type(reader);
  else if (accept(reader, 'M')) {
    read_type(reader);
    read_type(reader);
  } else if (accept(reader, 'u'))
    read_source_name(reader);
  else if (is_lower(c))
    reader->at++;
  else
    read_name(reader);
}

static void read_type(struct reader *reader) {
  if (enter(reader))
    read_type_unguarded(reader);
  if (!reader->wrong && accept(reader, 'I'))
    read_list(reader, read_argument);
  leave(reader);
}

/* NOLINTEND(misc-no-recursion) */

static bool read_cxx(const char *symbol, char *name, size_t size) {
  struct reader reader = {.at = symbol, .name = name, .size = size};
  read_name(&reader);
  return !reader.wrong && reader.length;
}

bool minas_function_in_line(const char *symbol, char *name, size_t size) {
  char ignored[1];
  *name = '\0';
  if (strncmp(symbol, "_Z", 2) != 0)
    return false;
  struct reader whole = {.at = symbol + 2, .name = ignored, .size = sizeof ignored};
  read_name(&whole);
  if (whole.wrong || !whole.local)
    return false;
  struct reader reader = {.at = whole.local, .name = name, .size = size};
  read_local(&reader);
  put_text(&reader, "operator()");
  return !reader.wrong;
}

/*===-- Other languages ----------------------------------------------------===*/

static void copy(char *name, size_t size, const char *text, size_t length) {
  length = length < size - 1 ? length : size - 1;
  memcpy(name, text, length);
  name[length] = '\0';
}

/* Appends to what is not longer than size - 1. */
static void append(char *name, size_t size, const char *text, size_t length) {
  size_t used = strlen(name);
  copy(name + used, size - used, text, length);
}

/* What is between a module's name and that of something in it: in symbols, and in names. */
struct in_module {
  const char *symbol, *name;
};

static bool read_module(const char *text, size_t length, struct in_module between, char *name,
                        size_t size) {
  const char *found = strstr(text, between.symbol);
  if (!found || found >= text + length)
    return false;
  const char *member = found + strlen(between.symbol);
  copy(name, size, text, (size_t)(found - text));
  append(name, size, between.name, strlen(between.name));
  append(name, size, member, (size_t)(text + length - member));
  return true;
}

/* A name that is all in small letters with an underscore behind it is one of Fortran. */
static bool is_fortran(const char *symbol, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!is_lower(symbol[i]) && !is_digit(symbol[i]) && symbol[i] != '_')
      return false;
  return length > 1 && symbol[length - 1] == '_' && symbol[0] != '_';
}

static bool is_word(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* By gfortran and flang, which has a letter for what something is. */
static bool read_fortran_module(const char *symbol, size_t length, const char *flang_kind,
                                const char *separator, char *name, size_t size) {
  struct in_module by_gfortran = {"_MOD_", separator};
  struct in_module by_flang = {flang_kind, separator};
  if (strncmp(symbol, "__", 2) == 0)
    return read_module(symbol + 2, length - 2, by_gfortran, name, size);
  return strncmp(symbol, "_QM", 3) == 0 &&
         read_module(symbol + 3, length - 3, by_flang, name, size);
}

static void read_c_or_fortran(const char *symbol, size_t length, char *name, size_t size) {
  if (is_word(symbol, length, "MAIN__") || is_word(symbol, length, "_QQmain"))
    copy(name, size, "main", 4);
  else if (!read_fortran_module(symbol, length, "P", "::", name, size))
    copy(name, size, symbol, length - is_fortran(symbol, length));
}

/* How many characters of a symbol are its function's own: what follows names parts and copies of
   it, such as .constprop.0 */
static size_t own_length(const char *symbol) {
  size_t length = strcspn(symbol, ".");
  return length ? length : strlen(symbol);
}

/* What compilers make of the constructors of static variables; clang has some for each. */
static bool is_static_constructor(const char *name) {
  static const char *const list[] = {"_GLOBAL__sub_I_", "__static_initialization_and_destruction_",
                                     "__cxx_global_var_init", NULL};
  for (size_t i = 0; list[i]; i++)
    if (strncmp(name, list[i], strlen(list[i])) == 0)
      return true;
  return false;
}

bool minas_function_name(const char *symbol, char *name, size_t size) {
  size_t length = own_length(symbol);
  *name = '\0';
  if (strncmp(symbol, "_Z", 2) != 0 || !read_cxx(symbol + 2, name, size))
    read_c_or_fortran(symbol, length, name, size);
  if (is_static_constructor(name))
    copy(name, size, MINAS_STATIC_CONSTRUCTOR, strlen(MINAS_STATIC_CONSTRUCTOR));
  return strstr(symbol + length, "omp_fn") || strstr(symbol + length, "omp_outlined") ||
         strstr(symbol, ".omp_outlined") || strstr(symbol, ".omp_task_entry");
}

/*===-- Variables ----------------------------------------------------------===*/

static void read_common_block(const char *symbol, char *name, size_t size) {
  size_t length = strlen(symbol);
  bool is_blank = strcmp(symbol, "__BLNK__") == 0;
  copy(name, size, "/", 1);
  append(name, size, symbol, is_blank ? 0 : length - 1);
  append(name, size, "/", 1);
}

void minas_variable_name(const char *symbol, bool fortran, char *name, size_t size) {
  size_t length = strlen(symbol);
  *name = '\0';
  if ((strncmp(symbol, "_Z", 2) == 0 && read_cxx(symbol + 2, name, size)) ||
      read_fortran_module(symbol, length, "E", "%", name, size))
    return;
  if (fortran && (is_fortran(symbol, length) || strcmp(symbol, "__BLNK__") == 0))
    read_common_block(symbol, name, size);
  else
    copy(name, size, symbol, length);
}
