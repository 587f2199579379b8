/*===-- callers_test.c - names of functions and keys of sites ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callers/callers.h"
#include "callers/function_name.h"
#include "callers/functions.h"
#include "callers/key.h"

static int wrong;

static void expect_text(const char *what, const char *found, const char *expected) {
  if (strcmp(found, expected) == 0)
    return;
  printf("%s: '%s', expected '%s'\n", what, found, expected);
  wrong++;
}

/*===-- Names --------------------------------------------------------------===*/

static const struct row {
  const char *symbol;
  const char *name;
  bool outlined;
} rows[] = {
    {"main", "main", false},
    {"_ZN4Grid8allocateEm", "Grid::allocate", false},
    {"_ZN4GridC2Em", "Grid::Grid", false},
    {"_ZN4GridD1Ev", "Grid::~Grid", false},
    {"_ZNSt6vectorIdSaIdEE17_M_default_appendEm", "std::vector::_M_default_append", false},
    {"_ZN5SolveILi3EdE3runERKSt6vectorIT0_SaIS2_EE", "Solve::run", false},
    {"_ZNK1aixEi.isra.0", "a::operator[]", false},
    {"_Znwm", "operator new", false},
    {"_ZN12_GLOBAL__N_14fillEPd", "(anonymous)::fill", false},
    {"_ZL4makem", "make", false},
    {"_ZZN4Grid5buildEvENKUlvE_clEv", "Grid::build::{lambda}::operator()", false},
    {"_ZN4Grid5buildEv._omp_fn.0", "Grid::build", true},
    {"main.omp_outlined", "main", true},
    {"solve.constprop.0.part.1", "solve", false},
    {"_GLOBAL__sub_I_history", "{static}", false},
    {"_Z41__static_initialization_and_destruction_0ii", "{static}", false},
    {"__cxx_global_var_init.3", "{static}", false},
    {"MAIN__", "main", false},
    {"__mesh_MOD_allocate_fields", "mesh::allocate_fields", false},
    {"__mesh_MOD_sweep._omp_fn.2", "mesh::sweep", true},
    {"_QMmeshPsweep", "mesh::sweep", false},
    {"fields_", "fields", false},
    {"_ZN4Gri", "_ZN4Gri", false}, /* what cannot be read is its own name */
    {"_ZN9999999999999999E", "_ZN9999999999999999E", false},
    {"", "", false},
};

static void check_names(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char name[64];
    bool outlined = minas_function_name(rows[i].symbol, name, sizeof name);
    expect_text(rows[i].symbol, name, rows[i].name);
    if (outlined != rows[i].outlined)
      wrong++, printf("%s: outlined or not\n", rows[i].symbol);
  }
  char few[8];
  minas_function_name("_ZN4Grid8allocateEm", few, sizeof few);
  expect_text("cut off", few, "Grid::a");
}

static void check_in_line(void) {
  static const char *const names[][2] = {
      {"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJZ4mainEUliE_iEEEEE6_M_runEv",
       "main::{lambda}::operator()"},
      {"_ZSt8for_eachIPdZN4Grid4stepEvE3$_0ET0_T_S4_S3_", "Grid::step::$_0::operator()"},
      {"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJPFvvEEEEEE6_M_runEv", ""},
      {"_ZNSt6vectorIdSaIdEE17_M_default_appendEm", ""},
      {"_ZSt8for_eachIPdZN4Gri", ""},
      {"malloc", ""},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char name[64];
    bool has_any = minas_function_in_line(names[i][0], name, sizeof name);
    expect_text(names[i][0], has_any ? name : "", names[i][1]);
  }
}

static void check_variables(void) {
  static const char *const names[][2] = {{"u", "u"},
                                         {"kept.0", "kept.0"},
                                         {"_ZN2ns5tableE", "ns::table"},
                                         {"_ZL5table", "table"},
                                         {"_ZZN4Grid4stepEvE4kept", "Grid::step::kept"},
                                         {"_ZN4Grid6sharedIdEE", "Grid::shared"},
                                         {"__mesh_MOD_rho", "mesh%rho"},
                                         {"_QMmeshErho", "mesh%rho"},
                                         {"blk_", "/blk/"},
                                         {"__BLNK__", "//"}};
  char name[64];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    minas_variable_name(names[i][0], true, name, sizeof name);
    expect_text(names[i][0], name, names[i][1]);
  }
  minas_variable_name("blk_", false, name, sizeof name);
  expect_text("no Fortran", name, "blk_");
  char few[8];
  minas_variable_name("__mesh_MOD_rho", true, few, sizeof few);
  expect_text("cut off", few, "mesh%rh");
}

/*===-- Keys ---------------------------------------------------------------===*/

static struct minas_callers callers;
static bool are_same; /* the calls are those of before, as seen without following them */

__attribute__((noinline)) static void ask(void) {
  const void *caller = __builtin_extract_return_addr(__builtin_return_address(0));
  are_same = callers.count && minas_callers_are(&callers, caller, (uintptr_t)__builtin_dwarf_cfa());
  minas_callers_find(caller, &callers);
}

/* The addition keeps the call from being the last thing that the function does. */
__attribute__((noinline)) static int inner(int depth) {
  if (depth)
    return inner(depth - 1) + 1;
  ask();
  return 1;
}

__attribute__((noinline)) static int my_alloc(void) { return inner(3) + 1; }
__attribute__((noinline)) static int outer(void) { return my_alloc() + 1; }

static bool is_wrapper(const char *name) { return strcmp(name, "my_alloc") == 0; }

static void check_keys(void) {
  char key[MINAS_KEY_BYTES];
  outer();
  uint64_t hash = minas_callers_hash(&callers);
  minas_key_make(&callers, key, sizeof key);
  expect_text("key", key, "inner<my_alloc<outer<check_keys<main");
  minas_functions_pass(is_wrapper);
  minas_key_make(&callers, key, sizeof key);
  expect_text("key without a wrapper", key, "inner<outer<check_keys<main");
  outer();
  if (minas_callers_hash(&callers) == hash)
    wrong++, puts("another call has the same hash");
  minas_key_add_order(1, key, sizeof key);
  expect_text("the first", key, "inner<outer<check_keys<main");
  minas_key_add_order(20, key, sizeof key);
  expect_text("the 20th", key, "inner<outer<check_keys<main#20");
}

/* The array's size moves what lies behind it on the stack. */
__attribute__((noinline)) static int with_array(size_t bytes) {
  volatile char array[bytes];
  array[0] = 1;
  return inner(0) + array[0];
}

/* Not seen to be the same is allowed everywhere; on this processor it would be slow. */
static void check_same(void) {
#ifdef __x86_64__
  static const size_t bytes[] = {1 << 16, 1 << 16, 64, 64, 1 << 17};
  static const bool expected[] = {false, true, false, true, false};
#else
  static const size_t bytes[] = {64};
  static const bool expected[] = {false};
#endif
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
    with_array(bytes[i]);
    if (are_same != expected[i])
      wrong++, printf("call %zu: the same or not\n", i);
  }
}

static void check_part(unsigned functions, size_t expected) {
  size_t length = minas_key_part("one<two#2", functions);
  if (length != expected)
    wrong++, printf("%u functions: %zu characters\n", functions, length);
}

int main(void) {
  check_names();
  check_in_line();
  check_variables();
  check_keys();
  check_same();
  check_part(1, 3);
  check_part(2, 7);
  check_part(3, 7);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
