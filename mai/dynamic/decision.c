/*===-- decision.c - whether to move pays, and when to watch ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "decision.h"

#include "mai/policy/placement.h"

/* An array is watched so often at first, and so seldom at last. */
static const double SHORTEST_REST = 0.05, LONGEST_REST = 10;

/* To move has to save that part of what accesses cost at best, and what may seem so by chance;
   where the last move has paid little is enough. */
static const double LEAST_GAIN = 0.1, LITTLE_GAIN = 0.03;

static const double LINE_BYTES = 64;

/* One of so many is little. */
static const double LITTLE_BESIDE = 4;

/* Moves that have paid make the next one wait for less, others for longer: within these bounds. */
static const double LEAST_PATIENCE = 0.125, MOST_PATIENCE = 64;

/* While nothing changes each rest is longer than the one before: when something changes, it has
   been so for a quarter of the time that nothing did. */
static const double LONGER = 1.25;

/*===-- How touches are served ---------------------------------------------===*/

/* By Newton: <math.h> is in another library. */
static double root(double square) {
  enum { STEPS = 32 };
  double root = square > 1 ? square : 1;
  for (unsigned i = 0; i < STEPS && square > 0; i++)
    root = (root + square / root) / 2;
  return square > 0 ? root : 0;
}

/* By how much a part is wrong by chance that so many have been seen for: its standard error. */
static double chance(double part, double seen) {
  return seen > 0 ? root(part * (1 - part) / seen) : 0;
}

/* Where few threads are seen one node always serves more than its part by chance, which is left
   out: up to twice the error, as the node is the busiest of several. */
static double busiest_of(double most, double seen, uint32_t nodes) {
  double busiest = (most - 2 * chance(most, seen)) * nodes;
  return busiest > 1 ? busiest : 1;
}

/* Which threads run while somebody looks is chance, too, where there are fewer CPUs than it seems,
   and so accesses of one thread are not independent of each other. */
static double threads_seen(const struct mai_served *served) {
  double by[MAI_MOST_TOUCHING] = {0};
  double all = 0, squares = 0;
  for (size_t i = 0; i < served->count; i++) {
    unsigned thread = served->touches[i].thread;
    if (thread < MAI_MOST_TOUCHING)
      by[thread] += served->counts[i];
  }
  for (unsigned thread = 0; thread < MAI_MOST_TOUCHING; thread++) {
    all += by[thread];
    squares += by[thread] * by[thread];
  }
  return squares > 0 ? all * all / squares : 0;
}

struct mai_service mai_service_of(const struct mai_served *served) {
  double by[MAI_MOST_NODES] = {0};
  double all = 0, remote = 0, most = 0;
  for (size_t i = 0; i < served->count; i++) {
    double count = served->counts[i];
    uint32_t to = served->to[i];
    all += count;
    remote += served->from[i] != to ? count : 0;
    if (to < MAI_MOST_NODES && (by[to] += count) > most)
      most = by[to];
  }
  if (all <= 0)
    return (struct mai_service){.busiest = 1};
  double seen = threads_seen(served);
  return (struct mai_service){remote / all, busiest_of(most / all, seen, served->nodes), seen};
}

/* Of how many accesses less another node is asked where other nodes have their pages: 1, 0 or -1.
 */
static double saved_by(const struct mai_served *served, size_t touch, const uint32_t *other) {
  uint32_t from = served->from[touch];
  return (from != served->to[touch]) - (from != other[touch]);
}

/* What accesses save, of all threads and of each. */
struct saving {
  double all, all_saved;
  double of[MAI_MOST_TOUCHING], saved[MAI_MOST_TOUCHING];
};

static void add_saving(struct saving *saving, unsigned thread, double count, double saved) {
  saving->all += count;
  saving->all_saved += saved;
  if (thread >= MAI_MOST_TOUCHING)
    return;
  saving->of[thread] += count;
  saving->saved[thread] += saved;
}

/* The accesses of a thread are not independent of each other, and which threads run is chance: what
   comes of how threads differ. */
static double square_of_threads(const struct saving *saving, double part) {
  double square = 0;
  for (unsigned thread = 0; thread < MAI_MOST_TOUCHING; thread++) {
    double beyond = (saving->saved[thread] - part * saving->of[thread]) / saving->all;
    square += beyond * beyond;
  }
  return square;
}

/* Where they do not, there is what comes of how few touches there are. */
double mai_service_error(const struct mai_served *served, const uint32_t *other) {
  struct saving saving = {.all = 0};
  for (size_t i = 0; i < served->count; i++)
    add_saving(&saving, served->touches[i].thread, served->counts[i],
               served->counts[i] * saved_by(served, i, other));
  if (saving.all <= 0)
    return 0;
  double part = saving.all_saved / saving.all;
  double of_touches = chance(part < 0 ? -part : part, (double)served->count);
  return root(square_of_threads(&saving, part) + of_touches * of_touches);
}

double mai_service_price(const struct mai_service *service, double factor) {
  double queue = service->busiest < 1.1 ? 0 : service->busiest - 1;
  return service->remote * (factor - 1) + queue;
}

/*===-- Deciding -----------------------------------------------------------===*/

/* That one node touches an array may be a part of the program that is not parallel, and reads may
   not have been seen; where regions do not agree, or nothing is known, no place is better. */
static bool says_where(enum mai_pattern_kind kind) {
  return kind == MAI_PATTERN_BLOCK || kind == MAI_PATTERN_REVERSED || kind == MAI_PATTERN_COLUMNS ||
         kind == MAI_PATTERN_BLOCK_CYCLIC || mai_pattern_is_measured(kind) ||
         kind == MAI_PATTERN_EVERYONE;
}

/* What might be done. */
struct candidate {
  bool goes_back;
  double gain;
  double wrong;
  double error;
};

static double gain_of(const struct mai_prospect *prospect, const struct mai_service *other) {
  return mai_service_price(&prospect->now, prospect->factor) -
         mai_service_price(other, prospect->factor);
}

static bool has_move_paid(const struct mai_rental *decision) {
  return decision->moves > 0 && decision->earned >= decision->paid;
}

/* Only accesses to pages that would be moved are served otherwise.  Which pages these are is found
   by the same touches, so that most patterns seem to be better than they are.  Where the last move
   has paid they were not; else all that is saved may be one thread's. */
static double least_gain(const struct mai_rental *decision, const struct mai_prospect *prospect,
                         const struct candidate *candidate) {
  double remote = prospect->factor - 1;
  if (has_move_paid(decision))
    return LITTLE_GAIN + remote * candidate->error;
  return LEAST_GAIN + remote * chance(candidate->wrong, prospect->now.seen);
}

/* Whatever is taken from the node that is the busiest just now relieves it, which may be chance:
   where pages go to those who use them that counts as far as these have been served by others, at
   most so many times. */
static double gain_by(const struct mai_prospect *prospect, const struct mai_service *other,
                      double error) {
  static const double MOST_RELIEF = 4;
  double nearer = prospect->now.remote - other->remote;
  double most = nearer * (prospect->factor - 1 + MOST_RELIEF);
  double gain = gain_of(prospect, other);
  if (nearer < -error)
    return nearer;
  return prospect->kind == MAI_PATTERN_EVERYONE || gain < most ? gain : most;
}

/* Who has moved, and does not know where to, knows where the pages were. */
static struct candidate best(const struct mai_rental *decision,
                             const struct mai_prospect *prospect) {
  if (says_where(prospect->kind))
    return (struct candidate){false, gain_by(prospect, &prospect->then, prospect->error),
                              prospect->wrong, prospect->error};
  if (decision->moves > 0)
    return (struct candidate){true, gain_by(prospect, &prospect->back, prospect->error_back),
                              prospect->wrong_back, prospect->error_back};
  return (struct candidate){false, 0, 0, 0};
}

/* Equal parts are unequal ones, too. */
static enum mai_pattern_kind order_of(enum mai_pattern_kind kind) {
  return kind == MAI_PATTERN_SHARES ? MAI_PATTERN_BLOCK : kind;
}

/* Unequal parts are other ones each time they are measured. */
static bool is_the_same(const struct mai_rental *decision, const struct candidate *candidate,
                        enum mai_pattern_kind kind, size_t chunk) {
  if (decision->since <= 0 || decision->goes_back != candidate->goes_back)
    return false;
  return candidate->goes_back ||
         (order_of(decision->kind) == order_of(kind) && decision->chunk == chunk);
}

static bool have_moves_paid(const struct mai_rental *decision) { return decision->patience < 1; }

/* It has been so for as long as threads have been looked at, and where moves have paid since the
   look before. */
static void begin(struct mai_rental *decision, const struct candidate *candidate,
                  const struct mai_prospect *prospect, size_t chunk, double now) {
  bool believed = have_moves_paid(decision) && decision->looked > 0;
  decision->goes_back = candidate->goes_back;
  decision->kind = prospect->kind;
  decision->chunk = chunk;
  decision->since = believed ? decision->looked : now - prospect->seconds;
  decision->lost = 0;
}

/* One look may be wrong, unless what it has seen is clear; but where moves have paid it is
 * believed, and where so much has been lost that a move in vain is little beside it. */
static bool is_believed(const struct mai_rental *decision, const struct mai_prospect *prospect,
                        bool seen_before, double cost) {
  return seen_before || have_moves_paid(decision) || prospect->clear ||
         decision->lost >= LITTLE_BESIDE * cost;
}

/* By what threads are seen to do where that is known; else each touch is taken to read a whole
   page. */
static double saved_a_second(const struct mai_prospect *prospect, double gain) {
  if (prospect->busy > 0)
    return prospect->busy * gain / (1 + mai_service_price(&prospect->now, prospect->factor));
  double lines = prospect->pages * prospect->page_bytes / LINE_BYTES;
  return lines * prospect->touches * prospect->line_seconds * gain;
}

/* What the last move has brought since the last look. */
static void earn(struct mai_rental *decision, const struct mai_prospect *prospect, double now) {
  if (decision->moves == 0)
    return;
  double brought =
      -saved_a_second(prospect, gain_of(prospect, &prospect->back)) * (now - decision->looked);
  decision->earned += brought;
  decision->earned_in_all += brought;
}

/* Nothing would be better, as far as is known.  A look in which no pattern was known says nothing
   against the one that is waited for; but what was lost meanwhile nobody knows.  Where a little
   would be better, which may be chance, it is looked again as soon as before. */
static enum mai_choice stay(struct mai_rental *decision, enum mai_pattern_kind kind, double gain,
                            double now) {
  bool waits = decision->since > 0 && !decision->goes_back && kind == MAI_PATTERN_UNKNOWN;
  decision->since = waits ? now : 0;
  decision->stable += !waits && gain < LITTLE_GAIN;
  return MAI_CHOICE_STAY;
}

/* Seconds: the next look will take as long. */
static double until_next_look(const struct mai_prospect *prospect) {
  return SHORTEST_REST + prospect->seconds;
}

/* Something would be better: whether as much has been lost without it as it costs.  Only after
   looks is anything moved: after the one that is nearest to that time. */
static enum mai_choice wait_for(struct mai_rental *decision, const struct mai_prospect *prospect,
                                const struct candidate *candidate, size_t chunk, double now) {
  bool seen_before = is_the_same(decision, candidate, prospect->kind, chunk);
  decision->stable = 0;
  decision->saves = saved_a_second(prospect, candidate->gain);
  if (!seen_before)
    begin(decision, candidate, prospect, chunk, now);
  decision->lost += decision->saves * (now - decision->since);
  decision->since = now;
  double lost = decision->lost + decision->saves * until_next_look(prospect) / 2;
  double cost = prospect->pages * candidate->wrong * prospect->move_seconds * decision->patience;
  if (!is_believed(decision, prospect, seen_before, cost) || lost < cost)
    return MAI_CHOICE_STAY;
  return candidate->goes_back ? MAI_CHOICE_MOVE_BACK : MAI_CHOICE_MOVE;
}

enum mai_choice mai_decide(struct mai_rental *decision, const struct mai_prospect *prospect,
                           size_t chunk, double now) {
  if (prospect->open)
    decision->stable = 0;
  if (prospect->kind == MAI_PATTERN_TOO_FEW)
    return MAI_CHOICE_STAY;
  if (decision->patience <= 0)
    decision->patience = 1;
  earn(decision, prospect, now);
  const struct candidate candidate = best(decision, prospect);
  enum mai_choice choice = candidate.gain < least_gain(decision, prospect, &candidate)
                               ? stay(decision, prospect->kind, candidate.gain, now)
                               : wait_for(decision, prospect, &candidate, chunk, now);
  decision->looked = now;
  return choice;
}

static double limit(double patience) {
  if (patience < LEAST_PATIENCE)
    return LEAST_PATIENCE;
  return patience > MOST_PATIENCE ? MOST_PATIENCE : patience;
}

void mai_decision_moved(struct mai_rental *decision, double seconds, double now) {
  if (decision->moves++ > 0)
    decision->patience =
        limit(decision->earned >= decision->paid ? decision->patience / 2 : decision->patience * 2);
  decision->since = 0;
  decision->lost = 0;
  decision->looked = now;
  decision->paid = seconds;
  decision->earned = 0;
}

/*===-- What moving costs --------------------------------------------------===*/

/* Each move counts half of what the next one does, so that bad luck is forgotten. */
void mai_decision_paid(struct mai_moves_paid *paid, double seconds, size_t pages) {
  paid->seconds = paid->seconds / 2 + seconds;
  paid->pages = paid->pages / 2 + (double)pages;
}

/* Some pages may cost ten times as much as others, as where all threads use them meanwhile: what is
   known beforehand counts as much as a move of 4 MiB. */
double mai_decision_page_seconds(const struct mai_moves_paid *paid, double known) {
  static const double PAGES_BEFORE = 1024;
  return (PAGES_BEFORE * known + paid->seconds) / (PAGES_BEFORE + paid->pages);
}

/*===-- Watching -----------------------------------------------------------===*/

static double limit_rest(double rest) { return rest < LONGEST_REST ? rest : LONGEST_REST; }

double mai_decision_rest(const struct mai_rental *decision) {
  double rest = SHORTEST_REST;
  for (unsigned i = 1; i < decision->stable && rest < LONGEST_REST; i++)
    rest *= LONGER;
  return limit_rest(rest);
}

bool mai_decision_look_is_over(size_t samples, size_t arrays, bool enough, double seconds) {
  enum { ENOUGH_SAMPLES = 64 };
  static const double SHORTEST_LOOK = 0.02;
  return samples >= ENOUGH_SAMPLES * arrays || (enough && seconds >= SHORTEST_LOOK) ||
         seconds >= MAI_LONGEST_LOOK;
}

double mai_decision_pause(double elapsed, double budget, double spent) {
  double until = spent / budget;
  return until > elapsed ? limit_rest(until - elapsed) : 0;
}

size_t mai_decision_pages(double elapsed, double budget, double spent, double fault) {
  double left = elapsed * budget - spent;
  return left > 0 && fault > 0 ? (size_t)(left / fault) : 0;
}

uint64_t mai_decision_period(double budget, double cost, double unspent) {
  static const double LEAST = 1e-3;
  double look = (double)MAI_FIRST_LOOK / 1e3;
  double period = cost / budget * look / (look + unspent);
  return (uint64_t)(1e9 * (period > LEAST ? period : LEAST));
}

uint64_t mai_decision_spread(uint64_t period, double busy) {
  static const double MOST_SAMPLES = 2000; /* a second, of all threads */
  uint64_t spread = (uint64_t)(1e9 * busy / MOST_SAMPLES);
  return spread > period ? spread : period;
}
