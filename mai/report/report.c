/*===-- report.c - says where arrays and threads are -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mai/policy/policy.h"
#include "mai/process/call.h"
#include "describe.h"
#include "elements.h"
#include "ends.h"
#include "mai/memory/machine.h"
#include "mai.h"
#include "mai/process/message.h"
#include "learned.h"
#include "list.h"
#include "names.h"
#include "page_cells.h"
#include "runtime/heap.h"
#include "runtime/lock.h"
#include "report_file.h"
#include "runtime/system.h"
#include "mai/process/settings.h"
#include "mai/arrays/dynamic_arrays.h"
#include "mai/arrays/summaries.h"
#include "mai/tasks/worker.h"
#include "mai/threads/threads.h"

void mai_report_prepare(void) {
  if (mai_settings_report_wanted())
    mai_ends_watch();
}

static const char *program_name(void) { return program_invocation_name; }

/*===-- Text ---------------------------------------------------------------===*/

enum { MOST_POLICY_WIDTH = 40, MOST_NAME_WIDTH = 60, MOST_LINE_NAME = 600 };

typedef void describe_function(const struct mai_summary *array, char *text, size_t size);

/* Of a column that has the longest of the texts, and from `least` to `most` characters. */
static int width_of(const struct mai_summaries *summaries, describe_function *describe,
                    size_t least, size_t most) {
  size_t width = least;
  for (size_t i = 0; i < summaries->count; i++) {
    char text[MOST_NAME_WIDTH + 1];
    describe(&summaries->list[i], text, most + 1);
    width = strlen(text) > width ? strlen(text) : width;
  }
  return (int)width;
}

/* Widths of columns that depend on the arrays. */
struct widths {
  int name;
  int policy;
};

static void write_array_header(struct minas_text *out, const struct mai_machine *machine,
                               const struct widths *widths) {
  minas_text_add(out, "%-*s %10s  %-*s", widths->name, "array", "size", widths->policy, "policy");
  for (uint32_t i = 0; i < machine->node_count; i++)
    minas_text_add(out, "  node %-2" PRIu32, machine->nodes[i]);
  minas_text_add(out, " %9s %8s %8s %8s %8s %8s %10s\n", "untouched", "placed", "spilled", "failed",
                 "mappings", "moved", "placing/s");
}

static void write_array(struct minas_text *out, const struct mai_machine *machine,
                        const struct mai_summary *array, const struct widths *widths) {
  char size[32];
  char policy[MOST_POLICY_WIDTH + 1];
  char name[MOST_LINE_NAME];
  mai_describe_bytes(mai_describe_size(array), size, sizeof size);
  mai_describe_policy(array, policy, sizeof policy);
  mai_describe_name(array, name, sizeof name);
  minas_text_add(out, "%-*s %10s  %-*s", widths->name, name, size, widths->policy, policy);
  for (uint32_t i = 0; i < machine->node_count; i++)
    minas_text_add(out, " %7zu ", array->per_node[machine->nodes[i]]);
  minas_text_add(out, " %9zu %8zu %8zu %8zu", array->pages.untouched, array->pages.placed,
                 array->pages.spilled, array->pages.failed);
  minas_text_add(out, " %8zu %8zu ", array->statistics.mappings, array->statistics.moved_pages);
  minas_text_add_decimal(out, array->statistics.placing_seconds, 6, 10);
  if (array->named && array->site)
    minas_text_add(out, "  allocated by %s", array->site->key);
  if (array->error)
    minas_text_add(out, "  not placed: %s", strerrordesc_np(array->error));
  if (array->look_error)
    minas_text_add(out, "  pages not known: %s", strerrordesc_np(array->look_error));
  minas_text_add_char(out, '\n');
}

static void add_seconds(struct minas_text *out, const char *before, double seconds) {
  minas_text_add(out, "%s", before);
  minas_text_add_decimal(out, seconds, 6, 0);
  minas_text_add(out, " s");
}

static void write_moves(struct minas_text *out, const struct mai_account *account) {
  minas_text_add(out, "; moved %u times", account->moves);
  add_seconds(out, ", first after ", account->first_move);
  add_seconds(out, ", last after ", account->last_move);
  minas_text_add(out, ", %zu pages", account->moved_pages);
  add_seconds(out, " in ", account->move_seconds);
  add_seconds(out, ", regions waited ", account->longest_wait);
  minas_text_add(out, " at most");
  if (account->saved_seconds < 0)
    add_seconds(out, ", has lost ", -account->saved_seconds);
  else
    add_seconds(out, ", has saved ", account->saved_seconds);
  add_seconds(out, ", saves ", account->saved_a_second);
  minas_text_add(out, " a second%s%s", account->full ? ", a node was full" : "",
                 account->moving ? ", the last move was cut off" : "");
}

/* What was seen while the program ran, and the policy to begin with next time. */
static void write_account(struct minas_text *out, const struct mai_summary *array) {
  const struct mai_account *account = array->account;
  char name[MOST_LINE_NAME];
  mai_describe_name(array, name, sizeof name);
  minas_text_add(out,
                 "%s: %zu accesses sampled, %zu of %zu watched pages written, in %u watches: %s",
                 name, account->sampled, account->touches, account->watched, account->watches,
                 account->pattern ? account->pattern : "unknown");
  minas_text_add(out, " (%u %%)", (unsigned)(100 * account->confidence));
  add_seconds(out, "; watching cost ", account->watch_seconds);
  if (account->moves)
    write_moves(out, account);
  if (*account->policy)
    minas_text_add(out, "; next time: %s:%s", array->site ? array->site->key : array->name,
                   account->policy);
  minas_text_add_char(out, '\n');
}

static bool is_dynamic(const struct mai_summary *array) {
  return array->account && array->account->watches;
}

static void write_accounts(struct minas_text *out, const struct mai_summaries *summaries) {
  bool any = false;
  for (size_t i = 0; i < summaries->count; i++) {
    if (!is_dynamic(&summaries->list[i]))
      continue;
    if (!any)
      minas_text_add(out, "placed while it ran\n");
    any = true;
    write_account(out, &summaries->list[i]);
  }
}

static void write_arrays(struct minas_text *out, const struct mai_machine *machine,
                         const struct mai_summaries *summaries) {
  struct widths widths = {width_of(summaries, mai_describe_name, 5, MOST_NAME_WIDTH),
                          width_of(summaries, mai_describe_policy, 14, MOST_POLICY_WIDTH)};
  if (summaries->count == 0) {
    minas_text_add(out, "no arrays\n");
    return;
  }
  write_array_header(out, machine, &widths);
  for (size_t i = 0; i < summaries->count; i++)
    write_array(out, machine, &summaries->list[i], &widths);
  if (summaries->forgotten)
    minas_text_add(out, "and %zu freed arrays that are not listed\n", summaries->forgotten);
}

static void write_thread(struct minas_text *out, const numarch_t *topology, unsigned thread,
                         const struct mai_thread_state *state) {
  minas_text_add(out, "%6u ", thread);
  if (state->cpu == NUMARCH_NONE)
    minas_text_add(out, "%5s %5s", "?", "?");
  else
    minas_text_add(out, "%5" PRIu32 " %5" PRId64, state->cpu,
                   mai_node_of_cpu(topology, state->cpu));
  minas_text_add(out, "  %s\n", state->pinned ? "pinned" : state->seen ? "free" : "not seen");
}

static void write_threads(struct minas_text *out, const numarch_t *topology) {
  struct mai_thread_state state;
  minas_text_add(out, "threads (%s)\nthread   CPU  node\n", mai_threads_origin());
  for (unsigned thread = 0; mai_threads_state(thread, &state); thread++)
    write_thread(out, topology, thread, &state);
}

/* Who sums counts up gets them while they change. */
static bool sum_tasks(struct mai_task_counts *sum) {
  *sum = (struct mai_task_counts){0};
  if (mai_home_count() > 0)
    mai_task_counts_add(sum);
  return mai_home_count() > 0;
}

static unsigned long sum_passed(const struct mai_task_counts *sum) {
  unsigned long all = 0;
  for (unsigned reason = 0; reason < MAI_PASSED_REASONS; reason++)
    all += sum->passed[reason];
  return all;
}

/* In parentheses, how many for which reason. */
static void write_passed(struct minas_text *out, const struct mai_task_counts *sum) {
  const char *before = " (";
  minas_text_add(out, "%lu left to the run-time", sum_passed(sum));
  for (unsigned reason = 0; reason < MAI_PASSED_REASONS; reason++)
    if (sum->passed[reason] > 0) {
      minas_text_add(out, "%s%s %lu", before, mai_passed_word(reason), sum->passed[reason]);
      before = ", ";
    }
  minas_text_add(out, *before == ',' ? ")" : "");
}

static void write_tasks(struct minas_text *out) {
  struct mai_task_counts sum;
  if (!sum_tasks(&sum))
    return;
  minas_text_add(out, "tasks\n%6s %10s %10s %10s %10s\n", "node", "tasks", "at home", "near",
                 "far");
  for (unsigned home = 0; home < mai_home_count(); home++) {
    const atomic_ulong *run = sum.run[home];
    minas_text_add(out, "%6" PRIu32 " %10lu %10lu %10lu %10lu\n", mai_home_node(home),
                   run[MAI_TASK_AT_HOME] + run[MAI_TASK_NEAR] + run[MAI_TASK_FAR],
                   run[MAI_TASK_AT_HOME], run[MAI_TASK_NEAR], run[MAI_TASK_FAR]);
  }
  minas_text_add(out, "%lu without home, ", sum.homeless);
  write_passed(out, &sum);
  minas_text_add(out, ", %lu tickets, waited ", sum.tickets);
  minas_text_add_decimal(out, (double)sum.waited * 1e-9, 6, 0);
  minas_text_add(out, " s\n");
}

static void write_text(struct minas_text *out, const struct mai_machine *machine,
                       const struct mai_summaries *summaries) {
  minas_text_add(out, "MAi report: %s, process %ld, pages of %zu bytes\n", program_name(),
                 (long)minas_process(), machine->page_size);
  write_arrays(out, machine, summaries);
  write_accounts(out, summaries);
  write_threads(out, machine->topology);
  write_tasks(out);
}

/*===-- JSON ---------------------------------------------------------------===*/

/* Objects are written in lines of their own, members one after another. */
static void add_number(struct minas_text *out, const char *name, uint64_t number) {
  minas_text_add(out, "\"%s\": %" PRIu64 ", ", name, number);
}

static void add_string(struct minas_text *out, const char *name, const char *string) {
  minas_text_add(out, "\"%s\": ", name);
  if (string)
    minas_text_add_json(out, string);
  else
    minas_text_add(out, "null");
  minas_text_add(out, ", ");
}

static void add_flag(struct minas_text *out, const char *name, bool flag) {
  minas_text_add(out, "\"%s\": %s, ", name, flag ? "true" : "false");
}

/* -1: null. */
static void add_index(struct minas_text *out, const char *name, int64_t index) {
  if (index < 0)
    minas_text_add(out, "\"%s\": null, ", name);
  else
    add_number(out, name, (uint64_t)index);
}

static void add_error(struct minas_text *out, const char *name, int error) {
  add_string(out, name, error ? strerrordesc_np(error) : NULL);
}

/* Begin and end what is between brackets; the last member leaves a comma. */
static void open_bracket(struct minas_text *out, const char *name, char bracket) {
  minas_text_add(out, "\"%s\": %c", name, bracket);
}

static void close_bracket(struct minas_text *out, char bracket) {
  while (out->length && strchr(", \n", out->bytes[out->length - 1]))
    out->bytes[--out->length] = '\0';
  minas_text_add_char(out, bracket);
}

static void next_member(struct minas_text *out) { minas_text_add(out, ", "); }

static void add_pages(struct minas_text *out, const struct mai_summary *array) {
  if (array->look_error) {
    add_string(out, "pages", NULL);
    return;
  }
  open_bracket(out, "pages", '{');
  add_number(out, "total", array->pages.total);
  add_number(out, "untouched", array->pages.untouched);
  add_number(out, "placed", array->pages.placed);
  add_number(out, "spilled", array->pages.spilled);
  add_number(out, "failed", array->pages.failed);
  close_bracket(out, '}');
  next_member(out);
}

static void add_per_node(struct minas_text *out, const struct mai_machine *machine,
                         const struct mai_summary *array) {
  open_bracket(out, "pages_per_node", '{');
  for (uint32_t i = 0; i < machine->node_count; i++) {
    char node[16];
    snprintf(node, sizeof node, "%" PRIu32, machine->nodes[i]);
    add_number(out, node, array->per_node[machine->nodes[i]]);
  }
  close_bracket(out, '}');
  next_member(out);
}

/* Lists may make it long. */
static void add_policy(struct minas_text *out, const mai_policy_t *policy) {
  size_t size = (size_t)mai_policy_format(policy, NULL, 0) + 1;
  char *text = minas_alloc(size);
  if (text)
    mai_policy_format(policy, text, size);
  add_string(out, "policy", text);
  minas_free(text);
}

static void add_cells(struct minas_text *out, const struct mai_summary *array, size_t most_cells) {
  size_t pages_a_cell = mai_page_cells_pages(array, most_cells);
  add_number(out, "pages_a_cell", pages_a_cell);
  open_bracket(out, "cells", '"');
  mai_page_cells_write(out, array, pages_a_cell);
  minas_text_add_char(out, '"');
  next_member(out);
}

static void add_decimal(struct minas_text *out, const char *name, double seconds) {
  minas_text_add(out, "\"%s\": %s", name, seconds < 0 ? "-" : "");
  minas_text_add_decimal(out, seconds < 0 ? -seconds : seconds, 9, 0);
  next_member(out);
}

static void add_account(struct minas_text *out, const struct mai_account *account) {
  open_bracket(out, "dynamic", '{');
  add_number(out, "watches", account->watches);
  add_number(out, "pages_watched", account->watched);
  add_number(out, "pages_written", account->touches);
  add_number(out, "accesses_sampled", account->sampled);
  add_string(out, "pattern", account->pattern);
  add_decimal(out, "confidence", account->confidence);
  add_decimal(out, "watching_seconds", account->watch_seconds);
  add_number(out, "moves", account->moves);
  add_flag(out, "cut_off", account->moving);
  add_number(out, "moved_pages", account->moved_pages);
  add_decimal(out, "moving_seconds", account->move_seconds);
  add_decimal(out, "longest_wait_seconds", account->longest_wait);
  add_decimal(out, "first_move_after_seconds", account->first_move);
  add_decimal(out, "last_move_after_seconds", account->last_move);
  add_decimal(out, "saved_seconds", account->saved_seconds);
  add_decimal(out, "saved_a_second", account->saved_a_second);
  add_flag(out, "full", account->full);
  add_string(out, "policy", *account->policy ? account->policy : NULL);
  close_bracket(out, '}');
  next_member(out);
}

static void add_array(struct minas_text *out, const struct mai_machine *machine,
                      const struct mai_summary *array, size_t most_cells) {
  minas_text_add(out, "\n  {");
  add_string(out, "name", array->name);
  add_string(out, "site", array->site ? array->site->key : NULL);
  add_number(out, "blocks", mai_describe_blocks(array));
  add_number(out, "blocks_at_a_time", mai_describe_blocks_at_a_time(array));
  add_string(out, "file", array->file);
  add_number(out, "line", array->line);
  add_string(out, "origin", mai_describe_origin(array->origin));
  add_flag(out, "freed", array->freed);
  add_number(out, "bytes", mai_describe_size(array));
  add_policy(out, &array->policy);
  add_pages(out, array);
  add_per_node(out, machine, array);
  add_number(out, "mappings", array->statistics.mappings);
  add_number(out, "moved_pages", array->statistics.moved_pages);
  add_decimal(out, "placing_seconds", array->statistics.placing_seconds);
  if (is_dynamic(array))
    add_account(out, array->account);
  add_error(out, "not_placed", array->error);
  add_error(out, "pages_not_known", array->look_error);
  add_cells(out, array, most_cells);
  close_bracket(out, '}');
  next_member(out);
}

static int64_t index_of(uint32_t index) { return index == NUMARCH_NONE ? -1 : (int64_t)index; }

static void add_thread(struct minas_text *out, const numarch_t *topology, unsigned thread,
                       const struct mai_thread_state *state) {
  minas_text_add(out, "\n  {");
  add_number(out, "thread", thread);
  add_index(out, "cpu", index_of(state->cpu));
  add_index(out, "node", mai_node_of_cpu(topology, state->cpu));
  add_index(out, "last_seen_on_cpu", index_of(state->last_cpu));
  add_flag(out, "pinned", state->pinned);
  add_flag(out, "seen", state->seen);
  close_bracket(out, '}');
  next_member(out);
}

static void add_threads(struct minas_text *out, const numarch_t *topology) {
  struct mai_thread_state state;
  open_bracket(out, "threads", '[');
  for (unsigned thread = 0; mai_threads_state(thread, &state); thread++)
    add_thread(out, topology, thread, &state);
  close_bracket(out, ']');
}

static void add_tasks_of_home(struct minas_text *out, const struct mai_task_counts *sum,
                              unsigned home) {
  minas_text_add(out, "\n  {");
  add_number(out, "node", mai_home_node(home));
  add_number(out, "at_home", sum->run[home][MAI_TASK_AT_HOME]);
  add_number(out, "stolen_near", sum->run[home][MAI_TASK_NEAR]);
  add_number(out, "stolen_far", sum->run[home][MAI_TASK_FAR]);
  close_bracket(out, '}');
  next_member(out);
}

static void add_passed(struct minas_text *out, const struct mai_task_counts *sum) {
  open_bracket(out, "tasks_left_by_reason", '{');
  for (unsigned reason = 0; reason < MAI_PASSED_REASONS; reason++)
    add_number(out, mai_passed_word(reason), sum->passed[reason]);
  close_bracket(out, '}');
  next_member(out);
}

static void add_tasks(struct minas_text *out) {
  struct mai_task_counts sum;
  if (!sum_tasks(&sum))
    return;
  open_bracket(out, "tasks", '[');
  for (unsigned home = 0; home < mai_home_count(); home++)
    add_tasks_of_home(out, &sum, home);
  close_bracket(out, ']');
  next_member(out);
  add_number(out, "tasks_without_home", sum.homeless);
  add_number(out, "tasks_left_to_run_time", sum_passed(&sum));
  add_passed(out, &sum);
  add_number(out, "task_tickets", sum.tickets);
  minas_text_add(out, "\"task_waiting_seconds\": ");
  minas_text_add_decimal(out, (double)sum.waited * 1e-9, 9, 0);
  minas_text_add(out, ",\n ");
}

static void add_arrays(struct minas_text *out, const struct mai_machine *machine,
                       const struct mai_summaries *summaries) {
  size_t most_cells = mai_page_cells_most(summaries);
  open_bracket(out, "arrays", '[');
  for (size_t i = 0; i < summaries->count; i++)
    add_array(out, machine, &summaries->list[i], most_cells);
  close_bracket(out, ']');
  next_member(out);
}

static void add_nodes(struct minas_text *out, const struct mai_machine *machine) {
  open_bracket(out, "nodes", '[');
  for (uint32_t i = 0; i < machine->node_count; i++)
    minas_text_add(out, "%" PRIu32 ", ", machine->nodes[i]);
  close_bracket(out, ']');
  next_member(out);
}

static void write_json(struct minas_text *out, const struct mai_machine *machine,
                       const struct mai_summaries *summaries) {
  minas_text_add(out, "{\n ");
  add_number(out, "mai_report", 1);
  add_string(out, "program", program_name());
  add_number(out, "process", (uint64_t)minas_process());
  add_number(out, "page_size", machine->page_size);
  add_nodes(out, machine);
  minas_text_add(out, "\n ");
  add_arrays(out, machine, summaries);
  minas_text_add(out, "\n ");
  add_number(out, "freed_arrays_not_listed", summaries->forgotten);
  add_tasks(out);
  add_string(out, "threads_mapped_by", mai_threads_origin());
  add_threads(out, machine->topology);
  minas_text_add(out, "\n}\n");
}

/*===-- All forms ----------------------------------------------------------===*/

/* @return 0, or -1 with errno ENOMEM */
static int make_report(struct minas_text *out, enum mai_report_format format) {
  const struct mai_machine *machine = mai_machine();
  struct mai_summaries summaries;
  if (!machine || mai_summaries_make(&summaries) != 0) {
    errno = ENOMEM;
    return -1;
  }
  mai_names_shorten(&summaries);
  if (format != MAI_REPORT_JSON)
    mai_elements_join(&summaries);
  if (format == MAI_REPORT_JSON)
    write_json(out, machine, &summaries);
  else if (mai_settings()->list)
    mai_list_write(out, &summaries);
  else
    write_text(out, machine, &summaries);
  mai_summaries_free(&summaries);
  if (out->cut_off)
    errno = ENOMEM;
  return out->cut_off ? -1 : 0;
}

int mai_report(FILE *stream, enum mai_report_format format) {
  struct minas_text text = {0};
  int result;
  {
    MAI_CALL;
    result = make_report(&text, format);
  }
  if (result == 0 && (fwrite(text.bytes, 1, text.length, stream) != text.length ||
                      fflush(stream) != 0 || ferror(stream))) {
    errno = EIO;
    result = -1;
  }
  minas_text_free(&text);
  return result;
}

/*===-- At the end ---------------------------------------------------------===*/

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text);
  size_t end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static enum mai_report_format format_of_file(const char *path) {
  return ends_with(path, ".json") ? MAI_REPORT_JSON : MAI_REPORT_TEXT;
}

static int write_file(struct minas_text *path, const struct minas_text *text) {
  MINAS_CALLS_OUT();
  return mai_report_file_write(path, text);
}

/* @return 0, or -1 with errno */
static int report_to(struct minas_text *path, bool to_standard_error) {
  struct minas_text text = {0};
  int result =
      make_report(&text, to_standard_error ? MAI_REPORT_TEXT : format_of_file(path->bytes));
  if (result == 0)
    result = to_standard_error ? mai_message_write(&text) : write_file(path, &text);
  minas_text_free(&text);
  return result;
}

/* The user finds it under this name, and has not asked for that one. */
static void say_where(const char *path, const char *asked, uint32_t self) {
  if (strcmp(path, asked) != 0)
    mai_message("%s is another process's report: that of process %" PRIu32 " is in %s", asked, self,
                path);
  else if (!mai_settings_are_users() && mai_settings()->verbose)
    mai_message("the report of process %" PRIu32 " is in %s", self, path);
}

static void report_to_file(uint32_t self) {
  struct minas_text path = {0};
  struct minas_text asked = {0};
  mai_report_file_name(&path, mai_settings()->report, mai_settings_are_users());
  minas_text_add(&asked, "%s", path.cut_off ? "" : path.bytes);
  if (asked.cut_off || path.cut_off || report_to(&path, false) != 0)
    mai_message("no report: %s: %s", path.cut_off ? mai_settings()->report : path.bytes,
                strerrordesc_np(errno));
  else
    say_where(path.bytes, asked.bytes, self);
  minas_text_free(&path);
  minas_text_free(&asked);
}

static void report_where_wanted(void) {
  const char *report = mai_settings()->report;
  if (!report)
    return;
  if (strcmp(report, "1") != 0)
    report_to_file(minas_process());
  else if (report_to(NULL, true) != 0)
    mai_message("no report: standard error: %s", strerrordesc_np(errno));
}

void mai_report_at_end(void) {
  static atomic_bool made;
  if (!mai_settings_report_wanted() || atomic_exchange(&made, true))
    return;
  MAI_CALL;
  report_where_wanted();
  mai_learned_write();
}
