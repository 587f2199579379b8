/*===-- omp_settings.c - what the environment tells run-times ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "omp_settings.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct binding {
  char text[256]; /* empty: none */
};

/* When the process began. */
static struct {
  struct binding binding[2]; /* without LLVM's own settings, and with them */
  unsigned threads;          /* 0: not set */
  unsigned most_threads;
} first;

static const char *find(char *const *environment, const char *name) {
  size_t length = strlen(name);
  for (; environment && *environment; environment++)
    if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
      return *environment + length + 1;
  return NULL;
}

static bool contains(const char *value, const char *word) {
  return word && strcasestr(value, word);
}

/* The first that is set decides. */
static void read_binding(char *const *environment, bool llvm, struct binding *binding) {
  static const struct {
    const char *name;
    const char *off[2]; /* values with these words bind nothing */
    bool llvm_only;
  } variables[] = {{"OMP_PROC_BIND", {"false"}, false},
                   {"OMP_PLACES", {0}, false},
                   {"GOMP_CPU_AFFINITY", {0}, false},
                   {"KMP_AFFINITY", {"none", "disabled"}, true}};
  binding->text[0] = '\0';
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = find(environment, variables[i].name);
    if (!value || !*value || (variables[i].llvm_only && !llvm))
      continue;
    bool off = contains(value, variables[i].off[0]) || contains(value, variables[i].off[1]);
    if (!off)
      snprintf(binding->text, sizeof binding->text, "%s=%s", variables[i].name, value);
    return;
  }
}

/* The number with which a variable begins; 0 when it begins with none. */
static unsigned read_number(char *const *environment, const char *name) {
  const char *value = find(environment, name);
  long number = value ? strtol(value, NULL, 10) : 0;
  return number > 0 && number < INT_MAX ? (unsigned)number : 0;
}

/* The C library has not begun: its own list of variables is not there yet. */
__attribute__((constructor)) static void read_environment(int count, char **arguments,
                                                          char **environment) {
  (void)count;
  (void)arguments;
  read_binding(environment, false, &first.binding[false]);
  read_binding(environment, true, &first.binding[true]);
  first.threads = read_number(environment, "OMP_NUM_THREADS");
  first.most_threads = read_number(environment, "OMP_THREAD_LIMIT");
}

const char *mai_omp_binding(bool llvm) {
  const char *text = first.binding[llvm].text;
  return *text ? text : NULL;
}

bool mai_omp_binds_now(void) {
  struct binding now;
  read_binding(environ, true, &now);
  return now.text[0];
}

unsigned mai_omp_team_size(unsigned cpus) {
  unsigned threads = first.threads ? first.threads : cpus;
  return first.most_threads && first.most_threads < threads ? first.most_threads : threads;
}
