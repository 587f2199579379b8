/*===-- observation.c - what threads are seen to access in a round -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "observation.h"

#include <string.h>

#include "decision.h"
#include "instructions.h"
#include "mai/memory/kernel.h"
#include "mai/memory/machine.h"
#include "mai/threads/thread_samples.h"
#include "mai/threads/threads.h"
#include "opened.h"
#include "phases.h"
#include "runtime/clock.h"
#include "runtime/heap.h"
#include "runtime/system.h"
#include "samples.h"

enum { MOST_PAGES = 256 };

/* Of an array in a round: more would be of no use. */
enum { MOST_HITS = 192 };

static const double FIRST_LOOK = (double)MAI_FIRST_LOOK / 1e3;

/*===-- Which pages --------------------------------------------------------===*/

size_t mai_draw(size_t below) {
  static uint64_t seed;
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  return (size_t)(seed >> 33) % below;
}

size_t mai_entry_units(const struct mai_entry *entry) {
  return (entry->end - 1) / entry->unit - entry->begin / entry->unit + 1;
}

struct mai_watched mai_entry_unit(const struct mai_entry *entry, size_t index) {
  uintptr_t begin = (entry->begin / entry->unit + index) * entry->unit;
  uintptr_t end = begin + entry->unit;
  return (struct mai_watched){.begin = begin > entry->begin ? begin : entry->begin,
                              .end = end < entry->end ? end : entry->end};
}

/* Pages that nobody has touched yet have nothing to protect. */
static void add_page(const struct mai_entry *entry, size_t index,
                     struct mai_watched_sample *sample) {
  struct mai_watched page = mai_entry_unit(entry, index);
  int node;
  if (mai_kernel_where(page.begin, entry->page_size, 1, &node) != 0 || node < 0)
    return;
  sample->nodes[sample->count] = (uint32_t)node;
  sample->pages[sample->count++] = page;
}

/* One out of each of `wanted` equal parts. */
static void add_pages(struct mai_entry *entry, size_t wanted, struct mai_watched_sample *sample) {
  size_t units = mai_entry_units(entry);
  wanted = wanted < units ? wanted : units;
  entry->first = sample->count;
  for (size_t i = 0; i < wanted; i++) {
    size_t begin = units * i / wanted, end = units * (i + 1) / wanted;
    add_page(entry, begin + mai_draw(end - begin), sample);
  }
  entry->count = sample->count - entry->first;
}

static int make_sample(struct mai_turn *turn, size_t most, struct mai_watched_sample *sample) {
  size_t each = most / turn->count;
  each = each < MOST_PAGES ? each : MOST_PAGES;
  sample->count = 0;
  sample->pages = minas_alloc_list(each * turn->count + 1, sizeof *sample->pages);
  sample->nodes = minas_alloc_list(each * turn->count + 1, sizeof *sample->nodes);
  if (!sample->pages || !sample->nodes)
    return -1;
  for (size_t i = 0; i < turn->count; i++)
    add_pages(&turn->entries[i], each, sample);
  return 0;
}

/*===-- Whose --------------------------------------------------------------===*/

bool mai_team_find(struct mai_team *team) {
  const numarch_t *topology = mai_machine()->topology;
  team->threads = mai_threads_team_size_now();
  if (team->threads > MAI_MOST_TOUCHING)
    return false;
  for (unsigned thread = 0; thread < team->threads; thread++) {
    const struct numarch_node *node = numarch_get_node(topology, mai_threads_node(thread));
    if (!node)
      return false;
    team->nodes[thread] = node->os_index;
    team->numbers[thread] = mai_thread_sample_number(thread);
  }
  return true;
}

/*===-- Which accesses -----------------------------------------------------===*/

/* The threads of a round, while they are sampled. */
struct sampling {
  const struct mai_round *round;
  struct mai_turn *turn;
  struct mai_samples *samples; /* NULL: they are not */
  struct mai_hit *hits;        /* of all arrays */
  size_t count;                /* samples so far */
  size_t found;                /* accesses of the arrays in them */
};

/* Arrays are looked at in the order of their addresses. */
static struct mai_entry *entry_around(const struct mai_turn *turn, uintptr_t address) {
  size_t first = 0, last = turn->count;
  while (first < last) {
    size_t middle = (first + last) / 2;
    if (turn->entries[middle].end <= address)
      first = middle + 1;
    else
      last = middle;
  }
  bool found = first < turn->count && turn->entries[first].begin <= address;
  return found ? &turn->entries[first] : NULL;
}

/* The regions that have been seen, also those that use no array. */
static struct mai_regions regions;

bool mai_observation_knows(uint32_t region) { return mai_regions_know(&regions, region); }

/* A thread that is seen at the same page again and again says nothing new about the pattern, but
   about what accesses cost.  @return NULL: there is no room for another */
static struct mai_hit *hit_of(struct mai_entry *entry, size_t unit, unsigned thread) {
  for (size_t i = 0; i < entry->hit_count; i++)
    if (entry->hits[i].unit == unit && entry->hits[i].thread == thread)
      return &entry->hits[i];
  if (entry->hit_count == MOST_HITS)
    return NULL;
  entry->hits[entry->hit_count] = (struct mai_hit){.unit = unit, .thread = thread};
  return &entry->hits[entry->hit_count++];
}

static void note_hit(struct mai_entry *entry, unsigned thread, uintptr_t address, uint32_t region) {
  size_t unit = address / entry->unit - entry->begin / entry->unit;
  struct mai_hit *hit = hit_of(entry, unit, thread);
  entry->sampled++;
  mai_regions_note(&regions, region);
  if (hit && hit->count++ == 0)
    hit->region = region;
}

static bool is_among(struct mai_entry *const *entries, size_t count,
                     const struct mai_entry *entry) {
  size_t i = 0;
  while (i < count && entries[i] != entry)
    i++;
  return i < count;
}

/* Loops use several arrays at once, and each of these counts, by the first address in it; what the
   sample stands for is shared among them. */
static void see_addresses(struct sampling *sampling, unsigned thread, const uintptr_t *addresses,
                          size_t count, uint32_t region) {
  struct mai_entry *seen[MAI_MOST_OPERANDS];
  size_t arrays = 0;
  for (size_t i = 0; i < count; i++) {
    struct mai_entry *entry = entry_around(sampling->turn, addresses[i]);
    if (!entry || is_among(seen, arrays, entry))
      continue;
    note_hit(entry, thread, addresses[i], region);
    seen[arrays++] = entry;
  }
  for (size_t i = 0; i < arrays; i++)
    seen[i]->samples += 1 / (double)arrays;
  sampling->found += arrays;
}

static void see_sample(void *context, const struct mai_seen *seen) {
  see_addresses(context, seen->thread, seen->addresses, seen->count, mai_opened_at(seen->when));
}

static void see_samples(void *context) {
  struct sampling *sampling = context;
  if (sampling->samples)
    sampling->count += mai_samples_read(sampling->samples, see_sample, sampling);
}

static bool has_any_enough(const struct mai_turn *turn) {
  size_t i = 0;
  while (i < turn->count && turn->entries[i].hit_count < turn->entries[i].enough)
    i++;
  return i < turn->count;
}

static bool is_enough(const struct sampling *sampling, double seconds) {
  const struct mai_turn *turn = sampling->turn;
  return !sampling->samples ||
         mai_decision_look_is_over(sampling->found, turn->count, has_any_enough(turn), seconds);
}

/* What is sampled from one round to the next, by the thread that calls: to begin takes the kernel
   longer than a round. */
static struct {
  struct mai_samples *samples;
  double hurried;  /* for the first look, until then; 0: not */
  uint64_t period; /* behind it */
  unsigned threads;
  uint32_t numbers[MAI_MOST_TOUCHING];
} kept;

void mai_observations_end(void) {
  mai_samples_end(kept.samples);
  kept.samples = NULL;
}

/* To set it anew takes a system call for each thread. */
static void spread_samples(uint64_t period, double busy) {
  uint64_t spread = mai_decision_spread(period, busy);
  bool differs = spread > kept.period + kept.period / 4 || spread < kept.period - kept.period / 4;
  if (!kept.samples || !differs)
    return;
  kept.period = spread;
  if (kept.hurried <= 0)
    mai_samples_set_period(kept.samples, spread);
}

static void end_hurry(double now) {
  if (kept.hurried <= 0 || now < kept.hurried)
    return;
  mai_samples_set_period(kept.samples, kept.period);
  kept.hurried = 0;
}

static void sample_threads(struct sampling *sampling) {
  static const long PATIENCE = 4000; /* microseconds */
  double begin = minas_now(), seconds = 0;
  while (!is_enough(sampling, seconds) && !sampling->round->is_to_end()) {
    minas_sleep(PATIENCE);
    see_samples(sampling);
    mai_regions_note(&regions, mai_opened_last());
    end_hurry(minas_now());
    seconds = minas_now() - begin;
  }
}

static bool is_sampled(const struct mai_team *team) {
  return kept.samples && kept.threads == team->threads &&
         memcmp(kept.numbers, team->numbers, team->threads * sizeof *kept.numbers) == 0;
}

/*===-- Between rounds -----------------------------------------------------===*/

/* Threads are sampled then, too, and the next round begins with what was seen: the newest of it. */
enum { MOST_MEANWHILE = 512 };

static struct {
  double since;
  double taken; /* seconds of CPUs that the program had taken then */
  size_t count; /* samples */
  struct meanwhile {
    uint32_t region;
    unsigned thread;
    size_t count;
    uintptr_t addresses[MAI_MOST_OPERANDS];
  } list[MOST_MEANWHILE];
} meanwhile;

/* Of all CPUs. */
static double program_seconds(void) { return minas_seconds_by(CLOCK_PROCESS_CPUTIME_ID); }

static void forget_meanwhile(void) {
  if (kept.samples)
    mai_samples_skip(kept.samples);
  meanwhile.count = 0;
  meanwhile.since = minas_now();
  meanwhile.taken = program_seconds();
}

static void keep_sample(void *unused, const struct mai_seen *seen) {
  struct meanwhile *sample = &meanwhile.list[meanwhile.count++ % MOST_MEANWHILE];
  (void)unused;
  *sample = (struct meanwhile){
      .region = mai_opened_at(seen->when), .thread = seen->thread, .count = seen->count};
  memcpy(sample->addresses, seen->addresses, seen->count * sizeof *seen->addresses);
}

void mai_observation_rest(void) {
  if (!kept.samples)
    return;
  end_hurry(minas_now());
  mai_samples_read(kept.samples, keep_sample, NULL);
}

static void see_meanwhile(struct sampling *sampling) {
  size_t count = meanwhile.count < MOST_MEANWHILE ? meanwhile.count : MOST_MEANWHILE;
  for (size_t i = 0; i < count; i++) {
    const struct meanwhile *sample = &meanwhile.list[i];
    see_addresses(sampling, sample->thread, sample->addresses, sample->count, sample->region);
  }
  sampling->count += count;
}

static struct mai_samples *sample_team(const struct mai_team *team, const struct mai_round *round) {
  if (is_sampled(team))
    return kept.samples;
  bool first = !kept.samples;
  mai_observations_end();
  forget_meanwhile();
  kept.threads = team->threads;
  memcpy(kept.numbers, team->numbers, sizeof kept.numbers);
  kept.samples = mai_samples_begin(kept.numbers, kept.threads,
                                   first ? round->first_period : round->sample_period);
  kept.period = round->sample_period;
  kept.hurried = kept.samples && first ? minas_now() + FIRST_LOOK : 0;
  return kept.samples;
}

static void begin_sampling(struct sampling *sampling, const struct mai_team *team) {
  struct mai_turn *turn = sampling->turn;
  mai_regions_next(&regions);
  if (meanwhile.since <= 0)
    forget_meanwhile();
  if (sampling->round->costs->sample <= 0)
    return;
  sampling->hits = minas_alloc_list(turn->count * MOST_HITS, sizeof *sampling->hits);
  for (size_t i = 0; i < turn->count; i++)
    turn->entries[i].hits = sampling->hits + i * MOST_HITS;
  if (!sampling->hits)
    return;
  sampling->samples = sample_team(team, sampling->round);
  if (sampling->round->news)
    forget_meanwhile();
  see_meanwhile(sampling);
}

/*===-- Watching -----------------------------------------------------------===*/

static int watch(struct sampling *sampling, struct mai_watched_sample *sample) {
  const struct mai_round *round = sampling->round;
  const struct mai_turn *turn = sampling->turn;
  struct mai_watched_range ranges[MAI_MOST_ARRAYS];
  for (size_t i = 0; i < turn->count; i++)
    ranges[i] = (struct mai_watched_range){turn->entries[i].begin, turn->entries[i].end};
  return mai_watch(&(struct mai_watching){.ranges = ranges,
                                          .range_count = turn->count,
                                          .pages = sample->pages,
                                          .count = sample->count,
                                          .seconds = MAI_LONGEST_LOOK,
                                          .is_to_end = round->is_to_end,
                                          .region = mai_opened_last,
                                          .meanwhile = see_samples,
                                          .context = sampling});
}

/* Pages are taken from threads only where these cannot be sampled.
   @return whether anything can have been seen */
static bool look_at_threads(struct sampling *sampling, struct mai_watched_sample *sample,
                            size_t most_pages) {
  bool arms = sampling->round->sees_writes && (!sampling->samples || sampling->round->at_random);
  bool armed =
      arms && make_sample(sampling->turn, most_pages, sample) == 0 && watch(sampling, sample) == 0;
  if (!armed)
    sample_threads(sampling);
  return armed || sampling->samples;
}

/*===-- An observation ------------------------------------------------------===*/

/* Threads that are not in the team may have run as well. */
double mai_observation_busy(const struct mai_team *team) {
  double seconds = minas_now() - meanwhile.since;
  double busy = seconds > 0 ? (program_seconds() - meanwhile.taken) / seconds : 0;
  return busy < team->threads ? busy : team->threads;
}

/* Where CPUs are not always there, as in virtual machines, the clock leaves out many samples: each
   stands for an equal part of the time that threads have run. */
static double busy_each(const struct sampling *sampling, const struct mai_team *team) {
  return sampling->count ? mai_observation_busy(team) / (double)sampling->count : 0;
}

/* The watching thread takes a CPU from one of the program's; who writes a watched page may be
   waited for by all of them.  What samples cost is limited by their period. */
static double cost_of(const struct sampling *sampling, const struct mai_watched_sample *sample,
                      const struct mai_team *team, double own) {
  size_t written = 0;
  for (size_t i = 0; i < sample->count; i++)
    written += sample->pages[i].thread != 0;
  return (double)written * sampling->round->costs->fault + own / team->threads;
}

/* To begin to sample costs as much as many rounds, and serves them: none waits long because of it
   alone, and each pays a part of what is owed. */
static double part_of_begin(double seconds) {
  static const double PART = 1.0 / 8;
  static double owed;
  owed += seconds;
  double part = owed * PART;
  owed -= part;
  return part;
}

bool mai_observation_take(const struct mai_round *round, const struct mai_team *team,
                          struct mai_turn *turn, struct mai_observation *observation) {
  struct sampling sampling = {.round = round, .turn = turn};
  double before = minas_own_seconds();
  *observation = (struct mai_observation){.cost = 0};
  begin_sampling(&sampling, team);
  double own = minas_own_seconds();
  observation->hits = sampling.hits;
  if (!look_at_threads(&sampling, &observation->sample, round->most_pages))
    return false;
  observation->seconds = minas_now() - meanwhile.since;
  observation->busy_each = busy_each(&sampling, team);
  observation->cost = cost_of(&sampling, &observation->sample, team,
                              minas_own_seconds() - own + part_of_begin(own - before));
  observation->cost_each = observation->cost / (double)turn->count;
  spread_samples(round->sample_period, mai_observation_busy(team));
  return true;
}

void mai_observation_end(struct mai_observation *observation) {
  forget_meanwhile();
  minas_free(observation->hits);
  minas_free(observation->sample.pages);
  minas_free(observation->sample.nodes);
}
