/*===-- advise.c - minas advise -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "advise.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice.h"
#include "commandline/close_output.h"
#include "commandline/exit_status.h"
#include "commandline/options.h"
#include "trial.h"

enum { OPTION_JSON = OPTION_OWN, OPTION_RUNS, OPTION_SOURCES };
enum { MOST_RUNS = 100 };
enum { IMAGINED_NODES = 4 }; /* where there is but one */

static const char help[] =
    "usage: minas advise [--runs N] [--sources DIR] [--json] [-q | -v] [--] program "
    "[argument...]\n"
    "Runs an unmodified program as it is, sees on which nodes its memory "
    "and its threads are, takes\n"
    "samples of its accesses, runs it with a few settings of mai-run, and "
    "tells what is wrong and which\n"
    "setting took least time. The program reads nothing, and what it "
    "prints is not shown; choose an\n"
    "input that takes seconds. Writes the samples, and policies and a map "
    "that may help, into this\n"
    "directory.\n"
    "\n"
    "      --runs N   run each N times, the best one N + 1 times more (default 2; "
    "0: only look)\n"
    "      --sources DIR  the program's sources: tell what rewrites them, too\n"
    "      --json     print JSON\n"
    "  -q, --quiet    print only what is wrong, and the line to use\n"
    "  -v, --verbose  tell each run, not only on a terminal\n"
    "  -h, --help     print this and exit\n"
    "      --version  print the version and exit\n"
    "\n"
    "Examples:\n"
    "  minas advise ./solver input\n"
    "  minas advise --runs 5 --sources src -- ./solver --small\n"
    "\n"
    "Exit status: 0 nothing is wrong or better, 1 something is, 2 wrong "
    "usage, 3 the program fails,\n"
    "4 the machine cannot be read. See also minas(1).\n";

static const struct setting always[] = {
    {false, false, {NULL}},
    {true, false, {NULL}},
    {true, false, {"-m", "scatter", NULL}},
    {true, true, {"-p", "*:block", NULL}},
    {true, true, {"-p", "*:cyclic", NULL}},
    {true, true, {"--dynamic", NULL}},
};
enum { AS_IT_IS = 0, ALWAYS = sizeof always / sizeof *always, OF_EVIDENCE = 2 };
_Static_assert(ALWAYS + OF_EVIDENCE <= MOST_SETTINGS, "");

/* What is printed besides what is wrong. */
struct manner {
  long runs;
  const char *sources; /* a folder, or NULL */
  bool json, quiet, verbose;
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

static void print_setting(FILE *to, const struct setting *setting) {
  fputs(setting->runs ? "mai-run" : "as it is", to);
  for (const char *const *word = setting->words; *word; word++)
    fprintf(to, strchr(*word, '*') ? " '%s'" : " %s", *word);
}

/* A run takes long: who waits sees which one it is. */
static void announce(const struct manner *manner, const struct setting *setting, long run,
                     long runs) {
  if (!manner->verbose && (manner->quiet || manner->json || !isatty(STDERR_FILENO)))
    return;
  fprintf(stderr, "minas advise: run %ld of %ld: ", run + 1, runs);
  print_setting(stderr, setting);
  fputc('\n', stderr);
}

static void write_command(const struct setting *setting, char *const *program,
                          struct command *command) {
  if (setting->runs) {
    command_add(command, "mai-run");
    command_add(command, "-q");
    command_add_all(command, setting->words);
    command_add(command, "--");
  }
  command_add_all(command, (const char *const *)program);
}

static void add_setting(struct advice *advice, const char *option, const char *value) {
  struct setting *setting = &advice->settings[advice->count++];
  *setting = (struct setting){.runs = true, .places = true, .words = {option, value, NULL}};
}

/* What samples speak for. */
static void add_settings(struct advice *advice) {
  if (*advice->evidence.policies) {
    snprintf(advice->policies, sizeof advice->policies, "@%s", advice->evidence.policies);
    add_setting(advice, "-p", advice->policies);
  }
  if (*advice->evidence.map)
    add_setting(advice, "-m", advice->evidence.map);
}

/* Returns the seconds; 0 where it fails. */
static double try_setting(struct advice *advice, size_t number) {
  struct command command = {{NULL}, 0};
  struct trial trial;
  struct look *look = number == AS_IT_IS ? &advice->look : NULL;
  write_command(&advice->settings[number], advice->program, &command);
  if (trial_run(&command, advice->machine, look, &trial) != 0 || trial.status != 0) {
    advice->fails[number] = true;
    return 0;
  }
  if (advice->seconds[number] == 0 || trial.seconds < advice->seconds[number])
    advice->seconds[number] = trial.seconds;
  if (number == AS_IT_IS)
    advice->processor_seconds = trial.processor_seconds;
  return trial.seconds;
}

static bool makes_sense(const struct advice *advice, size_t number) {
  return !advice->fails[number] &&
         (!advice->settings[number].places || numarch_node_count(advice->machine) > 1);
}

/* All in turn, so that what else the machine does meets them alike. As it is, it has run once. */
static void try_all(struct advice *advice, const struct manner *manner) {
  for (long run = 0; run < manner->runs; run++)
    for (size_t i = 0; i < advice->count; i++)
      if (makes_sense(advice, i) && (run > 0 || i != AS_IT_IS)) {
        announce(manner, &advice->settings[i], run, manner->runs);
        try_setting(advice, i);
      }
}

static size_t fastest(const struct advice *advice) {
  size_t best = AS_IT_IS;
  for (size_t i = 0; i < advice->count; i++)
    if (!advice->fails[i] && advice->seconds[i] > 0 && advice->seconds[i] < advice->seconds[best])
      best = i;
  return best;
}

static double gain_of_pair(struct advice *advice, size_t number) {
  const double before = try_setting(advice, AS_IT_IS), after = try_setting(advice, number);
  return after > 0 ? before / after : 0;
}

static int by_size(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

/* One of many settings is always the fastest. It is better where it is so in each of some more
   runs, each beside one of the program as it is: the gain is that of the middle pair. */
static void confirm(struct advice *advice, const struct manner *manner) {
  static const double least = 1.05;
  double gains[MOST_RUNS + 1];
  const size_t best = fastest(advice);
  const long pairs = manner->runs + 1;
  if (manner->runs == 0 || advice->seconds[AS_IT_IS] < least * advice->seconds[best])
    return;
  for (long pair = 0; pair < pairs; pair++) {
    announce(manner, &advice->settings[best], pair, pairs);
    gains[pair] = gain_of_pair(advice, best);
    if (gains[pair] <= 1)
      return;
  }
  qsort(gains, (size_t)pairs, sizeof *gains, by_size);
  const double gain = gains[pairs / 2];
  if (gain >= least) {
    advice->best = best;
    advice->gain = gain;
  }
}

static void print_rows(const struct advice *advice) {
  for (size_t i = 0; i < advice->count; i++) {
    if (advice->fails[i])
      printf("%9s    ", "fails");
    else if (advice->seconds[i] > 0)
      printf("%9.2f s  ", advice->seconds[i]);
    else
      continue;
    print_setting(stdout, &advice->settings[i]);
    puts("");
  }
}

static void print_fastest(const struct advice *advice) {
  if (advice->gain <= 0) {
    puts("Nothing of this is faster by more than chance. To see who uses what: maicc --trace, "
         "mai-trace report.");
    return;
  }
  printf("From now on (%.2f times as fast): ", advice->gain);
  print_setting(stdout, &advice->settings[advice->best]);
  for (char *const *word = advice->program; *word; word++)
    printf(" %s", *word);
  putchar('\n');
}

/* What is wrong can be cured in the sources, too. */
static void print_rewriting(const struct advice *advice) {
  char line[2 * PATH_MAX];
  sources_cure(&advice->sources, advice->evidence.profile, line, sizeof line);
  if (*line && evidence_is_bad(&advice->evidence))
    printf("   -> in the sources: %s\n", line);
  else if (advice->sources.folder && !*line)
    printf("In %s there is no C source with OpenMP: mapp-rewrite can do nothing there.\n",
           advice->sources.folder);
}

static void print_trials(const struct advice *advice, const struct manner *manner) {
  if (manner->json) {
    advice_print_json(advice);
    return;
  }
  if (!manner->quiet)
    print_rows(advice);
  if (manner->runs > 0)
    print_fastest(advice);
}

static int advise(struct advice *advice, const struct manner *manner) {
  memcpy(advice->settings, always, sizeof always);
  advice->count = ALWAYS;
  announce(manner, &advice->settings[AS_IT_IS], 0, manner->runs ? manner->runs : 1);
  try_setting(advice, AS_IT_IS);
  if (advice->fails[AS_IT_IS]) {
    fprintf(stderr, "minas advise: %s: is not there, or fails\n", *advice->program);
    return EXIT_INPUT;
  }
  if (!manner->json && !manner->quiet)
    print_look(advice);
  evidence_take(&advice->evidence, advice->program, advice->processor_seconds,
                numarch_node_count(advice->machine) == 1 ? IMAGINED_NODES : 0);
  if (!manner->json) {
    evidence_print(&advice->evidence, manner->quiet);
    print_rewriting(advice);
  }
  fflush(stdout); /* what follows takes longest */
  add_settings(advice);
  try_all(advice, manner);
  confirm(advice, manner);
  print_trials(advice, manner);
  const bool is_wrong = evidence_is_bad(&advice->evidence);
  evidence_free(&advice->evidence);
  return is_wrong || advice->gain > 0 ? EXIT_FOUND : EXIT_SUCCESS;
}

/*===-- The command line ---------------------------------------------------===*/

static bool read_runs(const char *text, long *runs) {
  char *end;
  *runs = strtol(text, &end, 10);
  if (end != text && !*end && *runs >= 0 && *runs <= MOST_RUNS)
    return true;
  fputs("minas advise: --runs takes a number from 0 to 100\n", stderr);
  return false;
}

static bool take_option(void *request, int option, const char *argument) {
  struct manner *manner = request;
  manner->json |= option == OPTION_JSON;
  manner->quiet |= option == 'q';
  manner->verbose |= option == 'v';
  if (option == OPTION_SOURCES)
    manner->sources = argument;
  return option != OPTION_RUNS || read_runs(argument, &manner->runs);
}

static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                        {"json", no_argument, NULL, OPTION_JSON},
                                        {"quiet", no_argument, NULL, 'q'},
                                        {"verbose", no_argument, NULL, 'v'},
                                        {"runs", required_argument, NULL, OPTION_RUNS},
                                        {"sources", required_argument, NULL, OPTION_SOURCES},
                                        {"version", no_argument, NULL, OPTION_VERSION},
                                        {NULL, 0, NULL, 0}};

static const struct commandline command = {"minas advise", help, "+hqv", options, take_option};

static int run(char *const *program, const struct manner *manner) {
  struct advice advice = {.program = program};
  if (manner->sources && sources_read(manner->sources, &advice.sources) != 0) {
    fprintf(stderr, "minas advise: %s: %s\n", manner->sources, strerror(errno));
    return EXIT_INPUT;
  }
  advice.machine = numarch_open(0);
  if (!advice.machine) {
    fprintf(stderr, "minas advise: the machine cannot be read: %s\n", strerror(errno));
    return EXIT_MACHINE;
  }
  int status = advise(&advice, manner);
  numarch_close(advice.machine);
  return commandline_close_output("minas advise", status);
}

int advise_main(int count, char **arguments) {
  struct manner manner = {.runs = 2};
  int status = commandline_read(&command, count, arguments, &manner);
  if (status != COMMANDLINE_GOES_ON)
    return status;
  return optind < count ? run(arguments + optind, &manner)
                        : commandline_misused(&command, "no program");
}
