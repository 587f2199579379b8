/*===-- claims.c - which CPUs the user's other programs have ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The folder is private (0700), the user's, and no link: nobody else can have put the file there.
 * It is /dev/shm/minas-UID, which all programs of a user see, however they were started; where that
 * cannot be had, it is in XDG_RUNTIME_DIR.
 *
 * A program may close descriptors that are not its own and open other files under their numbers: so
 * before each use the file is looked at, and never touched again where it is another.
 */
#include "claims.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "mai/process/restrictions.h"
#include "mai/process/settings.h"
#include "runtime/rights.h"
#include "runtime/system.h"
#include "runtime/text.h"

/* The bytes of the CPUs for each kind of claim follow one another; the last is whose turn it is. */
enum { TURN = 2 * MAI_AFFINITY_CPUS, PRIVATE = 0700, OTHERS_BITS = 077, OWN_DESCRIPTOR = 200 };

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

static int open_folder(const char *path) {
  struct statx status = {0};
  uint32_t user = (uint32_t)minas_system(SYS_geteuid, 0, 0, 0, 0, 0, 0);
  minas_system(SYS_mkdirat, AT_FDCWD, (long)path, PRIVATE, 0, 0, 0);
  int folder = (int)minas_system(SYS_openat, AT_FDCWD, (long)path,
                                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0, 0, 0);
  if (folder < 0 ||
      (describe(folder, &status) && status.stx_uid == user && !(status.stx_mode & OTHERS_BITS)))
    return folder;
  minas_close(folder);
  return -1;
}

static int open_file_in(const char *path) {
  int folder = open_folder(path);
  if (folder < 0)
    return -1;
  int file = (int)minas_system(SYS_openat, folder, (long)"cpus",
                               O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600, 0, 0);
  minas_close(folder);
  return file;
}

static int open_file(void) {
  struct minas_text path = {0};
  minas_text_add(&path, "/dev/shm/minas-%" PRIu32,
                 (uint32_t)minas_system(SYS_geteuid, 0, 0, 0, 0, 0, 0));
  int file = path.cut_off ? -1 : open_file_in(path.bytes);
  minas_text_free(&path);
  path = (struct minas_text){0};
  if (file < 0 && mai_settings()->runtime_folder)
    minas_text_add(&path, "%s/minas", mai_settings()->runtime_folder);
  if (path.bytes && !path.cut_off)
    file = open_file_in(path.bytes);
  minas_text_free(&path);
  return file;
}

static void open_claims(void) {
  int file = open_file();
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
  if (!atomic_exchange(&claims.opened, true) && mai_survives_placing())
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
  return (long)kind * MAI_AFFINITY_CPUS + (long)cpu;
}

/* @param type F_WRLCK or F_UNLCK. @return whether it could be done; errors count as done */
static bool set_lock(int file, short type, long place) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
  return minas_system(SYS_fcntl, file, F_SETLK, (long)&lock, 0, 0, 0) == 0 ||
         (errno != EAGAIN && errno != EACCES);
}

/* One of the locks that others have of some bytes. @return whether there is one */
static bool find_lock(int file, long start, long end, struct flock *lock) {
  *lock = (struct flock){
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = end - start};
  return start < end && minas_system(SYS_fcntl, file, F_GETLK, (long)lock, 0, 0, 0) == 0 &&
         lock->l_type != F_UNLCK;
}

/* Nobody is waited for who may have been stopped: then two choose at once, and who comes second to
   a CPU does without. */
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

/* Bytes that another process has locked. */
struct locked {
  long start;
  long end;
  pid_t process;
};

/* The kernel names any lock of several: what is before and behind it is asked for again. */
static void visit_locked(int file, long start, long end,
                         void (*visit)(const struct locked *locked, void *context), void *context) {
  struct flock lock;
  while (find_lock(file, start, end, &lock)) {
    struct locked locked = {
        .start = lock.l_start > start ? lock.l_start : start,
        .end = lock.l_len && lock.l_start + lock.l_len < end ? lock.l_start + lock.l_len : end,
        .process = lock.l_pid};
    visit(&locked, context);
    visit_locked(file, start, locked.start, visit, context);
    start = locked.end;
  }
}

struct addition {
  long first; /* the place of CPU 0 */
  struct mai_cpu_mask *mask;
};

static void add_locked(const struct locked *locked, void *context) {
  const struct addition *addition = context;
  for (long place = locked->start; place < locked->end; place++)
    mai_cpu_mask_add(addition->mask, (uint32_t)(place - addition->first));
}

void mai_claims_of_others(enum mai_claim kind, struct mai_cpu_mask *mask) {
  int file = claims_file();
  struct addition addition = {place_of(kind, 0), mask};
  if (file >= 0)
    visit_locked(file, addition.first, addition.first + MAI_AFFINITY_CPUS, add_locked, &addition);
}

bool mai_claims_is_claimant(const struct mai_claimants *claimants, uint32_t process) {
  for (uint32_t i = 0; i < claimants->count; i++)
    if (claimants->processes[i] == process)
      return true;
  return false;
}

static void list_claimant(const struct locked *locked, void *context) {
  struct mai_claimants *claimants = context;
  if (locked->process > 0 && claimants->count < MAI_MOST_CLAIMANTS &&
      !mai_claims_is_claimant(claimants, (uint32_t)locked->process))
    claimants->processes[claimants->count++] = (uint32_t)locked->process;
}

void mai_claims_list_claimants(struct mai_claimants *claimants) {
  int file = claims_file();
  claimants->count = 0;
  if (file >= 0)
    visit_locked(file, 0, TURN + 1, list_claimant, claimants);
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

void mai_claims_set(enum mai_claim kind, const struct mai_cpu_mask *mask) {
  forget_parents();
  int file = claims_file();
  for (uint32_t cpu = 0; file >= 0 && cpu < MAI_AFFINITY_CPUS; cpu++) {
    bool wanted = mai_cpu_mask_has(mask, cpu);
    if (wanted == mai_cpu_mask_has(&own[kind], cpu))
      continue;
    if (!wanted)
      remove_cpu(&own[kind], cpu);
    if (set_lock(file, wanted ? F_WRLCK : F_UNLCK, place_of(kind, cpu)) && wanted)
      mai_cpu_mask_add(&own[kind], cpu);
  }
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
  struct flock lock;
  int file = claims_file();
  long place = place_of(MAI_CLAIM_USED, cpu);
  bool used = file >= 0 && find_lock(file, place, place + 1, &lock);
  return used && lock.l_pid > 0 ? (uint32_t)lock.l_pid : 0;
}
