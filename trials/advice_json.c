/*===-- advice_json.c - advice for programs ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "advice.h"

#include <stdio.h>

static json_t *words_of(const struct advice *advice, size_t number) {
  const struct setting *setting = &advice->settings[number];
  json_t *words = json_array();
  if (setting->runs)
    json_array_append_new(words, json_string("mai-run"));
  for (const char *const *word = setting->words; *word; word++)
    json_array_append_new(words, json_string(*word));
  for (char *const *word = advice->program; *word; word++)
    json_array_append_new(words, json_string(*word));
  return words;
}

/* By OS index of the nodes, as parts of all. */
static json_t *parts(const uint64_t *amounts, uint64_t all) {
  json_t *nodes = json_object();
  for (unsigned node = 0; node < LOOK_MOST_NODES; node++) {
    char name[16];
    snprintf(name, sizeof name, "%u", node);
    if (amounts[node] > 0)
      json_object_set_new(nodes, name, json_real((double)amounts[node] / (double)all));
  }
  return nodes;
}

static json_t *runs_of(const struct advice *advice) {
  json_t *runs = json_array();
  for (size_t i = 0; i < advice->count; i++)
    if (advice->fails[i] || advice->seconds[i] > 0)
      json_array_append_new(
          runs, json_pack("{s:o, s:o}", "command", words_of(advice, i), "seconds",
                          advice->fails[i] ? json_null() : json_real(advice->seconds[i])));
  return runs;
}

static json_t *best_of(const struct advice *advice) {
  if (advice->gain <= 0)
    return json_null();
  return json_pack("{s:o, s:f}", "command", words_of(advice, advice->best), "times_as_fast",
                   advice->gain);
}

/* A part of the report of mai-trace, or null where there is none. */
static json_t *reported(const struct advice *advice, const char *member) {
  json_t *value = json_object_get(advice->evidence.report, member);
  return value ? json_incref(value) : json_null();
}

/* The line for the sources. */
static json_t *rewriting(const struct advice *advice) {
  char line[2 * PATH_MAX];
  sources_cure(&advice->sources, advice->evidence.profile, line, sizeof line);
  return *line && evidence_is_bad(&advice->evidence) ? json_string(line) : json_null();
}

void advice_print_json(const struct advice *advice) {
  const struct look *look = &advice->look;
  json_t *all = json_pack(
      "{s:i, s:s, s:f, s:I, s:o, s:o, s:b, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "minas_advise", 1,
      "version", MINAS_VERSION, "seconds", advice->seconds[0], "memory_bytes",
      (json_int_t)look->total, "memory", parts(look->bytes, look->total), "threads",
      parts(look->threads, look->seen), "nodes_imagined", advice->evidence.imagined, "profile",
      advice->evidence.profile, "sampled", reported(advice, "sampled"), "now",
      reported(advice, "now"), "verdicts", reported(advice, "verdicts"), "runs", runs_of(advice),
      "best", best_of(advice), "rewrite", rewriting(advice));
  if (all)
    json_dumpf(all, stdout, JSON_INDENT(1));
  putchar('\n');
  json_decref(all);
}
