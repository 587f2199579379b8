/*===-- evidence.c - what samples say of a program ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/path.h"
#include "trial.h"

enum { NUMBER_SIZE = 16, MOST_SENTENCES = 3 };
static const double MUCH_NOT_KNOWN = 0.1; /* of all accesses */

/* @return whether it was there, and succeeded */
static bool call(const struct command *command) {
  struct trial trial;
  return trial_run(command, NULL, NULL, &trial) == 0 && trial.status == 0;
}

/*===-- Samples, and what they are made into -------------------------------===*/

static bool take_samples(const struct evidence *evidence, char *const *program, double seconds) {
  /* What a sentence needs, and what costs little. */
  static const double wanted = 40000, least = 200, most = 10000;
  double rate = seconds > 0 ? wanted / seconds : most;
  char frequency[NUMBER_SIZE];
  snprintf(frequency, sizeof frequency, "%.0f", rate < least ? least : rate > most ? most : rate);
  struct command record = {{NULL}, 0};
  command_add_all(&record, (const char *const[]){"mai-trace", "record", "-q", "-F", frequency, "-o",
                                                 evidence->profile, "--", NULL});
  command_add_all(&record, (const char *const *)program);
  return call(&record);
}

/* By mai-trace, or mai-map: a file out of the samples. */
static bool make(const struct evidence *evidence, const char *tool, const char *subcommand,
                 const char *option, unsigned imagined, const char *output) {
  char number[NUMBER_SIZE];
  snprintf(number, sizeof number, "%u", imagined);
  struct command command = {{NULL}, 0};
  command_add(&command, tool);
  if (subcommand)
    command_add(&command, subcommand);
  if (option)
    command_add(&command, option);
  if (imagined) {
    command_add(&command, "--nodes");
    command_add(&command, number);
  }
  command_add(&command, "-o");
  command_add(&command, output);
  command_add(&command, evidence->profile);
  return call(&command);
}

static json_t *read_report(const struct evidence *evidence, unsigned imagined) {
  char path[] = "/tmp/minas-advise.XXXXXX";
  int file = mkstemp(path);
  if (file < 0)
    return NULL;
  json_t *report = NULL;
  if (make(evidence, "mai-trace", "report", "--json", imagined, path))
    report = json_load_file(path, 0, NULL);
  close(file);
  unlink(path);
  return report;
}

/* Its verdicts. @return NULL where there are none */
static const json_t *verdicts_of(const struct evidence *evidence) {
  const json_t *verdicts = json_object_get(evidence->report, "verdicts");
  return json_array_size(verdicts) ? verdicts : NULL;
}

static bool is_of_threads(const json_t *verdict) {
  const char *kind = json_string_value(json_object_get(verdict, "kind"));
  return kind && strcmp(kind, "threads") == 0;
}

/* Whether mai-trace knows a policy for an array, or a map for the threads. */
static bool offers(const struct evidence *evidence, bool threads) {
  size_t index;
  json_t *verdict;
  json_array_foreach((json_t *)(uintptr_t)verdicts_of(evidence), index, verdict) {
    if (threads ? is_of_threads(verdict)
                : json_string_value(json_object_get(verdict, "policy")) != NULL)
      return true;
  }
  return false;
}

void evidence_take(struct evidence *evidence, char *const *program, double seconds,
                   unsigned imagined) {
  *evidence = (struct evidence){.imagined = imagined != 0};
  const char *name = minas_file_name(*program);
  if ((size_t)snprintf(evidence->profile, NAME_MAX, "%s.advise.maiprof", name) >= NAME_MAX ||
      !take_samples(evidence, program, seconds))
    return;
  evidence->report = read_report(evidence, imagined);
  if (imagined)
    return; /* nothing of it can be tried here */
  char file[NAME_MAX];
  if (offers(evidence, false) &&
      (size_t)snprintf(file, sizeof file, "%s.advise.policies", name) < sizeof file &&
      make(evidence, "mai-trace", "policies", NULL, 0, file))
    memcpy(evidence->policies, file, sizeof file);
  if (offers(evidence, true) &&
      (size_t)snprintf(file, sizeof file, "%s.advise.map", name) < sizeof file &&
      make(evidence, "mai-map", NULL, NULL, 0, file))
    memcpy(evidence->map, file, sizeof file);
}

void evidence_free(struct evidence *evidence) { json_decref(evidence->report); }

/*===-- In sentences -------------------------------------------------------===*/

static double number(const json_t *object, const char *member) {
  return json_number_value(json_object_get(object, member));
}

static const char *text(const json_t *object, const char *member) {
  const char *value = json_string_value(json_object_get(object, member));
  return value ? value : "";
}

/* What it is about, what is wrong, what that costs, and the line that cures it. */
static void print_verdict(size_t place, const json_t *verdict) {
  const char *array = text(verdict, "array");
  printf("%2zu %s%s%s: %.0f%% of accesses could be local or served evenly", place + 1, array,
         *array ? ": " : "", text(verdict, "sentence"), 100 * number(verdict, "gain"));
  const json_t *cure = json_array_get(json_object_get(verdict, "cures"), 0);
  if (json_is_string(cure))
    printf("\n   -> %s", json_string_value(cure));
  putchar('\n');
}

bool evidence_is_bad(const struct evidence *evidence) { return verdicts_of(evidence) != NULL; }

static void print_samples(const struct evidence *evidence) {
  const json_t *sampled = json_object_get(evidence->report, "sampled");
  const json_t *now = json_object_get(evidence->report, "now");
  printf("samples  %.0f, in %s: ", number(sampled, "samples"), evidence->profile);
  printf("%.1f%% of accesses leave their node%s\n", 100 * number(now, "remote"),
         evidence->imagined ? ", if there were four" : "");
}

/* What is in no known array has not been judged, so nothing is said of it. */
static void print_no_verdict(const struct evidence *evidence) {
  const double not_known = number(evidence->report, "not_known");
  if (not_known < MUCH_NOT_KNOWN) {
    puts("Nothing is to be gained by another placement, as far as these samples can tell.");
    return;
  }
  printf("%.0f%% of accesses go to memory of no known array, such as blocks below 4096 bytes, and "
         "are not judged: mai-trace "
         "record --block 64 knows smaller ones.\n",
         100 * not_known);
  if (not_known < 1 - MUCH_NOT_KNOWN)
    puts("Of the others nothing is to be gained by another placement, as far as these samples can "
         "tell.");
}

void evidence_print(const struct evidence *evidence, bool only_verdicts) {
  if (!evidence->report) {
    puts("samples  none could be taken: mai-trace record says why");
    return;
  }
  if (!only_verdicts)
    print_samples(evidence);
  const json_t *verdicts = verdicts_of(evidence);
  if (!verdicts)
    print_no_verdict(evidence);
  for (size_t i = 0; i < json_array_size(verdicts) && i < MOST_SENTENCES; i++)
    print_verdict(i, json_array_get(verdicts, i));
}
