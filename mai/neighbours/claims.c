/*===-- claims.c - which CPUs the user's other programs have ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program may close descriptors that are not its own and open other files under their numbers: so
 * before each use the file is looked at, and never touched again where it is another.
 */
#include "claims.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "mai/process/restrictions.h"
#include "mai/process/settings.h"
#include "runtime/claims_file.h"
#include "runtime/rights.h"
#include "runtime/system.h"

/* Behind the bytes of the CPUs is that of whose turn it is. */
enum { TURN = MINAS_CLAIMS_END, OWN_DESCRIPTOR = 200 };

_Static_assert(MAI_AFFINITY_CPUS == MINAS_CLAIMS_CPUS, "a byte for each CPU");

static struct {
  _Atomic int file; /* -1: none */
  atomic_bool opened;
  struct statx status; /* of the file */
} claims = {.file = -1};

static struct mai_cpu_mask own[MAI_CLAIM_USED + 1];
static uint32_t owner; /* the process that has them: not one that it was forked from */

/*===-- The file -----------------------------------------------------------===*/

static bool describe(int file, struct statx *status) {
  return minas_system(SYS_statx, file, (long)"", AT_EMPTY_PATH,
                      STATX_TYPE | STATX_MODE | STATX_UID | STATX_INO, (long)status, 0) == 0;
}

static void open_claims(void) {
  int file = minas_claims_open(mai_settings()->runtime_folder, true);
  if (file < 0)
    return;
  /* Far from the numbers that programs count on. */
  int far = (int)minas_system(SYS_fcntl, file, F_DUPFD_CLOEXEC, OWN_DESCRIPTOR, 0, 0, 0);
  minas_close(file);
  if (far >= 0 && describe(far, &claims.status) && S_ISREG(claims.status.stx_mode))
    atomic_store(&claims.file, far);
  else if (far >= 0)
    minas_close(far);
}

/* The file, or -1. */
static int claims_file(void) {
  struct statx now = {0};
  if (mai_is_restricted() || minas_has_others_rights())
    return -1;
  if (!atomic_exchange(&claims.opened, true) && mai_survives(MAI_CALLS_OF_PLACING))
    open_claims();
  int file = atomic_load(&claims.file);
  if (file < 0 || (describe(file, &now) && now.stx_ino == claims.status.stx_ino &&
                   now.stx_dev_major == claims.status.stx_dev_major &&
                   now.stx_dev_minor == claims.status.stx_dev_minor))
    return file;
  atomic_store(&claims.file, -1);
  return -1;
}

/*===-- Locks --------------------------------------------------------------===*/

static long place_of(enum mai_claim kind, uint32_t cpu) {
  return (kind == MAI_CLAIM_USED ? MINAS_CLAIMS_USED : MINAS_CLAIMS_MEANT) + (long)cpu;
}

/* @param type F_WRLCK or F_UNLCK. @return whether it could be done; errors count as done */
static bool set_lock(int file, short type, long place) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
  return minas_system(SYS_fcntl, file, F_SETLK, (long)&lock, 0, 0, 0) == 0 ||
         (errno != EAGAIN && errno != EACCES);
}

/* Nobody is waited for who may have been stopped: then two may choose at once, and who comes second
   to a CPU chooses again. */
void mai_claims_begin_choice(void) {
  enum { MOST_WAITS = 20 };
  int file = claims_file();
  for (int i = 0; file >= 0 && i < MOST_WAITS && !set_lock(file, F_WRLCK, TURN); i++)
    minas_sleep(100);
}

void mai_claims_end_choice(void) {
  int file = claims_file();
  if (file >= 0)
    set_lock(file, F_UNLCK, TURN);
}

struct addition {
  long first; /* the place of CPU 0 */
  struct mai_cpu_mask *mask;
};

static void add_locked(const struct minas_locked *locked, void *context) {
  const struct addition *addition = context;
  for (long place = locked->start; place < locked->end; place++)
    mai_cpu_mask_add(addition->mask, (uint32_t)(place - addition->first));
}

void mai_claims_of_others(enum mai_claim kind, struct mai_cpu_mask *mask) {
  int file = claims_file();
  struct addition addition = {place_of(kind, 0), mask};
  if (file >= 0)
    minas_visit_locked(file, addition.first, addition.first + MAI_AFFINITY_CPUS, add_locked,
                       &addition);
}

bool mai_claims_is_claimant(const struct mai_claimants *claimants, uint32_t process) {
  for (uint32_t i = 0; i < claimants->count; i++)
    if (claimants->processes[i] == process)
      return true;
  return false;
}

static void list_claimant(const struct minas_locked *locked, void *context) {
  struct mai_claimants *claimants = context;
  if (locked->process > 0 && claimants->count < MAI_MOST_CLAIMANTS &&
      !mai_claims_is_claimant(claimants, (uint32_t)locked->process))
    claimants->processes[claimants->count++] = (uint32_t)locked->process;
}

void mai_claims_list_claimants(struct mai_claimants *claimants) {
  int file = claims_file();
  claimants->count = 0;
  if (file >= 0)
    minas_visit_locked(file, 0, TURN + 1, list_claimant, claimants);
}

static void remove_cpu(struct mai_cpu_mask *mask, uint32_t cpu) {
  mask->words[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

static void forget_parents(void) {
  uint32_t self = minas_process();
  if (owner != self)
    memset(own, 0, sizeof own);
  owner = self;
}

bool mai_claims_set(enum mai_claim kind, const struct mai_cpu_mask *mask) {
  bool all = true;
  forget_parents();
  int file = claims_file();
  for (uint32_t cpu = 0; file >= 0 && cpu < MAI_AFFINITY_CPUS; cpu++) {
    bool wanted = mai_cpu_mask_has(mask, cpu);
    if (wanted == mai_cpu_mask_has(&own[kind], cpu))
      continue;
    if (!wanted)
      remove_cpu(&own[kind], cpu);
    if (!set_lock(file, wanted ? F_WRLCK : F_UNLCK, place_of(kind, cpu)))
      all = false;
    else if (wanted)
      mai_cpu_mask_add(&own[kind], cpu);
  }
  return all;
}

/* Threads come here at once, each with its own CPU: what they note of it may be lost, and then the
   kernel is asked again. */
bool mai_claims_add_used(uint32_t cpu) {
  if (cpu >= MAI_AFFINITY_CPUS || mai_cpu_mask_has(&own[MAI_CLAIM_USED], cpu))
    return true;
  int file = claims_file();
  if (file >= 0 && !set_lock(file, F_WRLCK, place_of(MAI_CLAIM_USED, cpu)))
    return false;
  __atomic_fetch_or(&own[MAI_CLAIM_USED].words[cpu / 64], UINT64_C(1) << cpu % 64,
                    __ATOMIC_RELAXED);
  return true;
}

uint32_t mai_claims_user_of(uint32_t cpu) {
  struct minas_locked locked;
  int file = claims_file();
  long place = place_of(MAI_CLAIM_USED, cpu);
  bool used = file >= 0 && minas_find_lock(file, place, place + 1, &locked);
  return used && locked.process > 0 ? (uint32_t)locked.process : 0;
}
