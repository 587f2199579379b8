/*===-- decisions_model.c - a model of placement while a program runs *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Usage: decisions_model [--pass MS] [--page US] [--sample MS] [--cpus N] [--runs N] [--most PART]
 * [PROGRAM...]
 *
 * What is inferred and decided is libmai's; threads, their touches, samples of these and moved
 * pages are drawn here.  So decisions can be judged without the noise of a machine, and for
 * machines that are not there.  An array of 6,144 pages is used by 8 threads on 4 nodes; there is
 * one region.  A page that is moved counts as one more remote visit.
 *
 * Prints for each program which part of all visits is remote by first touch, with the best node for
 * each page, by who knew each pass before, and by libmai; how many pages were moved for each of the
 * array, and when the first.  --most: the exit status is 1 where libmai has more than that.
 */
#include "mai/dynamic/evidence.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PAGES = 6144,
  ROW_PAGES = 64,
  THREADS = 8,
  NODES = 4,
  NOT_MOVED = NODES,
  MOST_STEPS = 4,   /* visits of a page in a pass */
  MOST_NEWEST = 192 /* samples that are kept between two looks */
};

static const double STEP = 0.5e-3, QUANTUM = 4e-3; /* seconds */

static struct {
  double pass_seconds;   /* on as many CPUs as threads */
  double page_seconds;   /* to move one */
  double sample_seconds; /* at least, from one sample of a thread to the next */
  unsigned cpus;
  unsigned runs;
  double most;
} options = {0.1, 5e-6, 0, THREADS, 8, 1};

/*===-- Chance -------------------------------------------------------------===*/

static uint64_t seed;

/* splitmix64 (G. Steele et al., "Fast splittable pseudorandom number generators", 2014). */
static uint64_t draw(void) {
  uint64_t z = seed += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static double draw_part(void) { return (double)(draw() >> 11) / (double)(1ULL << 53); }

static unsigned node_of(unsigned thread) { return thread * NODES / THREADS; }

/*===-- Programs -----------------------------------------------------------===*/

/* Which pages a thread visits in a pass, in order. */
struct visits {
  unsigned count;
  uint16_t pages[MOST_STEPS * PAGES];
};

struct program {
  const char *name;
  unsigned passes;
  bool filled_by_each; /* else by the first thread */
  /* Whose page it is in a pass. */
  unsigned (*owner)(unsigned page, unsigned pass);
  /* How often a page is visited in a pass; NULL: once. */
  unsigned (*steps)(unsigned page, unsigned pass);
  double anybody; /* so many of the visits are of a thread drawn by lot */
};

static unsigned block(unsigned page, unsigned pass) {
  (void)pass;
  return page * THREADS / PAGES;
}

static unsigned by_columns(unsigned page, unsigned pass) {
  (void)pass;
  return page % ROW_PAGES * THREADS / ROW_PAGES;
}

enum { PHASE = 50 };

static unsigned in_phases(unsigned page, unsigned pass) {
  return pass / PHASE % 2 ? by_columns(page, pass) : block(page, pass);
}

static unsigned in_turns(unsigned page, unsigned pass) {
  return pass % 2 ? by_columns(page, pass) : block(page, pass);
}

/* As examples/dynamic/drift.c: pages near a front are visited four times as often. */
static unsigned near_front(unsigned page, unsigned pass) {
  enum { PASSES = 200, WIDTH = PAGES / 8 };
  unsigned front = PAGES * pass / PASSES;
  return (page > front ? page - front : front - page) < WIDTH ? MOST_STEPS : 1;
}

static unsigned drift(unsigned page, unsigned pass) {
  static unsigned known = ~0U;
  static uint8_t owners[PAGES];
  if (pass != known) {
    unsigned all = 0, so_far = 0;
    for (unsigned i = 0; i < PAGES; i++)
      all += near_front(i, pass);
    for (unsigned i = 0; i < PAGES; i++) {
      owners[i] = (uint8_t)(so_far * THREADS / all);
      so_far += near_front(i, pass);
    }
    known = pass;
  }
  return owners[page];
}

/* Shares of 1 to 8. */
static unsigned unequal(unsigned page, unsigned pass) {
  enum { ALL = THREADS * (THREADS + 1) / 2 };
  unsigned thread = 0;
  (void)pass;
  while ((thread + 1) * (thread + 2) / 2 * PAGES / ALL <= page)
    thread++;
  return thread;
}

static const struct program programs[] = {
    {"static", 100, false, block, NULL, 0},
    {"columns", 100, false, by_columns, NULL, 0},
    {"unequal", 100, false, unequal, NULL, 0},
    {"unequal-mixed", 200, false, unequal, NULL, 0.2},
    {"phases", 4 * PHASE, false, in_phases, NULL, 0},
    {"turns", 200, false, in_turns, NULL, 0},
    {"drift", 200, false, drift, near_front, 0},
    {"drift-filled", 200, true, drift, near_front, 0},
    {"random", 100, false, block, NULL, 1},
    {"healthy", 100, true, block, NULL, 0},
    {"healthy-mixed", 200, true, unequal, NULL, 0.2},
    {"short", 3, false, block, NULL, 0},
};

enum { PROGRAMS = sizeof programs / sizeof *programs };

/*===-- The program's run --------------------------------------------------===*/

static struct {
  const struct program *program;
  unsigned pass;
  struct visits visits[THREADS];
  double done[THREADS]; /* visits of this pass */
  double ran[THREADS];  /* seconds in all */
  double clock;
  uint8_t node[PAGES];
  unsigned long all, remote;
} run;

/* What could be. */
static struct {
  unsigned visits[PAGES][NODES];   /* of this pass */
  unsigned in_all[PAGES][NODES];   /* before */
  unsigned at_least[PAGES][NODES]; /* remote visits and moves, of a page that is there now */
} known;

static unsigned user_of(unsigned page) {
  bool anybody = draw_part() < run.program->anybody;
  return anybody ? (unsigned)(draw() % THREADS) : run.program->owner(page, run.pass);
}

static void begin_pass(void) {
  memset(run.done, 0, sizeof run.done);
  for (unsigned thread = 0; thread < THREADS; thread++)
    run.visits[thread].count = 0;
  for (unsigned page = 0; page < PAGES; page++) {
    struct visits *visits = &run.visits[user_of(page)];
    unsigned steps = run.program->steps ? run.program->steps(page, run.pass) : 1;
    for (; steps > 0; steps--)
      visits->pages[visits->count++] = (uint16_t)page;
  }
}

static void begin_run(const struct program *program) {
  memset(&run, 0, sizeof run);
  run.program = program;
  for (unsigned page = 0; page < PAGES; page++)
    run.node[page] =
        (uint8_t)(program->filled_by_each ? node_of(program->owner(page, 0)) : node_of(0));
  begin_pass();
}

static bool has_ended(void) { return run.pass == run.program->passes; }

static bool is_done(unsigned thread) { return run.done[thread] >= run.visits[thread].count; }

/* In the order of the threads, so many at a time for a quantum each. */
static bool is_running(unsigned thread) {
  unsigned first = (unsigned)(run.clock / QUANTUM) * options.cpus % THREADS, place = 0;
  if (is_done(thread))
    return false;
  for (unsigned i = first; i % THREADS != thread; i++)
    place += !is_done(i % THREADS);
  return place < options.cpus;
}

static void visit(unsigned thread, double more) {
  const struct visits *visits = &run.visits[thread];
  double until = run.done[thread] + more;
  for (unsigned i = (unsigned)run.done[thread]; i < (unsigned)until && i < visits->count; i++) {
    unsigned page = visits->pages[i];
    run.all++;
    run.remote += run.node[page] != node_of(thread);
    known.visits[page][node_of(thread)]++;
  }
  run.done[thread] = until;
}

static unsigned page_now(unsigned thread) {
  const struct visits *visits = &run.visits[thread];
  unsigned done = (unsigned)run.done[thread];
  return visits->pages[done < visits->count ? done : visits->count - 1];
}

/*===-- What could be ------------------------------------------------------===*/

static void begin_knowing(void) {
  memset(&known, 0, sizeof known);
  for (unsigned page = 0; page < PAGES; page++)
    for (unsigned node = 0; node < NODES; node++)
      known.at_least[page][node] = node != run.node[page];
}

static unsigned sum(const unsigned *of_nodes) {
  unsigned all = 0;
  for (unsigned node = 0; node < NODES; node++)
    all += of_nodes[node];
  return all;
}

static unsigned least(const unsigned *of_nodes) {
  unsigned least = of_nodes[0];
  for (unsigned node = 1; node < NODES; node++)
    least = of_nodes[node] < least ? of_nodes[node] : least;
  return least;
}

static unsigned most(const unsigned *of_nodes) {
  unsigned most = 0;
  for (unsigned node = 0; node < NODES; node++)
    most = of_nodes[node] > most ? of_nodes[node] : most;
  return most;
}

/* Before a pass each page may be moved, from wherever that is cheapest. */
static void know_pass(void) {
  for (unsigned page = 0; page < PAGES; page++) {
    unsigned all = sum(known.visits[page]), by_move = least(known.at_least[page]) + 1;
    for (unsigned node = 0; node < NODES; node++) {
      unsigned *at_least = &known.at_least[page][node];
      *at_least = (*at_least < by_move ? *at_least : by_move) + all - known.visits[page][node];
      known.in_all[page][node] += known.visits[page][node];
    }
  }
  memset(known.visits, 0, sizeof known.visits);
}

/*===-- What libmai sees and does ------------------------------------------===*/

static struct {
  struct mai_evidence evidence;
  struct mai_rental decision;
  struct mai_touch newest[MOST_NEWEST]; /* in this look, and since the last */
  size_t samples;
  double next_sample[THREADS];
  double look_until, looked, rests_until, spent;
  double ran_before; /* by all threads, before this look */
  uint8_t before[PAGES], target[PAGES];
  unsigned moving; /* the next page; PAGES: none */
  double paid;
  unsigned long moved;
  double first;
} mai;

/* In a hurry at first. */
static double period(void) {
  static const double BUDGET = 0.01, SAMPLE = 5e-6;
  double unspent = run.clock < 1e-3 * (double)MAI_FIRST_LOOK ? 1 : 0;
  uint64_t least = mai_decision_period(BUDGET, SAMPLE, unspent);
  double period = 1e-9 * (double)(unspent > 0 ? least : mai_decision_spread(least, options.cpus));
  return period > options.sample_seconds ? period : options.sample_seconds;
}

static void begin_watching(void) {
  memset(&mai, 0, sizeof mai);
  memset(mai.before, NOT_MOVED, sizeof mai.before);
  mai.moving = PAGES;
  mai.first = -1;
  for (unsigned thread = 0; thread < THREADS; thread++)
    mai.next_sample[thread] = draw_part() * period();
}

static void sample(unsigned thread) {
  if (run.ran[thread] < mai.next_sample[thread])
    return;
  mai.next_sample[thread] += period() * (0.75 + draw_part() / 2); /* no pass is as the other */
  mai.newest[mai.samples++ % MOST_NEWEST] =
      (struct mai_touch){.page = page_now(thread), .thread = thread, .region = 1};
}

static unsigned owner_by(const struct mai_pattern *pattern, unsigned page) {
  switch (pattern->kind) {
  case MAI_PATTERN_REVERSED:
    return THREADS - 1 - page * THREADS / PAGES;
  case MAI_PATTERN_COLUMNS:
    return page % ROW_PAGES * THREADS / ROW_PAGES;
  case MAI_PATTERN_BLOCK_CYCLIC:
    return (unsigned)(page / pattern->chunk % THREADS);
  case MAI_PATTERN_SHARES:
    for (unsigned thread = 0, end = 0; thread < THREADS; thread++)
      if (page < (end += (unsigned)pattern->shares[thread]))
        return thread;
    return THREADS - 1;
  default:
    return page * THREADS / PAGES;
  }
}

static uint8_t node_by(const struct mai_pattern *pattern, unsigned page) {
  return (uint8_t)(pattern->kind == MAI_PATTERN_EVERYONE ? page % NODES
                                                         : node_of(owner_by(pattern, page)));
}

static void begin_move(enum mai_choice choice, const struct mai_pattern *pattern) {
  for (unsigned page = 0; page < PAGES; page++) {
    bool back = choice == MAI_CHOICE_MOVE_BACK;
    uint8_t origin = mai.before[page] == NOT_MOVED ? run.node[page] : mai.before[page];
    mai.target[page] = back ? origin : node_by(pattern, page);
  }
  memset(mai.before, NOT_MOVED, sizeof mai.before);
  mai.moving = 0;
  mai.paid = 0;
  if (mai.first < 0)
    mai.first = run.clock;
}

static void decide(void) {
  static const uint32_t nodes[THREADS] = {0, 0, 1, 1, 2, 2, 3, 3};
  const struct mai_touched touched = {
      .pages = PAGES, .row_pages = ROW_PAGES, .threads = THREADS, .nodes = nodes};
  uint32_t then[MAI_MOST_KEPT], back[MAI_MOST_KEPT];
  struct mai_pattern pattern;
  mai_evidence_infer(&mai.evidence, touched, run.clock, &pattern);
  struct mai_prospect prospect = {.kind = pattern.kind,
                                  .open = pattern.open,
                                  .clear = pattern.clear,
                                  .factor = 2,
                                  .page_bytes = 4096,
                                  .pages = PAGES,
                                  .move_seconds = options.page_seconds};
  for (size_t i = 0; i < mai.evidence.count; i++) {
    unsigned page = (unsigned)mai.evidence.touches[i].page;
    then[i] = node_by(&pattern, page); /* of no use where the pattern does not say where */
    back[i] = mai.before[page] == NOT_MOVED ? mai.evidence.at[i] : mai.before[page];
  }
  mai_evidence_weigh(&mai.evidence, then, back, NODES, run.clock, &prospect);
  enum mai_choice choice = mai_decide(&mai.decision, &prospect, pattern.chunk, run.clock);
  mai_evidence_end(&mai.evidence, pattern.kind);
  if (choice != MAI_CHOICE_STAY)
    begin_move(choice, &pattern);
}

static double ran_in_all(void) {
  double all = 0;
  for (unsigned thread = 0; thread < THREADS; thread++)
    all += run.ran[thread];
  return all;
}

static void begin_look(void) {
  mai.samples = 0;
  mai.looked = run.clock;
  mai.ran_before = ran_in_all();
}

/* A thread at the same page again says nothing new about the pattern. */
static void add_evidence(const struct mai_touch *touch) {
  struct mai_evidence *evidence = &mai.evidence;
  size_t i = 0;
  while (i < evidence->count &&
         (evidence->touches[i].page != touch->page || evidence->touches[i].thread != touch->thread))
    i++;
  if (i < evidence->count)
    evidence->counts[i]++;
  else
    mai_evidence_add(evidence, *touch, node_of(touch->thread), run.node[touch->page], 1);
}

static void end_look(void) {
  static const double ROUND_SECONDS = 200e-6;
  double seconds = run.clock - mai.looked;
  size_t samples = mai.samples < MOST_NEWEST ? mai.samples : MOST_NEWEST;
  for (size_t i = 0; i < samples; i++)
    add_evidence(&mai.newest[(mai.samples - samples + i) % MOST_NEWEST]);
  mai_evidence_look(&mai.evidence, seconds, ran_in_all() - mai.ran_before, run.clock);
  decide();
  mai.spent += ROUND_SECONDS;
  double rest = mai_decision_rest(&mai.decision);
  double pause = mai_decision_pause(run.clock, 0.01, mai.spent);
  mai.rests_until = run.clock + (rest > pause ? rest : pause);
  mai.look_until = 0;
  begin_look();
}

static void move_pages(void) {
  double left = STEP;
  for (; mai.moving < PAGES && left > 0; mai.moving++) {
    unsigned page = mai.moving;
    if (mai.target[page] == run.node[page])
      continue;
    mai.before[page] = run.node[page];
    run.node[page] = mai.target[page];
    mai.moved++;
    left -= options.page_seconds;
    mai.paid += options.page_seconds;
  }
  if (mai.moving < PAGES)
    return;
  mai_decision_moved(&mai.decision, mai.paid, run.clock);
  mai_evidence_forget(&mai.evidence);
  begin_look();
}

static void watch(void) {
  if (mai.moving < PAGES) {
    move_pages();
    return;
  }
  if (run.clock < mai.rests_until)
    return;
  if (mai.look_until <= 0)
    mai.look_until = run.clock;
  bool enough = mai.samples >= mai_evidence_wanted(&mai.evidence);
  if (mai_decision_look_is_over(mai.samples, 1, enough, run.clock - mai.look_until))
    end_look();
}

/*===-- All of it ----------------------------------------------------------===*/

static bool run_threads(bool watches) {
  double visits = STEP / (options.pass_seconds * (double)THREADS / (double)PAGES);
  bool any = false;
  bool running[THREADS];
  for (unsigned thread = 0; thread < THREADS; thread++)
    running[thread] = is_running(thread);
  for (unsigned thread = 0; thread < THREADS; thread++) {
    if (!running[thread])
      continue;
    any = true;
    run.ran[thread] += STEP;
    if (watches)
      sample(thread);
    visit(thread, visits);
  }
  return any;
}

static void end_pass(void) {
  know_pass();
  run.pass++;
  if (!has_ended())
    begin_pass();
}

static void run_program(const struct program *program, bool watches) {
  begin_run(program);
  begin_watching();
  begin_knowing();
  while (!has_ended()) {
    bool any = run_threads(watches);
    run.clock += STEP;
    if (watches)
      watch();
    if (!any)
      end_pass();
  }
}

struct result {
  double first_touch, best, known, remote, moved, first;
};

static double part(unsigned long visits) { return (double)visits / (double)run.all; }

static void add_possible(struct result *result) {
  unsigned long best = 0, at_least = 0;
  for (unsigned page = 0; page < PAGES; page++) {
    best += sum(known.in_all[page]) - most(known.in_all[page]);
    at_least += least(known.at_least[page]);
  }
  result->first_touch += part(run.remote);
  result->best += part(best);
  result->known += part(at_least);
}

static void add_run(struct result *result) {
  result->remote += part(run.remote + mai.moved);
  result->moved += (double)mai.moved / (double)PAGES;
  result->first += mai.first < 0 ? run.clock : mai.first;
}

/* @return whether that is no more than was asked for */
static bool judge(const struct program *program) {
  struct result result = {0};
  for (unsigned i = 0; i < options.runs; i++) {
    seed = i;
    run_program(program, false);
    add_possible(&result);
    seed = i;
    run_program(program, true);
    add_run(&result);
  }
  double runs = options.runs;
  printf("%-14s %11.3f %6.3f %6.3f %7.3f %6.2f %9.2f\n", program->name, result.first_touch / runs,
         result.best / runs, result.known / runs, result.remote / runs, result.moved / runs,
         result.first / runs);
  return result.remote / runs <= options.most;
}

static void fail(const char *what, const char *word) {
  fprintf(stderr, "decisions_model: %s: %s\n", word, what);
  exit(2);
}

static double number(const char *word, double low, double high) {
  char *end;
  double value = strtod(word, &end);
  if (end == word || *end || !(value >= low && value <= high))
    fail("not a number that can be used here", word);
  return value;
}

static void read_option(int option) {
  if (option == 'p')
    options.pass_seconds = 1e-3 * number(optarg, 5, 1e5);
  else if (option == 'm')
    options.page_seconds = 1e-6 * number(optarg, 1, 1e5);
  else if (option == 'c')
    options.cpus = (unsigned)number(optarg, 1, THREADS);
  else if (option == 's')
    options.sample_seconds = 1e-3 * number(optarg, 0, 1e3);
  else if (option == 'r')
    options.runs = (unsigned)number(optarg, 1, 1e4);
  else if (option == 'w')
    options.most = number(optarg, 0, 1);
  else
    exit(2);
}

static const struct program *find(const char *name) {
  for (size_t i = 0; i < PROGRAMS; i++)
    if (strcmp(programs[i].name, name) == 0)
      return &programs[i];
  fail("no such program", name);
  return NULL;
}

int main(int count, char **words) {
  static const struct option names[] = {{"pass", required_argument, NULL, 'p'},
                                        {"page", required_argument, NULL, 'm'},
                                        {"cpus", required_argument, NULL, 'c'},
                                        {"sample", required_argument, NULL, 's'},
                                        {"runs", required_argument, NULL, 'r'},
                                        {"most", required_argument, NULL, 'w'},
                                        {0}};
  bool good = true;
  for (int option; (option = getopt_long(count, words, "", names, NULL)) != -1;)
    read_option(option);
  printf("%-14s %11s %6s %6s %7s %6s %9s\n", "program", "first touch", "best", "known", "dynamic",
         "moved", "first (s)");
  for (int i = optind; i < count; i++)
    good = judge(find(words[i])) && good;
  for (size_t i = 0; i < PROGRAMS && optind == count; i++)
    good = judge(&programs[i]) && good;
  return good ? 0 : 1;
}
