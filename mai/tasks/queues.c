/*===-- queues.c - the tasks that one task has made, by their homes *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "queues.h"

#include <linux/futex.h>
#include <pthread.h>
#include <time.h>

#include "home.h"
#include "occupied.h"
#include "order.h"
#include "runtime/system.h"

/* A thread that has no tasks at home waits for threads of the others' homes.  Where one of these is
   idle it is on its way.  Where all are occupied, how many tasks they begin meanwhile tells whether
   they come to these soon, however uneven CPUs are; but a thread does not wait for many times what
   its own tasks have taken lately, and shorter for those that have to end others before.  How long
   it waits depends on whether that was in vain, and it took another's task in the end. */
enum {
  NAP = 20 * 1000, /* ns */
  LEAST_NAPS = 4,
  MOST_NAPS = 1000,
  NAPS_WITHOUT_HOPE = 2,
  NAPS_A_TASK = 4,      /* that others begin */
  MOST_TASKS = 3,       /* whose time is waited for */
  WAKING = 1000 * 1000, /* ns that a thread may take to come */
  MANY_TASKS = 4,       /* a thread */
  SHORT_PAUSES = 200,
  MOST_PAUSES = SHORT_PAUSES + 500 /* the latter naps */
};

static _Thread_local struct {
  unsigned naps_for_idle;
  unsigned naps_for_occupied;
  unsigned naps_for_waiting;
  uint64_t since;                     /* it has run tasks, and not waited */
  uint64_t tasks;                     /* so many */
  uint64_t mean;                      /* ns that they took; 0: not known yet */
  const struct mai_task_queues *asks; /* it is asking for threads for these */
  uint64_t asked;                     /* while it had tasks */
  struct mai_ticket *ticket;          /* the innermost that it runs */
} own __attribute__((tls_model("initial-exec"))) = {
    .naps_for_idle = MOST_NAPS, .naps_for_occupied = MOST_NAPS, .naps_for_waiting = MOST_NAPS / 4};

/*===-- Lives --------------------------------------------------------------===*/

static atomic_uint forks;

static void count_fork(void) { atomic_fetch_add(&forks, 1); }

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(NULL, NULL, count_fork);
}

static void use(struct mai_task_queues *queues) {
  atomic_fetch_add_explicit(&queues->users, 1, memory_order_relaxed);
}

/* Those above live as long; were there any number of them, a long chain of tasks that each make one
   could need all memory. */
static void set_above(struct mai_task_queues *queues, struct mai_task_queues *above) {
  enum { MOST_ABOVE = 64 };
  queues->above = above && above->level < MOST_ABOVE ? above : NULL;
  queues->level = queues->above ? above->level + 1 : 0;
  if (queues->above)
    use(above);
}

/* Others may see it from the moment on when it has a user. */
struct mai_task_queues *mai_task_queues_new(const struct mai_task_maker *maker, unsigned settings,
                                            struct mai_task_queues *above, bool is_apart) {
  size_t bytes =
      sizeof(struct mai_task_queues) + (mai_home_count() + 1) * sizeof(struct mai_task_queue);
  struct mai_task_queues *queues =
      (struct mai_task_queues *)mai_task_block_take(MAI_TASK_QUEUE_BLOCK, bytes);
  if (!queues)
    return NULL;
  queues->made_at = mai_home_here();
  queues->forks = atomic_load_explicit(&forks, memory_order_relaxed);
  queues->maker = *maker;
  queues->settings = settings;
  queues->is_apart = is_apart;
  set_above(queues, above);
  atomic_store_explicit(&queues->users, 1, memory_order_release);
  return queues;
}

/* All queues are empty then, as new ones are. */
void mai_task_queues_drop(struct mai_task_queues *queues) {
  while (queues && atomic_fetch_sub_explicit(&queues->users, 1, memory_order_acq_rel) == 1) {
    struct mai_task_queues *above = queues->above;
    mai_task_block_give_back(MAI_TASK_QUEUE_BLOCK, &queues->block);
    queues = above;
  }
}

bool mai_task_queues_are_unused(const struct mai_task_queues *queues) {
  return atomic_load_explicit(&queues->users, memory_order_acquire) == 1;
}

bool mai_task_queues_are_lost(const struct mai_task_queues *queues) {
  return queues->forks != atomic_load_explicit(&forks, memory_order_relaxed);
}

struct mai_work *mai_work_new(size_t bytes) {
  if (bytes > MAI_MOST_ARGUMENTS)
    return NULL;
  struct mai_work *work =
      (struct mai_work *)mai_task_block_take(MAI_TASK_BLOCK, MAI_TASK_BLOCK_BYTES);
  if (work) {
    work->code = NULL;
    work->from = NULL;
    work->level = 0;
    work->has_made = false;
    work->is_guessed = false;
  }
  return work;
}

void mai_work_delete(struct mai_work *work) {
  mai_task_block_give_back(MAI_TASK_BLOCK, &work->block);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/*===-- One queue ----------------------------------------------------------===*/

/* By the system call that the run-time makes, too: it is not forbidden. */
static void nap(void) {
  static const uint32_t nothing;
  struct timespec time = {.tv_nsec = NAP};
  int error = errno;
  minas_system(SYS_futex, (long)&nothing, FUTEX_WAIT_PRIVATE, 0, (long)&time, 0, 0);
  errno = error;
}

static void wait_a_little(void) {
#if defined __x86_64__
  __builtin_ia32_pause();
#endif
}

/* Held for some loads and stores.  The holder may lose its CPU meanwhile. */
static void lock(struct mai_task_queue *queue) {
  enum { SPINS = 100 };
  for (unsigned i = 1; atomic_exchange_explicit(&queue->locked, true, memory_order_acquire); i++)
    if (i % SPINS)
      wait_a_little();
    else
      nap();
}

static void unlock(struct mai_task_queue *queue) {
  atomic_store_explicit(&queue->locked, false, memory_order_release);
}

static void append(struct mai_task_queue *queue, struct mai_work *work) {
  work->block.next = NULL;
  lock(queue);
  if (atomic_load_explicit(&queue->first, memory_order_relaxed))
    queue->last->block.next = &work->block;
  else
    atomic_store_explicit(&queue->first, work, memory_order_relaxed);
  queue->last = work;
  unlock(queue);
}

static struct mai_work *take_first(struct mai_task_queue *queue) {
  if (!atomic_load_explicit(&queue->first, memory_order_relaxed))
    return NULL;
  lock(queue);
  struct mai_work *work = atomic_load_explicit(&queue->first, memory_order_relaxed);
  if (work)
    atomic_store_explicit(&queue->first, (struct mai_work *)work->block.next, memory_order_relaxed);
  unlock(queue);
  return work;
}

/*===-- All ----------------------------------------------------------------===*/

/* The last queue is that of the tasks without home. */
static struct mai_task_queue *queue_of(struct mai_task_queues *queues, unsigned home) {
  return &queues->queues[home == MAI_NO_HOME ? mai_home_count() : home];
}

/* Counted before it is there: a ticket that sees the number looks again. */
void mai_task_queues_add(struct mai_task_queues *queues, struct mai_work *work) {
  work->from = queues;
  mai_comes_before(work);
  atomic_fetch_add(&queues->tasks, 1);
  if (work->home != MAI_NO_HOME)
    mai_home_calls(work->home);
  append(queue_of(queues, work->home), work);
  atomic_fetch_add_explicit(&queues->made, 1, memory_order_relaxed);
}

/* A task is counted as a guest before it is taken. */
static bool has_tasks_or_guests(struct mai_task_queues *queues) {
  return atomic_load(&queues->tasks) > 0 || atomic_load(&queues->guests) > 0;
}

bool mai_task_queues_add_ticket(struct mai_task_queues *queues, int most) {
  if (atomic_load(&queues->tickets) >= most || !has_tasks_or_guests(queues))
    return false;
  atomic_fetch_add(&queues->tickets, 1);
  atomic_fetch_add_explicit(&queues->idle_tickets, 1, memory_order_relaxed);
  use(queues);
  return true;
}

static atomic_uint *busy(const struct mai_ticket *ticket) {
  return &ticket->queues->queues[ticket->home].busy;
}

/* A thread is busy with the innermost of its tickets. */
static void begin_ticket(struct mai_ticket *ticket) {
  ticket->outer = own.ticket;
  own.ticket = ticket;
  if (ticket->outer)
    atomic_fetch_sub_explicit(busy(ticket->outer), 1, memory_order_relaxed);
  atomic_fetch_add_explicit(busy(ticket), 1, memory_order_relaxed);
  own.since = now();
  own.tasks = 0;
}

static void end_ticket(const struct mai_ticket *ticket) {
  atomic_fetch_sub_explicit(busy(ticket), 1, memory_order_relaxed);
  own.ticket = ticket->outer;
  if (own.ticket)
    atomic_fetch_add_explicit(busy(own.ticket), 1, memory_order_relaxed);
}

void mai_task_queues_begin_ticket(struct mai_ticket *ticket) {
  atomic_fetch_sub_explicit(&ticket->queues->idle_tickets, 1, memory_order_relaxed);
  begin_ticket(ticket);
}

/* Tickets that threads run now. */
static int busy_tickets(struct mai_task_queues *queues) {
  return atomic_load(&queues->tickets) -
         atomic_load_explicit(&queues->idle_tickets, memory_order_relaxed);
}

bool mai_task_queues_begin_to_wait(struct mai_ticket *ticket) {
  struct mai_task_queues *queues = ticket->queues;
  if (!has_tasks_or_guests(queues) && busy_tickets(queues) <= 0)
    return false;
  atomic_fetch_add(&queues->tickets, 1);
  use(queues);
  begin_ticket(ticket);
  return true;
}

/* The parent adds a task and then looks for tickets; a ticket leaves and then looks for tasks: one
   of both sees the other. */
static bool end_without_tasks(struct mai_task_queues *queues) {
  bool is_last = atomic_fetch_sub(&queues->tickets, 1) == 1;
  if (is_last ? !has_tasks_or_guests(queues) : atomic_load(&queues->tasks) <= 0)
    return true;
  atomic_fetch_add(&queues->tickets, 1);
  return false;
}

/* Nobody who has to wait for these tasks: a thread that runs no other ticket, and no ticket for
   tasks of its own.  One ticket stays. */
static bool may_leave(const struct mai_ticket *ticket) {
  return mai_occupied_once() && !ticket->stays && mai_home_is_calling(ticket->home) &&
         atomic_load(&ticket->queues->tickets) > 1;
}

static bool leave(struct mai_task_queues *queues) {
  int tickets = atomic_load(&queues->tickets);
  while (tickets > 1)
    if (atomic_compare_exchange_weak(&queues->tickets, &tickets, tickets - 1))
      return true;
  return false;
}

bool mai_task_queues_decline_ticket(struct mai_task_queues *queues) {
  if (own.asks != queues || !leave(queues))
    return false;
  atomic_fetch_sub_explicit(&queues->idle_tickets, 1, memory_order_relaxed);
  mai_task_queues_drop(queues);
  return true;
}

bool mai_task_queues_end_ticket(const struct mai_ticket *ticket) {
  struct mai_task_queues *queues = ticket->queues;
  if (!(may_leave(ticket) && leave(queues)) && !end_without_tasks(queues))
    return false;
  mai_comes_after(queues);
  end_ticket(ticket);
  return true;
}

static struct mai_work *taken(struct mai_task_queues *queues, struct mai_work *work) {
  mai_comes_after(work);
  atomic_fetch_sub(&queues->tasks, 1);
  return work;
}

static struct mai_work *take_from(struct mai_task_queues *queues, unsigned home) {
  struct mai_work *work = take_first(queue_of(queues, home));
  if (!work)
    return NULL;
  mai_home_calls_no_longer(home);
  return taken(queues, work);
}

/* Of a task that waits without a home more may be known than when it was made. */
static void find_home_again(struct mai_work *work) {
  if (work->code)
    work->home = mai_home_of_pointers(work->code, work->level, &work->pointers);
}

static bool is_for(const struct mai_work *work, unsigned home) {
  return work->home == home || work->home == MAI_NO_HOME;
}

/* Those that turn out to be others' wait for these. */
static struct mai_work *take_homeless(struct mai_task_queues *queues, unsigned home) {
  struct mai_work *work;
  while ((work = take_first(queue_of(queues, MAI_NO_HOME)))) {
    find_home_again(work);
    if (is_for(work, home))
      return taken(queues, work);
    mai_home_calls(work->home);
    append(queue_of(queues, work->home), work);
  }
  return NULL;
}

static struct mai_work *take_at_home(struct mai_task_queues *queues, unsigned home) {
  struct mai_work *work = take_from(queues, home);
  return work ? work : take_homeless(queues, home);
}

static struct mai_work *take_from_nearest(struct mai_task_queues *queues, unsigned home) {
  struct mai_work *work = NULL;
  for (unsigned rank = 1; rank < mai_home_count() && !work; rank++)
    work = take_from(queues, mai_home_by_distance(home, rank));
  return work;
}

/*===-- Below --------------------------------------------------------------===*/

static bool has_tasks(const struct mai_task_queues *queues, unsigned home) {
  return atomic_load_explicit(&queues->queues[home].first, memory_order_relaxed);
}

/* What another thread has shown may have been given back, and taken for something else. */
static bool use_if_used(struct mai_task_queues *queues) {
  unsigned users = atomic_load_explicit(&queues->users, memory_order_relaxed);
  while (users > 0)
    if (atomic_compare_exchange_weak_explicit(&queues->users, &users, users + 1,
                                              memory_order_acquire, memory_order_relaxed))
      return true;
  return false;
}

static bool are_below(const struct mai_task_queues *queues, const struct mai_task_queues *above) {
  if (queues == above)
    return false;
  while (queues->level > above->level)
    queues = queues->above;
  return queues == above;
}

bool mai_task_queues_are_apart(const struct mai_task_queues *queues,
                               const struct mai_task_queues *above) {
  for (; queues != above; queues = queues->above)
    if (queues->is_apart)
      return true;
  return false;
}

static void end_guest(struct mai_task_queues *queues) {
  mai_comes_before(queues);
  atomic_fetch_sub(&queues->guests, 1);
  mai_task_queues_drop(queues);
}

static struct mai_work *take_guest(struct mai_task_queues *queues, const struct mai_ticket *ticket,
                                   unsigned home) {
  struct mai_work *work = NULL;
  if (!has_tasks(queues, home) || !use_if_used(queues))
    return NULL;
  atomic_fetch_add(&queues->guests, 1);
  if (are_below(queues, ticket->queues))
    work = take_from(queues, home);
  if (!work)
    end_guest(queues);
  return work;
}

static struct mai_work *take_from_below(const struct mai_ticket *ticket, unsigned home) {
  struct mai_shown shown = {0};
  struct mai_task_queues *queues;
  struct mai_work *work = NULL;
  if (!mai_home_is_calling(home) || mai_task_queues_are_lost(ticket->queues))
    return NULL;
  while (!work && (queues = mai_shown_next(&shown)))
    work = take_guest(queues, ticket, home);
  return work;
}

static struct mai_work *take_here(const struct mai_ticket *ticket) {
  struct mai_work *work = take_at_home(ticket->queues, ticket->home);
  return work ? work : take_from_below(ticket, ticket->home);
}

void mai_task_queues_end_task(const struct mai_ticket *ticket, struct mai_task_queues *from) {
  if (from != ticket->queues)
    end_guest(from);
}

/*===-- Waiting ------------------------------------------------------------===*/

/* Once it was worth it a thread waits longer, and hardly shorter after once in vain: a task that
   has gone astray makes others that do.  But where nobody was to come soon, or nothing at all is
   for its own home, it learns that sooner. */
static void adapt(unsigned *naps, bool in_vain, bool soon) {
  unsigned left = soon ? *naps * 3 / 4 : *naps * 7 / 8;
  *naps = in_vain ? left : *naps * 2;
  *naps = *naps < LEAST_NAPS ? LEAST_NAPS : *naps < MOST_NAPS ? *naps : MOST_NAPS;
}

/* The last times count as much as all before. */
static void note_pace(uint64_t time) {
  if (own.tasks > 0) {
    uint64_t mean = (time - own.since) / own.tasks;
    own.mean = own.mean ? (own.mean + mean) / 2 : mean;
  }
  own.tasks = 0;
}

/* Who may come for tasks: threads that are idle, that work, or that wait for others which work. */
enum hope { NOBODY, WAITING, OCCUPIED, IDLE };

/* Of those that are occupied only such may run tasks in these queues as run a ticket of them or of
   some above, or will be free. */
static bool may_come(const struct mai_task_queues *queues, unsigned home) {
  for (; queues; queues = queues->above)
    if (atomic_load_explicit(&queues->queues[home].busy, memory_order_relaxed) > 0)
      return true;
  return mai_home_is_free_soon(home);
}

static bool any_home_works(void) {
  for (unsigned home = 0; home < mai_home_count(); home++)
    if (mai_home_works(home))
      return true;
  return false;
}

/* Where no thread works all wait, and it may be for each other.
   @param threads that belong on the home */
static enum hope hope_at(const struct mai_task_queues *queues, unsigned home, unsigned threads) {
  return mai_home_has_idle_thread(home, threads)          ? IDLE
         : mai_home_works(home) && may_come(queues, home) ? OCCUPIED
         : any_home_works()                               ? WAITING
                                                          : NOBODY;
}

/* @param threads that belong on each home */
static enum hope hope_for(const struct mai_task_queues *queues, const unsigned *threads) {
  enum hope hope = NOBODY;
  for (unsigned home = 0; home < mai_home_count(); home++) {
    enum hope here = has_tasks(queues, home) ? hope_at(queues, home, threads[home]) : NOBODY;
    hope = here > hope ? here : hope;
  }
  return hope;
}

/* Of the tasks that could be taken; or the own one. */
static unsigned nearest_home(const struct mai_ticket *ticket) {
  for (unsigned rank = 1; rank < mai_home_count(); rank++) {
    unsigned home = mai_home_by_distance(ticket->home, rank);
    if (has_tasks(ticket->queues, home))
      return home;
  }
  return ticket->home;
}

static unsigned *own_naps(enum hope hope) {
  return hope == IDLE       ? &own.naps_for_idle
         : hope == OCCUPIED ? &own.naps_for_occupied
                            : &own.naps_for_waiting;
}

static unsigned naps_to_wait(enum hope hope) {
  return hope == NOBODY ? NAPS_WITHOUT_HOPE : *own_naps(hope);
}

/* Of a thread that has no tasks at home. */
struct waiting {
  enum hope hope;
  unsigned naps;
  uint64_t since;
  unsigned home; /* for whose threads it waits */
  unsigned threads[MAI_MOST_HOMES];
  unsigned long tasks; /* that had been begun there */
  unsigned growing;    /* naps for which tasks may be still coming */
};

static struct waiting begin_to_wait(const struct mai_ticket *ticket) {
  struct waiting waiting = {.home = nearest_home(ticket), .since = now()};
  mai_occupied_wait();
  mai_home_count_threads(waiting.threads);
  waiting.hope = hope_for(ticket->queues, waiting.threads);
  waiting.tasks = mai_shares_look(ticket->home, waiting.home);
  return waiting;
}

/* Whether the parent has added tasks lately, such as may be for the thread's home. */
static bool is_growing(struct waiting *waiting, struct mai_ticket *ticket) {
  unsigned made = atomic_load_explicit(&ticket->queues->made, memory_order_relaxed);
  if (made != ticket->made)
    waiting->growing = LEAST_NAPS;
  else if (waiting->growing > 0)
    waiting->growing--;
  ticket->made = made;
  return waiting->growing > 0;
}

static unsigned long tasks_left(struct mai_task_queues *queues) {
  int tasks = atomic_load(&queues->tasks);
  return tasks > 0 ? (unsigned long)tasks : 0;
}

/* Whether those at whose homes the tasks are will be busy with them for long. */
static bool is_much(const struct mai_task_queues *queues, unsigned long left,
                    const unsigned *threads) {
  unsigned long most = 0;
  for (unsigned home = 0; home < mai_home_count(); home++)
    if (has_tasks(queues, home))
      most += (unsigned long)threads[home] * MANY_TASKS;
  return left > most;
}

/* Naps take longer than they are to where timers are coarse and CPUs busy. */
static bool is_short(uint64_t time) { return !own.mean || time < own.mean * MOST_TASKS; }

/* A thread that has slept. */
static bool is_on_its_way(uint64_t time) { return time < WAKING || is_short(time - WAKING); }

/* Not where nothing more is likely to come, and those who are to run these have more than enough.
 */
static bool is_theirs(struct waiting *waiting, struct mai_ticket *ticket, unsigned long begun) {
  unsigned most = naps_to_wait(waiting->hope);
  unsigned long left = is_growing(waiting, ticket) ? 0 : tasks_left(ticket->queues);
  unsigned naps = mai_shares_naps(most, left);
  return !is_much(ticket->queues, left, waiting->threads) &&
         (naps == most || waiting->naps + begun * NAPS_A_TASK < naps);
}

/* Such a thread can run nothing but what comes of its task, and threads that are inside others
   cannot either. */
static bool is_stuck(const struct waiting *waiting, const struct mai_ticket *ticket) {
  return ticket->waits && waiting->hope == WAITING && waiting->naps >= NAPS_WITHOUT_HOPE;
}

static bool is_patient(struct waiting *waiting, struct mai_ticket *ticket) {
  unsigned most = naps_to_wait(waiting->hope);
  unsigned long begun = mai_shares_look(ticket->home, waiting->home) - waiting->tasks;
  if (waiting->naps >= most || is_stuck(waiting, ticket))
    return false;
  uint64_t time = now() - waiting->since;
  if (waiting->hope == IDLE)
    return is_on_its_way(time);
  return is_theirs(waiting, ticket, begun) &&
         (waiting->naps < LEAST_NAPS || (begun * NAPS_A_TASK < most && is_short(time)));
}

/* Such a ticket is the calling thread's ticket's child, which waits for it in the end. */
static void add_another_ticket(struct mai_ticket *ticket) {
  struct mai_task_queues *queues = ticket->queues;
  if (!mai_task_queues_add_ticket(queues, queues->maker.run_time->openmp.get_num_threads()))
    return;
  MAI_COUNT_TASK(tickets);
  ticket->has_asked = true;
  queues->maker.calls->make_ticket(queues, ticket->thread);
}

static int idle_tickets(const struct mai_ticket *ticket) {
  return atomic_load(&ticket->queues->idle_tickets);
}

/* Threads may have ended their tickets when there was nothing at home: who waits for the tasks has
   others for those that come now.  The run-time may run a ticket at once, here, when it has many;
   who looks for one to wake others finds its own first, which it declines, and makes again. */
static void ask_for_threads(struct mai_ticket *ticket, bool wakes) {
  const struct mai_task_calls *calls = ticket->queues->maker.calls;
  if (own.asks)
    return;
  own.asks = ticket->queues;
  int before = idle_tickets(ticket);
  if (before > 0 && wakes && calls->wake)
    calls->wake(&ticket->queues->maker, ticket->thread);
  int missing = (before > 1 ? before : 1) - idle_tickets(ticket);
  for (; missing > 0 && ticket->stays; missing--)
    add_another_ticket(ticket);
  own.asks = NULL;
}

/* Again and again, at longer and longer times: who is awake may not find anything, and sleep again.
 */
static bool is_power_of_two(unsigned naps) { return (naps & (naps - 1)) == 0; }

static void note_waited(uint64_t begin) {
  struct mai_task_counts *counts = mai_own_task_counts();
  own.since = now();
  if (counts)
    mai_count(&counts->waited, own.since - begin);
}

/* Time is counted in naps: where CPUs are so busy that these take longer, so does everything. */
static struct mai_work *wait_and_take(struct mai_ticket *ticket) {
  struct mai_task_queues *queues = ticket->queues;
  struct mai_work *work = NULL;
  uint64_t begin = now();
  struct waiting waiting = begin_to_wait(ticket);
  note_pace(begin);
  while (!work && atomic_load(&queues->tasks) > 0 && !may_leave(ticket) &&
         is_patient(&waiting, ticket)) {
    if (waiting.hope == IDLE)
      ask_for_threads(ticket, is_power_of_two(waiting.naps));
    nap();
    waiting.naps++;
    waiting.hope = hope_for(queues, waiting.threads);
    work = take_here(ticket);
  }
  bool in_vain = !work && !may_leave(ticket) && (work = take_from_nearest(queues, ticket->home));
  adapt(own_naps(waiting.hope), in_vain,
        waiting.hope != OCCUPIED || !mai_home_is_calling(ticket->home));
  note_waited(begin);
  return work;
}

/* Of tasks that others run come others, below. */
static bool others_work(struct mai_task_queues *queues) {
  return atomic_load(&queues->guests) > 0 ||
         busy_tickets(queues) > atomic_load(&queues->waiting_tickets);
}

/* A thread that has begun nothing else may run all that comes of the outermost tasks: it waits for
   some at home as who waits for the tasks themselves, as its next ticket may be one for few of
   them.  But not long, and where the run-time has tasks of its own not at all. */
static bool may_stay(const struct mai_ticket *ticket, unsigned pauses) {
  return pauses < MOST_PAUSES && !ticket->queues->above && mai_occupied_once() && !ticket->stays &&
         !mai_tasks_have_been_passed();
}

static bool waits_for_others(const struct mai_ticket *ticket, unsigned pauses) {
  struct mai_task_queues *queues = ticket->queues;
  bool is_last = atomic_load(&queues->tickets) == 1;
  return ticket->waits || may_stay(ticket, pauses) ? others_work(queues)
                                                   : is_last && atomic_load(&queues->guests) > 0;
}

/* At first without losing the CPU: most likely they end soon. */
static void pause_while_others_run(unsigned pauses) {
  if (pauses < SHORT_PAUSES)
    wait_a_little();
  else
    nap();
}

static unsigned nearest_that_calls(unsigned home) {
  for (unsigned rank = 1; rank < mai_home_count(); rank++)
    if (mai_home_is_calling(mai_home_by_distance(home, rank)))
      return mai_home_by_distance(home, rank);
  return home;
}

/* Where there are tasks for others only, and these have most of them. */
static struct mai_work *help_below(const struct mai_ticket *ticket, unsigned naps) {
  unsigned home = nearest_that_calls(ticket->home);
  if (home == ticket->home)
    return NULL;
  mai_shares_look(ticket->home, home);
  return naps > mai_shares_naps(MOST_NAPS, 0) ? take_from_below(ticket, home) : NULL;
}

static struct mai_work *take_of_others(const struct mai_ticket *ticket) {
  struct mai_task_queues *queues = ticket->queues;
  struct mai_work *work = NULL;
  mai_occupied_wait();
  note_pace(now());
  atomic_fetch_add(&queues->waiting_tickets, 1);
  for (unsigned pauses = 0;
       !work && atomic_load(&queues->tasks) <= 0 && waits_for_others(ticket, pauses); pauses++) {
    pause_while_others_run(pauses);
    work = take_here(ticket);
    if (!work && pauses > SHORT_PAUSES)
      work = help_below(ticket, pauses - SHORT_PAUSES);
  }
  atomic_fetch_sub(&queues->waiting_tickets, 1);
  own.since = now();
  return work;
}

/* As often as a thread that naps: who is woken finds a ticket by chance, or sleeps again. */
static bool has_not_asked_lately(void) {
  uint64_t time = now();
  if (time - own.asked < NAP)
    return false;
  own.asked = time;
  return true;
}

/* Whether to ask for threads may bring one. */
static bool may_bring_one(const struct mai_ticket *ticket, int team) {
  struct mai_task_queues *queues = ticket->queues;
  if (idle_tickets(ticket) > 0)
    return queues->maker.calls->wake;
  return ticket->stays && atomic_load(&queues->tickets) < team;
}

/* A run-time may have woken fewer threads than there are tickets, and as long as those who are
   awake have enough at home none looks for others.  Who has begun nothing else does; but not for
   few tasks, which may make others here. */
static void wake_idle_threads(struct mai_ticket *ticket) {
  int team = ticket->queues->maker.run_time->openmp.get_num_threads();
  unsigned threads[MAI_MOST_HOMES];
  if (tasks_left(ticket->queues) < (unsigned long)team || !mai_occupied_once() ||
      !may_bring_one(ticket, team) || !has_not_asked_lately())
    return;
  mai_home_count_threads(threads);
  if (hope_for(ticket->queues, threads) == IDLE)
    ask_for_threads(ticket, true);
}

/* While the run-time wakes threads it may have this one run tickets of queues that wait for a task
   which it has taken: it has taken none then. */
struct mai_work *mai_task_queues_take(struct mai_ticket *ticket) {
  wake_idle_threads(ticket);
  struct mai_work *work = take_here(ticket);
  if (!work && atomic_load(&ticket->queues->tasks) > 0)
    work = wait_and_take(ticket);
  if (!work && atomic_load(&ticket->queues->tasks) <= 0 && waits_for_others(ticket, 0))
    work = take_of_others(ticket);
  own.tasks += work != NULL;
  return work;
}
