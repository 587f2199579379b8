/*===-- write.c - appends to the log of mai-trace record ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "write.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/system.h"

_Static_assert(sizeof(struct sample_log_slot) == sizeof(struct sample_log_head), "one size");

static struct sample_log_head *head;
static atomic_bool is_open;
static uint32_t process; /* this one's number */

void *sample_next(void *_Atomic *known, const char *name) {
  void *next = atomic_load_explicit(known, memory_order_relaxed);
  if (!next) {
    next = dlsym(RTLD_NEXT, name);
    atomic_store_explicit(known, next, memory_order_relaxed);
  }
  return next;
}

/*===-- Room ---------------------------------------------------------------===*/

static struct sample_log_slot *slot_at(uint64_t number) {
  return (struct sample_log_slot *)head + 1 + number % SAMPLE_LOG_SLOTS;
}

/* That many slots that follow each other. */
static bool take(size_t count, uint64_t *at) {
  _Atomic uint64_t *taken = (_Atomic uint64_t *)&head->taken;
  *at = atomic_load_explicit(taken, memory_order_relaxed);
  do {
    uint64_t read = atomic_load_explicit((_Atomic uint64_t *)&head->read, memory_order_acquire);
    if (*at + count - read > SAMPLE_LOG_SLOTS) {
      atomic_fetch_add((_Atomic uint64_t *)&head->missed, 1);
      return false;
    }
  } while (!atomic_compare_exchange_weak(taken, at, *at + count));
  return true;
}

static void finish(struct sample_log_slot *slot, enum sample_log_kind kind) {
  atomic_store_explicit((_Atomic uint32_t *)&slot->kind, kind, memory_order_release);
}

/* Text, cut to pieces. */
static void put_text(uint64_t number, const char *text, size_t length) {
  for (size_t at = 0; at < length; at += SAMPLE_LOG_TEXT_BYTES, number++) {
    size_t rest = length - at;
    memcpy(slot_at(number)->text, text + at,
           rest < SAMPLE_LOG_TEXT_BYTES ? rest : SAMPLE_LOG_TEXT_BYTES);
    finish(slot_at(number), SAMPLE_LOG_TEXT);
  }
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

bool sample_log_put(enum sample_log_kind kind, const struct sample_entry *entry) {
  if (!sample_log_is_open())
    return false;
  size_t pieces = (entry->length + SAMPLE_LOG_TEXT_BYTES - 1) / SAMPLE_LOG_TEXT_BYTES;
  uint64_t at;
  if (!take(1 + pieces, &at))
    return false;
  put_text(at + 1, entry->text, entry->length);
  struct sample_log_slot *slot = slot_at(at);
  slot->process = process;
  slot->time = now();
  slot->address = (uintptr_t)entry->address;
  slot->bytes = entry->bytes;
  slot->chain = entry->chain;
  slot->length = entry->length;
  slot->thread = entry->thread;
  finish(slot, kind);
  return true;
}

uint64_t sample_log_new_chain(void) {
  return 1 + atomic_fetch_add((_Atomic uint64_t *)&head->chains, 1);
}

/*===-- The start of the program -------------------------------------------===*/

/* mai-trace may have ended, and its number be another program's. */
static bool is_log(const char *path) {
  char target[64];
  ssize_t length = readlink(path, target, sizeof target - 1);
  target[length < 0 ? 0 : length] = '\0';
  return strncmp(target, "/memfd:" SAMPLE_LOG_NAME, sizeof "/memfd:" SAMPLE_LOG_NAME - 1) == 0;
}

static struct sample_log_head *map(const char *path) {
  const size_t bytes = (1 + (size_t)SAMPLE_LOG_SLOTS) * sizeof(struct sample_log_slot);
  struct stat status;
  int file = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (file < 0)
    return NULL;
  void *mapped = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size == (off_t)bytes)
    mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return mapped == MAP_FAILED ? NULL : mapped;
}

static void begin_child(void) { process = minas_process(); }

bool sample_log_open(void) {
  const char *path = secure_getenv(SAMPLE_LOG_FILE);
  if (path && is_log(path))
    head = map(path);
  if (head && pthread_atfork(NULL, NULL, begin_child) == 0) {
    begin_child();
    atomic_store(&is_open, true);
  }
  return sample_log_is_open();
}

bool sample_log_is_open(void) { return atomic_load_explicit(&is_open, memory_order_relaxed); }

/*===-- Filters of system calls --------------------------------------------===*/
/*
 * Where the clock has to be asked, and the functions that are being called have to be found, by
 * system calls, these would end the program.
 */

#define FILTERS_INTERPOSE SAMPLE_INTERPOSES
#define FILTERS_NEXT SAMPLE_NEXT
#include "runtime/filters.h"

static void filter_comes(void) { atomic_store(&is_open, false); }
