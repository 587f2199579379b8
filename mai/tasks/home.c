/*===-- home.c - where a task's data is ---------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "home.h"

#include <errno.h>
#include <string.h>

#include "mai.h"
#include "mai/arrays/registry.h"
#include "mai/process/call.h"
#include "mai/process/start.h"
#include "runtime/fail.h"
#include "worker.h"

/*===-- Runs of pages ------------------------------------------------------===*/

enum { GRAIN = 1 << 16 };

static uintptr_t page_start(const struct mai_placement *placement, size_t page) {
  return placement->start + page * placement->page_size;
}

/* The page of an address; what an array has before its first page and behind its last is taken to
   be on these. */
static size_t page_of(const struct mai_placement *placement, uintptr_t address) {
  size_t page =
      address < placement->start ? 0 : (address - placement->start) / placement->page_size;
  return page < placement->pages ? page : placement->pages - 1;
}

/* The run of pages of an array in which `run->begin` is. */
static void look_at_pages(const struct mai_placement *placement, struct mai_home_run *run) {
  if (placement->pages == 0)
    return;
  size_t page = page_of(placement, run->begin);
  size_t end = mai_placement_run_end(placement, page);
  uint32_t node = mai_placement_node(placement, page);
  run->home = node == MAI_ANY_NODE ? MAI_NO_HOME : mai_home_of_node(node);
  run->begin = run->begin < placement->start ? 0 : page_start(placement, page);
  run->end = end < placement->pages ? page_start(placement, end) : UINTPTR_MAX;
}

/* While the registry is locked: of what memory an address is. */
static bool look_at_array(const struct mai_array *array, void *context) {
  struct mai_home_run *run = context;
  uintptr_t end = mai_array_end(array);
  if (array->shape.start > run->begin) {
    run->end = array->shape.start < run->end ? array->shape.start : run->end;
    return true;
  }
  run->array = array->shape.start;
  run->bytes = array->shape.bytes;
  run->end = run->begin + 1;
  look_at_pages(&array->placement, run);
  run->begin = run->begin > array->shape.start ? run->begin : array->shape.start;
  run->end = run->end < end ? run->end : end;
  return true;
}

/* Where no array is near, all of the grain is remembered. */
static struct mai_home_run look_up(uintptr_t address) {
  MAI_CALL;
  uintptr_t grain = address & ~(uintptr_t)(GRAIN - 1);
  struct mai_home_run run = {
      .begin = grain, .end = grain + GRAIN, .home = MAI_NO_HOME, .changes = mai_registry_changes()};
  struct mai_home_run here = run;
  here.begin = address;
  if (!mai_registry_look(grain, grain + GRAIN, look_at_array, &run))
    return run;
  mai_registry_look(address, grain + GRAIN, look_at_array, &here);
  return here;
}

static struct mai_home_run run_of(uintptr_t address) {
  struct mai_home_notes *notes = mai_own_home_notes();
  if (!notes)
    return look_up(address);
  unsigned long changes = mai_registry_changes();
  for (unsigned i = 0; i < MAI_HOME_RUNS; i++) {
    const struct mai_home_run *run = &notes->runs[i];
    if (address - run->begin < run->end - run->begin && run->changes == changes)
      return *run;
  }
  return notes->runs[notes->next++ % MAI_HOME_RUNS] = look_up(address);
}

/*===-- Which home has most ------------------------------------------------===*/

static void vote(struct mai_home_votes *votes, unsigned home, size_t bytes) {
  unsigned i = 0;
  while (i < votes->count && votes->homes[i] != home)
    i++;
  if (home == MAI_NO_HOME || i == MAI_MOST_VOTED)
    return;
  if (i == votes->count) {
    votes->homes[i] = home;
    votes->bytes[i] = 0;
    votes->count++;
  }
  votes->bytes[i] += bytes;
}

unsigned mai_home_winner(const struct mai_home_votes *votes) {
  unsigned best = 0;
  for (unsigned i = 1; i < votes->count; i++)
    if (votes->bytes[i] > votes->bytes[best])
      best = i;
  return votes->count ? votes->homes[best] : MAI_NO_HOME;
}

/* Not the numbers that cannot be addresses of a program's memory. */
static bool may_be_pointer(uintptr_t word) { return word >> 47 == 0 && word >= GRAIN; }

enum { MOST_RUNS = 4096 }; /* of longer ranges the beginning decides */

void mai_home_vote(struct mai_home_votes *votes, const void *memory, size_t bytes) {
  uintptr_t begin = (uintptr_t)memory;
  uintptr_t end = begin + (bytes < UINTPTR_MAX - begin ? bytes : UINTPTR_MAX - begin);
  for (unsigned i = 0; i < MOST_RUNS && begin < end; i++) {
    struct mai_home_run run = run_of(begin);
    uintptr_t next = run.end < end ? run.end : end;
    vote(votes, run.home, next - begin);
    begin = next;
  }
}

/* The next word that may be a pointer, if there is one, and the run of memory it points into. */
static bool next_pointer(const void *arguments, size_t bytes, size_t *at, uintptr_t *word,
                         struct mai_home_run *run) {
  for (; *at + sizeof *word <= bytes; *at += sizeof *word) {
    memcpy(word, (const char *)arguments + *at, sizeof *word);
    if (may_be_pointer(*word)) {
      *at += sizeof *word;
      *run = run_of(*word);
      return true;
    }
  }
  return false;
}

/* What begins in the last pages of a node's part is mostly in the next one. */
static struct mai_home_run run_from(uintptr_t address) {
  enum { LAST = 8192, LONG = 16 * LAST };
  struct mai_home_run here = run_of(address);
  if (!here.array || here.end - address >= LAST || here.end - here.begin < LONG)
    return here;
  struct mai_home_run next = run_of(here.end);
  return next.array == here.array ? next : here;
}

/* Where the data begins to which a pointer into an array leads. */
static struct mai_home_run run_behind(uintptr_t word, intptr_t offset) {
  struct mai_home_run here = run_of(word);
  struct mai_home_run there = run_from(word + (uintptr_t)offset);
  return there.array == here.array ? there : here;
}

/* That of at least half of some bytes: of those in the middle, then. */
static unsigned home_of_half(uintptr_t begin, size_t bytes) {
  struct mai_home_run run = run_of(begin + bytes / 2);
  uintptr_t first = run.begin > begin ? run.begin : begin;
  uintptr_t end = run.end < begin + bytes ? run.end : begin + bytes;
  return end - first >= bytes / 2 ? run.home : MAI_NO_HOME;
}

static void note_pointer(struct mai_pointers *pointers, unsigned index, uintptr_t word,
                         uintptr_t array) {
  if (index >= MAI_POINTERS)
    return;
  pointers->words[index] = word;
  pointers->arrays[index] = array;
}

/* Those are taken for two integers each that point into no array. */
static void look_for_numbers(const void *arguments, size_t bytes, struct mai_numbers *numbers) {
  uint32_t halves[2];
  uintptr_t word;
  for (size_t at = 0; at + sizeof halves <= bytes; at += sizeof halves) {
    memcpy(halves, (const char *)arguments + at, sizeof halves);
    memcpy(&word, halves, sizeof word);
    if (may_be_pointer(word) && run_of(word).array)
      continue;
    mai_numbers_add(numbers, halves[0]);
    mai_numbers_add(numbers, halves[1]);
  }
}

/* A task's pointer into an array, as number `index` of such. */
static void vote_by_pointer(struct mai_home_votes *votes, const struct mai_known *known,
                            unsigned level, unsigned index, uintptr_t word, uintptr_t array,
                            const struct mai_numbers *numbers) {
  intptr_t offset;
  size_t extent = mai_known_extent(known, level, index, word, array);
  if (mai_known_offset(known, level, index, numbers, &offset) || extent == 1)
    vote(votes, run_behind(word, offset).home, 1);
  else if (extent > 1)
    vote(votes, home_of_half(word, extent), 1);
}

unsigned mai_home_of_pointers(const void *function, unsigned level,
                              const struct mai_pointers *pointers) {
  struct mai_home_votes votes = {0};
  const struct mai_known *known = mai_known_of(function);
  for (unsigned i = 0; i < MAI_POINTERS && pointers->words[i]; i++)
    vote_by_pointer(&votes, known, level, i, pointers->words[i], pointers->arrays[i],
                    &pointers->numbers);
  return mai_home_winner(&votes);
}

struct mai_home_found mai_home_of_arguments(const void *function, const void *arguments,
                                            size_t bytes, unsigned level,
                                            struct mai_pointers *pointers) {
  struct mai_home_votes votes = {0};
  struct mai_home_votes guesses = {0};
  struct mai_known *known = mai_known_of(function);
  struct mai_last_tasks *own_last = mai_own_last_tasks();
  struct mai_last_task *last = mai_known_last(known, level, own_last);
  unsigned count = 0;
  struct mai_home_run run;
  uintptr_t word;
  if (mai_known_makes_tasks(known, level))
    look_for_numbers(arguments, bytes, &pointers->numbers);
  for (size_t at = 0; next_pointer(arguments, bytes, &at, &word, &run);) {
    if (!run.array)
      continue;
    mai_known_note_pointer(known, level, last, count, word, run.array, run.bytes);
    note_pointer(pointers, count, word, run.array);
    vote_by_pointer(&votes, known, level, count, word, run.array, &pointers->numbers);
    if (mai_known_may_begin(known, level, count, word, own_last))
      vote(&guesses, run.home, 1);
    count++;
  }
  if (count > 0 && votes.count == 0 && pointers->numbers.count == 0)
    look_for_numbers(arguments, bytes, &pointers->numbers);
  return (struct mai_home_found){mai_home_winner(&votes), mai_home_winner(&guesses)};
}

static size_t share(size_t bytes, uint64_t index, uint64_t all) {
  return (size_t)((unsigned __int128)bytes * index / all);
}

unsigned mai_home_of_share(const void *arguments, size_t bytes, uint64_t first, uint64_t count,
                           uint64_t all) {
  struct mai_home_votes votes = {0};
  struct mai_home_run run;
  uintptr_t word;
  for (size_t at = 0; next_pointer(arguments, bytes, &at, &word, &run);)
    if (run.array == word) {
      size_t begin = share(run.bytes, first, all);
      mai_home_vote(&votes, (const char *)word + begin,
                    share(run.bytes, first + count, all) - begin);
    }
  return mai_home_winner(&votes);
}

/*===-- What the program says ----------------------------------------------===*/

unsigned mai_home_said(void) {
  struct mai_home_notes *notes = mai_own_home_notes();
  if (!notes)
    return MAI_NO_HOME;
  unsigned said = notes->node ? notes->node - 1 : mai_home_winner(&notes->said);
  notes->node = 0;
  notes->said.count = 0;
  return said;
}

int mai_task_near(const void *memory, size_t bytes) {
  if (!mai_near())
    return 0;
  if (bytes > UINTPTR_MAX - (uintptr_t)memory)
    return fail(EOVERFLOW);
  struct mai_home_notes *notes = mai_own_home_notes();
  if (!notes)
    return fail(ENOMEM);
  notes->node = 0;
  mai_home_vote(&notes->said, memory, bytes);
  return 0;
}

int mai_task_on(unsigned node) {
  if (!mai_near())
    return 0;
  unsigned home = mai_home_of_node(node);
  if (home == MAI_NO_HOME)
    return fail(ENODEV);
  struct mai_home_notes *notes = mai_own_home_notes();
  if (!notes)
    return fail(ENOMEM);
  notes->node = 1 + home;
  return 0;
}
