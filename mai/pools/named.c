/*===-- named.c - pins threads by the names that they get ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A thread names itself, or is named by the one that has made it.  It is pinned when it gets its
 * name, and stays where it is when it gets another one that fits the same entry.
 */
#include "named.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mai/maps/location.h"
#include "mai/memory/machine.h"
#include "mai/policy/pattern.h"
#include "mai/policy/policy_list.h"
#include "mai/process/affinity.h"
#include "mai/process/call.h"
#include "mai/process/interpose.h"
#include "mai/process/message.h"
#include "mai/process/settings.h"
#include "mai/threads/teams.h"
#include "mai/threads/threads.h"
#include "pools.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

/* What of this file makes its pools no others'. */
static const char kind;

static _Thread_local const struct mai_thread_pool *own __attribute__((tls_model("initial-exec")));

/*===-- The list ------------------------------------------------------------===*/

/* The CPUs of an entry, whose name ends at the colon. @return 0, or -1 and `explained` */
static int read_location(const numarch_t *machine, const char *entry, const char *colon,
                         struct mai_cpu_list *cpus, char *explained, size_t size) {
  struct mai_group_table groups = {.machine = machine};
  struct mai_location_error error = {entry, "NAME:LOCATION"};
  const char *at = colon ? colon + 1 : entry;
  const char *end = at + strlen(at);
  int result = -1;
  if (colon && colon > entry)
    result = mai_location_parse(&groups, &at, end, numarch_cpu_count(machine), cpus, &error);
  mai_group_table_free(&groups);
  if (result == 0 && at == end)
    return 0;
  if (result == 0) {
    mai_cpu_list_free(cpus);
    error = (struct mai_location_error){at, "the end"};
  }
  snprintf(explained, size, "'%s': expected %s, found '%s'", entry, error.expected, error.at);
  return -1;
}

static int check_entry(const numarch_t *machine, const char *entry, char *explained, size_t size) {
  struct mai_cpu_list cpus;
  if (read_location(machine, entry, mai_policy_entry_colon(entry), &cpus, explained, size) != 0)
    return -1;
  mai_cpu_list_free(&cpus);
  return 0;
}

int mai_named_threads_check(const numarch_t *machine, const char *text, char *explained,
                            size_t size) {
  struct mai_policy_list list = {.text = text};
  char *entry;
  int result = 0;
  while (result == 0 && (entry = mai_policy_list_next(&list))) {
    result = check_entry(machine, entry, explained, size);
    minas_free(entry);
  }
  return result;
}

/*===-- Pinning -------------------------------------------------------------===*/

static void refuse(const char *explained) {
  static bool said;
  mai_message_once(&said, "MAI_THREADS: %s: threads of this name are not pinned", explained);
}

/* The pool of an entry, if the name fits it. */
static struct mai_thread_pool *pool_of_entry(const numarch_t *machine, unsigned number, char *entry,
                                             const char *name) {
  const struct mai_thread_pool_id id = {&kind, number, 0};
  struct mai_cpu_list cpus;
  char explained[256];
  const char *colon = mai_policy_entry_colon(entry);
  if (colon)
    entry[colon - entry] = '\0';
  bool fits = mai_pattern_fits(entry, name);
  if (colon)
    entry[colon - entry] = ':';
  struct mai_thread_pool *pool = fits ? mai_thread_pool_find(&id) : NULL;
  if (pool || !fits)
    return pool;
  if (read_location(machine, entry, colon, &cpus, explained, sizeof explained) == 0)
    return mai_thread_pool_get(&id, &cpus);
  refuse(explained);
  return NULL;
}

static struct mai_thread_pool *pool_of(const numarch_t *machine, const char *name) {
  struct mai_policy_list list = {.text = mai_settings()->threads};
  struct mai_thread_pool *pool = NULL;
  char *entry;
  for (unsigned number = 0; !pool && (entry = mai_policy_list_next(&list)); number++) {
    pool = pool_of_entry(machine, number, entry, name);
    minas_free(entry);
  }
  return pool;
}

static void pin_other(pthread_t thread, uint32_t cpu) {
  struct mai_cpu_mask mask = {0};
  mai_cpu_mask_add(&mask, cpu);
  MINAS_CALLS_OUT();
  if (pthread_setaffinity_np(thread, sizeof mask, (const cpu_set_t *)&mask) != 0)
    MAI_REFUSED("pthread_setaffinity_np");
}

static void pin(pthread_t thread, const char *name) {
  const struct mai_machine *machine = mai_machine();
  bool is_self = pthread_equal(thread, pthread_self());
  if (!machine || mai_threads_decision() != MAI_PINS)
    return;
  struct mai_thread_pool *pool = pool_of(machine->topology, name);
  if (!pool || (is_self && pool == own))
    return;
  uint32_t cpu = mai_thread_pool_next(pool, true);
  if (!is_self)
    pin_other(thread, cpu);
  else if (mai_team_pin(cpu) == 0)
    own = pool;
  if (mai_settings()->verbose)
    mai_message("thread '%s' on CPU %u (MAI_THREADS)", name, cpu);
}

static bool has_list(void) {
  const char *list = mai_settings()->threads;
  return list && strchr(list, ':');
}

MAI_INTERPOSES int pthread_setname_np(pthread_t thread, const char *name) {
  MINAS_CALLS_OUT();
  int error = MAI_NEXT(pthread_setname_np)(thread, name);
  if (error || !has_list() || mai_call_is_inside())
    return error;
  MAI_CALL;
  int before = errno;
  pin(thread, name);
  errno = before;
  return 0;
}
