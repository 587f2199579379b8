/*===-- advise.c - minas advise -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "advise.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commandline/exit_status.h"
#include "commandline/misspelt_option.h"
#include "trial.h"

enum { OPTION_RUNS = 256, OPTION_VERSION };
enum { MOST_WORDS = 256, MOST_RUNS = 100, MOST_SETTING = 4 };

static const char help[] = "usage: minas advise [--runs N] [--] program [argument...]\n"
                           "Runs an unmodified program as it is, sees on which nodes its memory "
                           "and its threads are, runs it\n"
                           "with a few settings of mai-run, and tells which took least time. The "
                           "program reads nothing, and\n"
                           "what it prints is not shown; choose an input that takes seconds.\n"
                           "\n"
                           "      --runs N   run each N times, the fastest counts (default 2)\n"
                           "  -h, --help     print this and exit\n"
                           "      --version  print the version and exit\n"
                           "\n"
                           "Examples:\n"
                           "  minas advise ./solver input\n"
                           "  minas advise --runs 5 -- ./solver --small\n"
                           "\n"
                           "Exit status: 0 nothing better was found, 1 something was, 2 wrong "
                           "usage, 3 the program fails,\n"
                           "4 the machine cannot be read. See also minas(1).\n";

/* What is tried: the program as it is, or behind "mai-run -q" and some words. */
static const struct setting {
  bool runs;   /* mai-run */
  bool places; /* memory, which matters where there are several nodes */
  const char *words[MOST_SETTING];
} settings[] = {
    {false, false, {NULL}},
    {true, false, {NULL}},
    {true, false, {"-m", "scatter", NULL}},
    {true, true, {"-p", "*:block", NULL}},
    {true, true, {"-p", "*:cyclic", NULL}},
};
enum { AS_IT_IS = 0, SETTINGS = sizeof settings / sizeof *settings };

struct advice {
  numarch_t *machine;
  char *const *program;
  struct look look;
  double seconds[SETTINGS]; /* of the fastest run; 0: there is none */
  bool fails[SETTINGS];
};

/*===-- What is seen -------------------------------------------------------===*/

static double percent(uint64_t part, uint64_t all) {
  return all ? 100 * (double)part / (double)all : 0;
}

static void print_nodes(const char *what, const uint64_t *parts, uint64_t all) {
  printf("%-8s", what);
  for (unsigned node = 0; node < LOOK_MOST_NODES; node++)
    if (percent(parts[node], all) >= 0.05)
      printf(" %5.1f%% on node %u", percent(parts[node], all), node);
  puts(all ? "" : " none was seen: the program is too short");
}

static void print_look(const struct advice *advice) {
  const struct look *look = &advice->look;
  printf("%s: %.2f s, %.1f MiB\n", *advice->program, advice->seconds[AS_IT_IS],
         (double)look->total / (1 << 20));
  print_nodes("memory", look->bytes, look->total);
  print_nodes("threads", look->threads, look->seen);
  if (numarch_node_count(advice->machine) == 1)
    puts("This machine has one node: no placement of memory matters here.");
  else if (look_is_crowded(look))
    printf(
        "Most of the memory is on node %u, and most threads are elsewhere: if they use it alike, "
        "%.0f%% of accesses leave their node.\n",
        look_fullest(look), 100 * look_remote(look));
  else
    puts("The memory is where threads are, as far as can be seen without counting accesses.");
}

/*===-- What is tried ------------------------------------------------------===*/

static void print_setting(const struct setting *setting) {
  fputs(setting->runs ? "mai-run" : "as it is", stdout);
  for (const char *const *word = setting->words; *word; word++)
    printf(strchr(*word, '*') ? " '%s'" : " %s", *word);
}

/* Makes of a setting and the program a command. @return whether it has no more than MOST_WORDS */
static bool write_command(const struct setting *setting, char *const *program, char **command) {
  static char run[] = "mai-run", quiet[] = "-q", end[] = "--";
  size_t count = 0;
  if (setting->runs) {
    command[count++] = run;
    command[count++] = quiet;
    for (const char *const *word = setting->words; *word; word++)
      command[count++] = (char *)(uintptr_t)*word;
    command[count++] = end;
  }
  for (char *const *word = program; *word && count < MOST_WORDS; word++)
    command[count++] = *word;
  command[count < MOST_WORDS ? count : MOST_WORDS - 1] = NULL;
  return count < MOST_WORDS;
}

static void try_setting(struct advice *advice, size_t number) {
  char *command[MOST_WORDS];
  struct trial trial;
  struct look *look = number == AS_IT_IS ? &advice->look : NULL;
  if (!write_command(&settings[number], advice->program, command) ||
      trial_run(command, advice->machine, look, &trial) != 0 || trial.status != 0)
    advice->fails[number] = true;
  else if (advice->seconds[number] == 0 || trial.seconds < advice->seconds[number])
    advice->seconds[number] = trial.seconds;
}

static bool makes_sense(const struct advice *advice, size_t number) {
  return !advice->fails[number] &&
         (!settings[number].places || numarch_node_count(advice->machine) > 1);
}

/* All in turn, so that what else the machine does meets them alike. */
static void try_all(struct advice *advice, long runs) {
  for (long run = 0; run < runs; run++)
    for (size_t i = 0; i < SETTINGS && !advice->fails[AS_IT_IS]; i++)
      if (makes_sense(advice, i))
        try_setting(advice, i);
}

static void print_rows(const struct advice *advice) {
  for (size_t i = 0; i < SETTINGS; i++) {
    if (advice->fails[i])
      printf("%9s    ", "fails");
    else if (advice->seconds[i] > 0)
      printf("%9.2f s  ", advice->seconds[i]);
    else
      continue;
    print_setting(&settings[i]);
    puts("");
  }
}

static size_t fastest(const struct advice *advice) {
  size_t best = AS_IT_IS;
  for (size_t i = 0; i < SETTINGS; i++)
    if (!advice->fails[i] && advice->seconds[i] > 0 && advice->seconds[i] < advice->seconds[best])
      best = i;
  return best;
}

/* Less than a twentieth may be chance. @return the exit status */
static int print_advice(const struct advice *advice) {
  static const double least_gain = 1.05;
  const size_t best = fastest(advice);
  double gain = advice->seconds[AS_IT_IS] / advice->seconds[best];
  if (gain < least_gain) {
    puts("Nothing of this is faster. To see who uses what: maicc --trace, mai-trace report.");
    return EXIT_SUCCESS;
  }
  printf("From now on (%.2f times as fast): ", gain);
  print_setting(&settings[best]);
  for (char *const *word = advice->program; *word; word++)
    printf(" %s", *word);
  putchar('\n');
  return EXIT_FOUND;
}

static int advise(struct advice *advice, long runs) {
  try_all(advice, runs);
  if (advice->fails[AS_IT_IS]) {
    fprintf(stderr, "minas advise: %s: is not there, or fails\n", *advice->program);
    return EXIT_INPUT;
  }
  print_look(advice);
  print_rows(advice);
  return print_advice(advice);
}

/*===-- The command line ---------------------------------------------------===*/

static int misused(const char *what) {
  if (what)
    fprintf(stderr, "minas advise: %s\n", what);
  fputs("Try 'minas advise --help'.\n", stderr);
  return EXIT_USAGE;
}

static int close_output(int status) {
  bool failed = ferror(stdout);
  if (fclose(stdout) == 0 && !failed)
    return status;
  fputs("minas advise: cannot write to standard output\n", stderr);
  return EXIT_INPUT;
}

static int run(char *const *program, long runs) {
  struct advice advice = {.program = program};
  advice.machine = numarch_open(0);
  if (!advice.machine) {
    fprintf(stderr, "minas advise: the machine cannot be read: %s\n", strerror(errno));
    return EXIT_MACHINE;
  }
  int status = advise(&advice, runs);
  numarch_close(advice.machine);
  return close_output(status);
}

int advise_main(int count, char **arguments) {
  static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                          {"runs", required_argument, NULL, OPTION_RUNS},
                                          {"version", no_argument, NULL, OPTION_VERSION},
                                          {NULL, 0, NULL, 0}};
  long runs = 2;
  int option;
  while ((option = getopt_long(count, arguments, "+h", options, NULL)) != -1) {
    switch (option) {
    case 'h':
      fputs(help, stdout);
      return close_output(EXIT_SUCCESS);
    case OPTION_VERSION:
      puts("minas advise (Minas) " MINAS_VERSION);
      return close_output(EXIT_SUCCESS);
    case OPTION_RUNS:
      runs = strtol(optarg, NULL, 10);
      if (runs < 1 || runs > MOST_RUNS)
        return misused("--runs takes a number from 1 to 100");
      break;
    default:
      commandline_suggest("minas advise", options, arguments);
      return misused(NULL);
    }
  }
  return optind < count ? run(arguments + optind, runs) : misused("no program");
}
