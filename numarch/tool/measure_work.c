/*===-- measure_work.c - the loops whose time is taken -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Latency: each load needs the result of the one before, so that no two overlap, and a random order
 * gives prefetchers nothing to go by.  Pointers are two cache lines apart, so that a prefetcher
 * that fetches lines in pairs fetches in vain.
 *
 * Bandwidth: each thread goes through its own part of the memory, reading by plain loads, writing
 * by memset() and copying by memcpy(), as programs do.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

static const double BYTES_PER_MEBIBYTE = 1 << 20;
static const double MOST_PASSES = 1e6;
static const double SHORTEST_TIME = 1e-9; /* a clock may not tell less */
static const double LEAST_SHARE = 0.95;   /* of its CPU that a thread has when nobody disturbs it */

static double read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A thread's time, by the wall's clock and by that which stops while it has no CPU. */
struct moment {
  double wall;
  double cpu;
};

static struct moment now(void) {
  return (struct moment){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_THREAD_CPUTIME_ID)};
}

static bool had_its_cpu(struct moment start, struct moment end) {
  return end.cpu - start.cpu >= LEAST_SHARE * (end.wall - start.wall);
}

static void add_run(struct measure_runs *runs, double value, bool undisturbed) {
  if (undisturbed && runs->count < MEASURE_MOST_RUNS)
    runs->values[runs->count++] = value;
  else
    runs->disturbed++;
}

/*===-- Pinning ------------------------------------------------------------===*/

/* A set of one CPU, however great its number; NULL with errno ENOMEM. */
static cpu_set_t *set_of_cpu(uint32_t os_cpu, size_t *size) {
  cpu_set_t *set = CPU_ALLOC((size_t)os_cpu + 1);
  if (!set)
    return NULL;
  *size = CPU_ALLOC_SIZE((size_t)os_cpu + 1);
  CPU_ZERO_S(*size, set);
  CPU_SET_S(os_cpu, *size, set);
  return set;
}

/* @return 0 or an error number */
static int start_pinned(pthread_t *thread, uint32_t os_cpu, void *run(void *), void *argument) {
  size_t size = 0;
  cpu_set_t *set = set_of_cpu(os_cpu, &size);
  pthread_attr_t attributes;
  if (!set)
    return ENOMEM;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    error = pthread_attr_setaffinity_np(&attributes, size, set);
    if (error == 0)
      error = pthread_create(thread, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
  }
  CPU_FREE(set);
  return error;
}

/*===-- Latency ------------------------------------------------------------===*/

/* Marsaglia's xorshift64. */
static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void **slot(const struct measure_buffer *buffer, size_t stride, size_t index) {
  void *place = buffer->start + index * stride;
  return place;
}

/* Sattolo's algorithm makes a permutation that is one cycle; it is done where it is used. */
void measure_link(const struct measure_buffer *buffer, size_t stride) {
  size_t count = buffer->size / stride;
  uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = 0; i < count; i++)
    *slot(buffer, stride, i) = (void *)slot(buffer, stride, i);
  for (size_t i = count - 1; i > 0; i--) {
    void **one = slot(buffer, stride, i);
    void **other = slot(buffer, stride, next_random(&state) % i);
    void *pointer = *one;
    *one = *other;
    *other = pointer;
  }
}

/* Where `steps` pointers lead. */
static void **follow(void **pointer, uint64_t steps) {
  for (; steps > 0; steps--)
    pointer = (void **)*pointer;
  return pointer;
}

/* The time that it takes. @param undisturbed whether the thread had its CPU; or NULL */
static double time_of_following(void ***position, uint64_t steps, bool *undisturbed) {
  struct moment start = now();
  *position = follow(*position, steps);
  /* The compiler may not find out that nobody needs the way's end. */
  __asm__ volatile("" : : "r"(*position) : "memory");
  struct moment end = now();
  if (undisturbed)
    *undisturbed = had_its_cpu(start, end);
  return fmax(end.wall - start.wall, SHORTEST_TIME);
}

/* An interruption may make one try long: the shorter of two counts. */
static double shorter_time_of_following(void ***position, uint64_t steps) {
  double once = time_of_following(position, steps, NULL);
  return fmin(once, time_of_following(position, steps, NULL));
}

struct walk {
  const struct measure_buffer *buffer;
  double seconds;
  struct measure_runs *runs;
};

static void *run_walk(void *argument) {
  struct walk *walk = argument;
  void **position = slot(walk->buffer, 0, 0);
  uint64_t steps = 1024;
  /* The way goes on where it ended: what one run brought into the caches is behind it. */
  while (shorter_time_of_following(&position, steps) < walk->seconds / 2 && steps < UINT64_MAX / 2)
    steps *= 2;
  for (unsigned i = 0; i < MEASURE_FEWEST_RUNS; i++) {
    bool undisturbed = false;
    double seconds = time_of_following(&position, steps, &undisturbed);
    add_run(walk->runs, seconds * 1e9 / (double)steps, undisturbed);
  }
  return NULL;
}

int measure_latency(const struct measure_buffer *buffer, uint32_t os_cpu, double seconds,
                    struct measure_runs *runs) {
  struct walk walk = {.buffer = buffer, .seconds = seconds, .runs = runs};
  pthread_t thread;
  int error = start_pinned(&thread, os_cpu, run_walk, &walk);
  if (error == 0)
    pthread_join(thread, NULL);
  errno = error;
  return error == 0 ? 0 : -1;
}

/*===-- Bandwidth ----------------------------------------------------------===*/

enum work { READ, WRITE, COPY };

/* Threads wait until all of them are there, or until it is clear that one cannot be had. */
enum signal { WAIT, GO, LEAVE };

/* What all threads of a repetition do. */
struct job {
  enum work work;
  unsigned passes;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  enum signal signal;
};

struct worker {
  struct job *job;
  pthread_t thread;
  char *part;
  size_t size;
  struct moment started;
  struct moment ended;
};

static void read_part(const void *part, size_t size) {
  const uint64_t *words = part;
  uint64_t sums[8] = {0};
  for (size_t i = 0; i + 8 <= size / sizeof *words; i += 8)
    for (size_t j = 0; j < 8; j++)
      sums[j] += words[i + j];
  __asm__ volatile("" : : "r"(sums) : "memory");
}

static void go_through(const struct worker *worker, unsigned pass) {
  switch (worker->job->work) {
  case READ:
    read_part(worker->part, worker->size);
    break;
  case WRITE:
    memset(worker->part, (int)pass, worker->size);
    break;
  case COPY:
    memcpy(worker->part + worker->size / 2, worker->part, worker->size / 2);
    break;
  }
  __asm__ volatile("" : : "r"(worker->part) : "memory");
}

static enum signal await_signal(struct job *job) {
  pthread_mutex_lock(&job->lock);
  while (job->signal == WAIT)
    pthread_cond_wait(&job->changed, &job->lock);
  enum signal signal = job->signal;
  pthread_mutex_unlock(&job->lock);
  return signal;
}

static void give_signal(struct job *job, enum signal signal) {
  pthread_mutex_lock(&job->lock);
  job->signal = signal;
  pthread_cond_broadcast(&job->changed);
  pthread_mutex_unlock(&job->lock);
}

static void *run_worker(void *argument) {
  struct worker *worker = argument;
  if (await_signal(worker->job) == LEAVE)
    return NULL;
  worker->started = now();
  for (unsigned pass = 0; pass < worker->job->passes; pass++)
    go_through(worker, pass);
  worker->ended = now();
  return NULL;
}

/* From the first that starts to the last that ends. */
static double join_workers(const struct worker *workers, uint32_t count) {
  double first = 0;
  double last = 0;
  for (uint32_t i = 0; i < count; i++) {
    pthread_join(workers[i].thread, NULL);
    first = i == 0 ? workers[i].started.wall : fmin(first, workers[i].started.wall);
    last = i == 0 ? workers[i].ended.wall : fmax(last, workers[i].ended.wall);
  }
  return last - first;
}

/* Parts are whole pages, so that no two threads share a cache line. */
static void divide(const struct measure_buffer *buffer, struct job *job, struct worker *workers,
                   uint32_t count) {
  size_t part = buffer->size / count / 4096 * 4096;
  for (uint32_t i = 0; i < count; i++)
    workers[i] = (struct worker){.job = job, .part = buffer->start + i * part, .size = part};
}

static bool all_had_their_cpus(const struct worker *workers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!had_its_cpu(workers[i].started, workers[i].ended))
      return false;
  return true;
}

/* The time of one run in seconds; 0 with errno where there are no threads. */
static double run_job(struct job *job, struct worker *workers, const struct measure_cpus *cpus) {
  uint32_t started = 0;
  int error = 0;
  job->signal = WAIT;
  while (started < cpus->count && error == 0) {
    struct worker *worker = &workers[started];
    error = start_pinned(&worker->thread, cpus->os_indices[started], run_worker, worker);
    started += error == 0;
  }
  give_signal(job, error == 0 ? GO : LEAVE);
  double seconds = join_workers(workers, started);
  errno = error;
  return error == 0 ? fmax(seconds, SHORTEST_TIME) : 0;
}

/* Enough passes for the time that a run has to take, the first being a warm-up; 0 with errno. */
static unsigned choose_passes(struct job *job, struct worker *workers,
                              const struct measure_cpus *cpus, double seconds) {
  job->passes = 1;
  double pass = run_job(job, workers, cpus) > 0 ? run_job(job, workers, cpus) : 0;
  return pass > 0 ? (unsigned)fmin(ceil(seconds / pass), MOST_PASSES) : 0;
}

static int repeat_job(struct job *job, struct worker *workers, const struct measure_cpus *cpus,
                      double seconds, struct measure_runs *runs) {
  double bytes = (double)workers[0].size * cpus->count;
  job->passes = choose_passes(job, workers, cpus, seconds);
  for (unsigned i = 0; i < MEASURE_FEWEST_RUNS; i++) {
    double taken = job->passes ? run_job(job, workers, cpus) : 0;
    if (taken <= 0)
      return -1;
    add_run(runs, bytes * job->passes / BYTES_PER_MEBIBYTE / taken,
            all_had_their_cpus(workers, cpus->count));
  }
  return 0;
}

static enum work work_of(enum numarch_metric metric) {
  switch (metric) {
  case NUMARCH_READ_BANDWIDTH:
  case NUMARCH_CPU_READ_BANDWIDTH:
    return READ;
  case NUMARCH_WRITE_BANDWIDTH:
  case NUMARCH_CPU_WRITE_BANDWIDTH:
    return WRITE;
  default:
    return COPY;
  }
}

int measure_bandwidth(const struct measure_buffer *buffer, enum numarch_metric metric,
                      const struct measure_cpus *cpus, double seconds, struct measure_runs *runs) {
  struct worker *workers = calloc(cpus->count, sizeof *workers);
  if (!workers)
    return -1;
  struct job job = {.work = work_of(metric),
                    .lock = PTHREAD_MUTEX_INITIALIZER,
                    .changed = PTHREAD_COND_INITIALIZER};
  divide(buffer, &job, workers, cpus->count);
  int result = repeat_job(&job, workers, cpus, seconds, runs);
  int error = errno;
  free(workers);
  errno = error;
  return result;
}
