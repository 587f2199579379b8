/*===-- dynamic.c - places arrays while the program runs --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "dynamic.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "costs.h"
#include "decision.h"
#include "mai/arrays/dynamic_arrays.h"
#include "mai/memory/machine.h"
#include "mai/process/call.h"
#include "mai/process/message.h"
#include "mai/process/restrictions.h"
#include "mai/process/settings.h"
#include "mai/threads/regions.h"
#include "mai/threads/threads.h"
#include "move.h"
#include "opened.h"
#include "phases.h"
#include "round.h"
#include "runtime/clock.h"
#include "runtime/folder.h"
#include "runtime/lines.h"
#include "runtime/lock.h"
#include "runtime/system.h"
#include "samples.h"
#include "observation.h"
#include "watch.h"

/* While the next round is due sooner the thread stays. */
static const double LONGEST_STAY = 2;

static struct {
  uint32_t process;       /* that watches: none of its children does */
  double budget;          /* the part of the time that watching may take */
  double begun;           /* when */
  double unspent_since;   /* threads have not been sampled since then, unless they are now */
  atomic_bool active;     /* there is a thread */
  _Atomic double due;     /* when there is to be the next; infinite: never */
  atomic_int refused;     /* an errno: why threads cannot be sampled, nor pages be watched */
  bool sees_writes;       /* pages can be watched */
  struct mai_costs costs; /* all 0: not measured yet */
  double spent;           /* seconds of the program's threads */
  double pause;           /* after the last round, for the budget's sake */
} self;

/*===-- When the thread is not wanted any more -----------------------------===*/

/* By the letter behind the program's name, which may have brackets of its own. */
static bool has_first_thread_ended(void) {
  char status[256] = "";
  int file = minas_open("/proc/self/stat");
  if (file < 0)
    return false;
  minas_read(file, status, sizeof status - 1);
  minas_close(file);
  const char *state = strrchr(status, ')');
  return state && strncmp(state, ") Z", 3) == 0;
}

static bool is_of_program(const char *thread) {
  uint64_t number;
  return minas_scan_number(&thread, 10, &number) && number != minas_process() &&
         number != minas_thread();
}

/* A program ends with its last thread, which ours is not to be.  To ask takes the kernel a while;
   once ours is the last, it stays so. */
static bool is_last(void) {
  static const double PATIENCE = 0.05;
  static double asked;
  static bool last;
  double now = minas_now();
  if (!last && now >= asked + PATIENCE) {
    asked = now;
    last = has_first_thread_ended() && minas_folder_has("/proc/self/task", is_of_program) != 1;
  }
  return last;
}

static bool is_to_end(void) { return mai_is_restricted() || is_last(); }

/*===-- The thread ---------------------------------------------------------===*/

/* Threads are sampled where they can be: that takes nothing from them.  Else pages are watched.
   @return 0, or the errno with which the kernel refuses both */
static int probe(bool *samples) {
  *samples = mai_samples_probe() == 0;
  int error = *samples && !mai_settings()->dynamic_chaos ? EPERM : mai_watch_probe();
  self.sees_writes = error == 0;
  return *samples ? 0 : error;
}

static bool prepare(void) {
  bool samples = false;
  int error = mai_watch_leave_descriptors() != 0 ? errno : probe(&samples);
  if (error) {
    atomic_store(&self.refused, error);
    return false;
  }
  if (self.costs.move <= 0)
    mai_costs_measure(&self.costs, samples, self.sees_writes, is_to_end);
  return true;
}

/* Threads are sampled all the time, for half of the budget. */
static uint64_t sample_period(double unspent) {
  return mai_decision_period(self.budget / 2, self.costs.sample, unspent);
}

/* The other half is for looking at what was sampled. */
static double pause_now(void) {
  return mai_decision_pause(minas_now() - self.begun, self.budget / 2, self.spent);
}

/* @param news regions run that are new
   @return how long until the next is due */
static double run_round(bool news) {
  bool chaos = mai_settings()->dynamic_chaos;
  double cost;
  struct mai_round round = {.begun = self.begun,
                            .is_to_end = is_to_end,
                            .sees_writes = self.sees_writes,
                            .most_pages = mai_decision_pages(minas_now() - self.begun, self.budget,
                                                             self.spent, self.costs.fault),
                            .costs = &self.costs,
                            .sample_period = sample_period(0),
                            .first_period = sample_period(minas_now() - self.unspent_since),
                            .at_random = chaos,
                            .news = news};
  if (chaos)
    round.most_pages = SIZE_MAX / 2;
  double rest = mai_round_run(&round, &cost);
  self.spent += cost;
  self.pause = chaos ? 0 : pause_now();
  return rest >= 0 && rest < self.pause ? self.pause : rest;
}

/* @return whether the rest ended early, for regions that are new */
static bool sleep_until_news(double seconds) {
  double begin = minas_now();
  struct mai_news news = {.looked = begin};
  while (minas_now() < begin + seconds && !is_to_end()) {
    minas_sleep(5000);
    mai_observation_rest();
    bool come = mai_news_look(&news, !mai_observation_knows(mai_opened_last()), minas_now());
    if (come && minas_now() >= begin + self.pause)
      return true;
  }
  return false;
}

/* @return how long until somebody is to look again */
static double run_rounds(void) {
  double rest = 0;
  while (!is_to_end() && rest >= 0 && rest <= LONGEST_STAY)
    rest = run_round(sleep_until_news(rest));
  return rest < 0 ? LONGEST_STAY : rest;
}

static void *run(void *unused) {
  MAI_CALL;
  (void)unused;
  double rest = prepare() ? run_rounds() : __builtin_inf();
  mai_observations_end();
  self.unspent_since = minas_now();
  atomic_store(&self.due, minas_now() + rest);
  atomic_store(&self.active, false);
  return NULL;
}

/* The program's signals are not for the thread; but SIGSEGV is in nobody's mask (faults.h). */
static int begin_thread(void) {
  sigset_t signals, before;
  pthread_attr_t attributes;
  pthread_t thread;
  MINAS_CALLS_OUT();
  sigfillset(&signals);
  sigdelset(&signals, SIGSEGV);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &signals, &before);
  int error = pthread_create(&thread, &attributes, run, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}

/*===-- When it begins and ends --------------------------------------------===*/

/* Who writes a watched page waits for the thread, which has to get a CPU before others do. */
static bool is_scheduled_as_usual(void) {
  long policy = minas_system(SYS_sched_getscheduler, 0, 0, 0, 0, 0, 0);
  return policy == SCHED_OTHER || policy == SCHED_BATCH;
}

static void say_refused(void) {
  static bool said;
  int error = atomic_load(&self.refused);
  mai_message_once(&said,
                   "the kernel lets neither threads be sampled (kernel.perf_event_paranoid) nor "
                   "pages be watched (userfaultfd: %s): arrays are left to the kernel",
                   strerrordesc_np(error));
}

static bool is_due(double now) {
  return now >= atomic_load_explicit(&self.due, memory_order_relaxed) &&
         !atomic_load_explicit(&self.active, memory_order_relaxed);
}

static void begin_if_possible(void) {
  if (mai_is_restricted() || self.process != minas_process() || !is_scheduled_as_usual() ||
      atomic_exchange(&self.active, true))
    return;
  if (begin_thread() == 0)
    return;
  atomic_store(&self.due, minas_now() + LONGEST_STAY);
  atomic_store(&self.active, false);
}

/* The program's own memory is moved by whoever uses it, but not in a child that has no thread of
 * ours. */
static void move_for_thread(void) {
  if (!mai_is_restricted() && self.process == minas_process())
    mai_move_wanted();
}

/* Each region is told of: most find that nothing is due. */
static void see_region(const void *body, const void *base) {
  (void)base;
  double now = minas_now();
  mai_opened_note((uint32_t)((uintptr_t)body >> 2), now);
  bool refused = atomic_load_explicit(&self.refused, memory_order_relaxed) != 0;
  if (!is_due(now) && !refused && !mai_move_is_wanted())
    return;
  MAI_CALL;
  int error = errno;
  if (refused)
    say_refused();
  else if (mai_move_is_wanted())
    move_for_thread();
  else
    begin_if_possible();
  errno = error;
}

/* The program is about to forbid itself system calls. */
static void wait_for_end(void) {
  while (atomic_load(&self.active) && self.process == minas_process())
    minas_sleep(1000);
}

/* 2 %, or what the user has set. */
static double budget(void) {
  const char *text = mai_settings()->dynamic_budget;
  uint64_t percent;
  bool is_set = text && minas_scan_number(&text, 10, &percent) && *text == '\0';
  return is_set && percent >= 1 && percent <= 100 ? (double)percent / 100 : 0.02;
}

/* To probe makes the thread wait, and who has waited goes on on any CPU. */
static void begin(void) {
  const struct mai_machine *machine = mai_machine();
  bool samples;
  bool wanted = machine && (mai_machine_places(machine) || mai_settings()->dynamic_chaos);
  if (!wanted || machine->watch_only)
    return;
  self.process = minas_process();
  self.begun = self.unspent_since = minas_now();
  self.budget = budget();
  int error = probe(&samples);
  atomic_store(&self.refused, error);
  if (error)
    mai_dynamic_arrays_leave();
  mai_threads_start_in_place();
  mai_restrictions_stop_by(wait_for_end);
  mai_regions_watch(see_region);
}

void mai_dynamic_listen(void) { mai_dynamic_arrays_listen(begin); }
