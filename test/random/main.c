/*===-- main.c - calls all functions of the libraries at random -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Usage: calls [--calls N] [--seed N] [--threads N] [--interrupt] [--cancel] [--patience SECONDS]
 *              [--only N,N-N,...]
 *
 * Each thread makes so many calls and checks each answer.  Exit status 1 at the first that is wrong.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <getopt.h>
#include <mai.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "machine.h"

enum { MOST_THREADS = 16 };

static struct {
  unsigned long calls, seed;
  unsigned threads, patience;
  bool interrupt, cancel;
  const char *only;
} options = {.calls = 1000, .seed = 1, .threads = 1, .patience = 60};

static struct worker *workers;
static struct array statics[STATICS];
static _Atomic unsigned working;
static pthread_rwlock_t world = PTHREAD_RWLOCK_INITIALIZER;

bool alone(const struct worker *worker) {
  return options.threads == 1 && !options.cancel && worker;
}

/*===-- What is called, and how often -----------------------------------------===*/

/* Calls that touch other workers' arrays, or the program's threads, want the world for themselves.
 */
enum { ALONE = 1, MAIN = 2, CANCEL = 4 };

static const struct kind {
  void (*call)(struct worker *worker);
  unsigned often, when;
} kinds[] = {{call_allocate, 60, 0},
             {call_allocate_wrongly, 20, 0},
             {call_realloc, 30, 0},
             {call_free, 30, 0},
             {call_free_wrongly, 10, 0},
             {call_place, 40, 0},
             {call_place_wrongly, 20, 0},
             {call_forget, 10, 0},
             {call_place_block, 20, 0},
             {call_place_rows, 5, 0},
             {call_realloc_block, 15, 0},
             {call_replace, 60, 0},
             {call_replace_all, 4, ALONE},
             {call_migrate, 40, 0},
             {call_next_touch, 40, 0},
             {call_replicas, 30, 0},
             {call_move_wrongly, 20, 0},
             {call_on_quiet_array, 20, 0},
             {call_look, 40, 0},
             {call_where, 20, 0},
             {call_look_wrongly, 10, 0},
             {call_report, 3, ALONE},
             {call_on_node, 5, 0},
             {call_task_home, 5, 0},
             {call_parallel_nodes, 3, 0},
             {call_map_threads, 5, ALONE | MAIN},
             {call_team, 20, MAIN},
             {call_canceled, 5, CANCEL},
             {call_policy_text, 40, 0},
             {call_messages, 3, ALONE | MAIN},
             {call_numarch, 20, 0},
             {call_cxx, 30, 0},
             {call_statics, 3, ALONE | MAIN},
             {do_write, 30, 0},
             {do_check, 40, 0},
             {do_drop_pages, 20, 0},
             {do_unmap, 10, 0},
             {do_fork, 4, 0}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_meant(const struct worker *worker, const struct kind *kind) {
  return !(kind->when & MAIN && worker->number != 0) && !(kind->when & CANCEL && !options.cancel);
}

static const struct kind *draw_kind(struct worker *worker) {
  for (;;) {
    size_t sum = 0;
    for (size_t i = 0; i < KINDS; i++)
      sum += kinds[i].often;
    size_t number = draw(worker, sum);
    size_t i = 0;
    while (number >= kinds[i].often)
      number -= kinds[i++].often;
    if (is_meant(worker, &kinds[i]))
      return &kinds[i];
  }
}

static void make_call(struct worker *worker) {
  const struct kind *kind = draw_kind(worker);
  if (kind->when & ALONE)
    pthread_rwlock_wrlock(&world);
  else
    pthread_rwlock_rdlock(&world);
  kind->call(worker);
  pthread_rwlock_unlock(&world);
}

/* Whether a call is among those of --only: "3,7-9". */
static bool is_wanted(unsigned long call) {
  const char *text = options.only;
  if (!text)
    return true;
  while (*text) {
    char *end;
    unsigned long first = strtoul(text, &end, 10);
    unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
    if (call >= first && call <= last)
      return true;
    text = *end ? end + 1 : end;
  }
  return false;
}

/*===-- Interruptions --------------------------------------------------------===*/

static _Thread_local struct worker *interrupted;

/* In the middle of anything the program reads its memory. */
static void handle_interrupt(int signal) {
  int error = errno;
  struct worker *worker = interrupted;
  (void)signal;
  if (worker)
    for (size_t cell = 0; cell < count_cells(&worker->quiet); cell += 7)
      if (!cell_is_right(&worker->quiet, worker->quiet.memory, cell))
        wrong(worker, "other contents, when interrupted");
  errno = error;
}

static pthread_t threads[MOST_THREADS];

static void *interrupt_all(void *nothing) {
  (void)nothing;
  for (unsigned i = 0; working; i++) {
    struct timespec pause = {0, 200000 + (i * 2654435761U) % 3000000};
    nanosleep(&pause, NULL);
    pthread_kill(threads[i % options.threads], SIGUSR1);
  }
  return NULL;
}

static void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigaction(signal, &action, NULL);
}

/* A crash: say what was called, and let it be. */
static struct sigaction crash_before;

static void handle_crash(int signal, siginfo_t *info, void *context) {
  void *frames[30];
  dprintf(STDOUT_FILENO, "CRASH: signal %d, code %d, address %p\n", signal, info->si_code,
          info->si_addr);
  (void)context;
  backtrace_symbols_fd(frames, backtrace(frames, 30), STDOUT_FILENO);
  if (interrupted)
    print_last_calls(interrupted);
  sigaction(signal, &crash_before, NULL);
}

static void catch_crashes(void) {
  struct sigaction action = {.sa_sigaction = handle_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGSEGV, &action, &crash_before);
}

/*===-- Workers --------------------------------------------------------------===*/

static void *work(void *argument) {
  struct worker *worker = argument;
  begin_call(worker, options.seed, 0);
  make_quiet_array(worker);
  interrupted = worker;
  for (unsigned long call = 1; call <= options.calls; call++) {
    begin_call(worker, options.seed, call);
    if (is_wanted(call))
      make_call(worker);
  }
  begin_call(worker, options.seed, options.calls + 1);
  interrupted = NULL;
  pthread_rwlock_wrlock(&world);
  free_arrays(worker);
  pthread_rwlock_unlock(&world);
  working--;
  return NULL;
}

/* No thread may hang. */
static void *watch(void *nothing) {
  (void)nothing;
  unsigned long seen[MOST_THREADS] = {0};
  for (unsigned still = 0; working; still++) {
    sleep(1);
    for (unsigned i = 0; i < options.threads; i++) {
      unsigned long begun = __atomic_load_n(&workers[i].begun, __ATOMIC_RELAXED);
      if (begun != seen[i] || begun > options.calls)
        still = 0;
      seen[i] = begun;
    }
    if (still < options.patience)
      continue;
    printf("WRONG: nothing happens any more\nthe last calls:\n");
    fflush(stdout);
    for (unsigned i = 0; i < options.threads; i++)
      print_last_calls(&workers[i]);
    abort();
  }
  return NULL;
}

static void run_workers(void) {
  pthread_t watcher;
  pthread_t interrupter;
  working = options.threads;
  pthread_create(&watcher, NULL, watch, NULL);
  for (unsigned i = 1; i < options.threads; i++)
    pthread_create(&threads[i], NULL, work, &workers[i]);
  threads[0] = pthread_self();
  if (options.interrupt)
    pthread_create(&interrupter, NULL, interrupt_all, NULL);
  work(&workers[0]);
  for (unsigned i = 1; i < options.threads; i++)
    pthread_join(threads[i], NULL);
  if (options.interrupt)
    pthread_join(interrupter, NULL);
  pthread_join(watcher, NULL);
}

/*===-- What must not grow ----------------------------------------------------===*/

struct use {
  size_t mappings, descriptors, heap;
};

static size_t count_lines(const char *path) {
  FILE *file = fopen(path, "re");
  size_t lines = 0;
  for (int c; file && (c = getc(file)) != EOF;)
    lines += c == '\n';
  if (file)
    fclose(file);
  return lines;
}

static size_t count_descriptors(void) {
  size_t count = 0;
  for (int i = 0; i < 1024; i++)
    count += fcntl(i, F_GETFD) != -1;
  return count;
}

static struct use measure(void) {
  malloc_trim(0);
  return (struct use){count_lines("/proc/self/maps"), count_descriptors(), mallinfo2().uordblks};
}

/* Threads that have ended leave stacks and arenas, the first calls of many functions tables, and
   policies pieces of the memory that is still there.  Sanitizers map more for every thread. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { MAPPINGS = 4000 };
#else
enum { MAPPINGS = 400 };
#endif

/* The file of claims stays open, so that other programs see which CPUs are used. */
static int check_use(struct use before) {
  enum { HEAP = 2 << 20, DESCRIPTORS = 1 };
  struct use after = measure();
  printf("%zu mappings, %zu descriptors, %zu bytes more\n", after.mappings - before.mappings,
         after.descriptors - before.descriptors, after.heap - before.heap);
  if (after.mappings <= before.mappings + MAPPINGS &&
      after.descriptors <= before.descriptors + DESCRIPTORS && after.heap <= before.heap + HEAP)
    return 0;
  printf("WRONG: something is not given back\n");
  return 1;
}

/*===-- The command line --------------------------------------------------------===*/

static unsigned long number(const char *text) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*text && !*end)
    return value;
  fprintf(stderr, "calls: '%s' is no number\n", text);
  exit(2);
}

static void read_options(int argc, char **argv) {
  static const struct option known[] = {
      {"calls", required_argument, NULL, 'c'},   {"seed", required_argument, NULL, 's'},
      {"threads", required_argument, NULL, 't'}, {"interrupt", no_argument, NULL, 'i'},
      {"cancel", no_argument, NULL, 'x'},        {"patience", required_argument, NULL, 'p'},
      {"only", required_argument, NULL, 'o'},    {NULL, 0, NULL, 0}};
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
    switch (option) {
    case 'c':
      options.calls = number(optarg);
      break;
    case 's':
      options.seed = number(optarg);
      break;
    case 't':
      options.threads = (unsigned)number(optarg);
      break;
    case 'i':
      options.interrupt = true;
      break;
    case 'x':
      options.cancel = true;
      break;
    case 'p':
      options.patience = (unsigned)number(optarg);
      break;
    case 'o':
      options.only = optarg;
      break;
    default:
      exit(2);
    }
  if (options.threads == 0 || options.threads > MOST_THREADS || optind != argc) {
    fprintf(stderr, "calls: 1 to %d threads, and nothing but options\n", MOST_THREADS);
    exit(2);
  }
}

static void describe_options(int argc, char **argv) {
  char text[400] = "";
  for (int i = 1; i < argc; i++) {
    strncat(text, " ", sizeof text - strlen(text) - 1);
    strncat(text, argv[i], sizeof text - strlen(text) - 1);
  }
  strncat(text, "\n", sizeof text - strlen(text) - 1);
  char all[420];
  snprintf(all, sizeof all, "options:%s", text);
  describe_run(all);
}

int main(int argc, char **argv) {
  read_options(argc, argv);
  describe_options(argc, argv);
  read_machine();
  catch_crashes();
  set_handler(SIGUSR1, handle_interrupt);
  workers = calloc(options.threads, sizeof *workers);
  if (!workers || mai_init() != 0)
    return 2;
  for (unsigned i = 0; i < options.threads; i++)
    workers[i].number = i;
  find_statics(statics);
  workers[0].statics = statics;
  struct use before = measure();
  run_workers();
  printf("%lu calls\n", options.calls * options.threads);
  int grown = check_use(before);
  numarch_close(machine.numarch);
  free(workers);
  return grown;
}
