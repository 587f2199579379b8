/*===-- commands.c - what can stand behind minas ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "commands.h"

#include <string.h>

#include "trials/advise.h"
#include "doctor/doctor.h"

/* In the order in which somebody comes to need them. */
const struct command commands[] = {
    {"doctor", NULL, doctor_main, "what this machine is, and what stands in the way"},
    {"advise", NULL, advise_main,
     "run a program, see where its memory is, try cures, tell the best"},
    {"machine", "numarch", NULL, "nodes, CPUs, caches, distances; measures latency and bandwidth"},
    {"run", "mai-run", NULL, "run an unmodified program, pinned and placed; see where it is"},
    {"cc", "maicc", NULL, "compile with arrays placed, or (--trace) with accesses counted"},
    {"trace", "mai-trace", NULL, "count a program's accesses, report what cures would save"},
    {"map", "mai-map", NULL, "compute which CPU each thread is to run on"},
    {"rewrite", "mapp-rewrite", NULL, "rewrite sources so that MAi places their arrays"},
    {"names", "mai-names", NULL, "show by which variables blocks of a program are named"},
    {"picture", "mai-picture", NULL, "draw on which nodes the pages of arrays were"},
    {"help", NULL, NULL, "this list, or the options of a command"},
};
const size_t command_count = sizeof commands / sizeof *commands;
_Static_assert(sizeof commands / sizeof *commands <= MOST_COMMANDS, "");

const struct command *command_named(const char *name) {
  for (size_t i = 0; i < command_count; i++)
    if (strcmp(name, commands[i].name) == 0 ||
        (commands[i].program && strcmp(name, commands[i].program) == 0))
      return &commands[i];
  return NULL;
}
