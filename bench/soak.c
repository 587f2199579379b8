/*===-- soak.c - programs that come and go, and what they leave behind *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Usage: soak SECONDS SEED PROGRAM
 *
 * Has eight programs run at a time: PROGRAM is test/random's, which allocates, places, migrates and
 * forks, and checks what it gets.  Half of them are killed (SIGKILL) in the middle.  Four times all
 * are let end, and what the machine has in memory then is compared with what it had before, node by
 * node, and so are locks of files.  Is to run alone on its machine.
 *
 * Exit status 1 where a program was wrong, or something was left.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROGRAMS = 8, ROUNDS = 4, MOST_NODES = 64, MOST_CALLS = 300, LONGEST_MS = 3000 };

/* What may be left, in KiB: CPUs count pages for themselves for a while; the kernel keeps some of
 * what it had for processes. */
enum { OF_PROCESSES = 1024, OF_KERNEL = 8192 };

static const char *program;
static uint64_t state;

static uint64_t below(uint64_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % limit;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/*===-- What the machine has ------------------------------------------------===*/

/* In KiB. */
struct node {
  bool exists;
  long of_processes; /* pages of theirs, and shared memory */
  long of_kernel;    /* what it has for them: tables of pages, stacks, objects */
};

struct machine {
  struct node nodes[MOST_NODES];
  unsigned locks;
};

static void write_to(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, text, strlen(text)) < 0)
    fprintf(stderr, "soak: %s cannot be written: is this root?\n", path);
  if (file >= 0)
    close(file);
}

static bool is_one_of(const char *name, const char *const *list) {
  for (; *list; list++)
    if (strcmp(*list, name) == 0)
      return true;
  return false;
}

static struct node look_at_node(int node) {
  static const char *const of_processes[] = {"AnonPages", "Shmem", NULL};
  static const char *const of_kernel[] = {"PageTables", "KernelStack", "Slab", NULL};
  char path[64], line[256], name[64];
  struct node found = {0};
  long kib;
  snprintf(path, sizeof path, "/sys/devices/system/node/node%d/meminfo", node);
  FILE *file = fopen(path, "r");
  found.exists = file;
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "Node %*d %63[^:]: %ld", name, &kib) != 2)
      continue;
    found.of_processes += is_one_of(name, of_processes) ? kib : 0;
    found.of_kernel += is_one_of(name, of_kernel) ? kib : 0;
  }
  if (file)
    fclose(file);
  return found;
}

static unsigned count_lines(const char *path) {
  unsigned lines = 0;
  FILE *file = fopen(path, "r");
  for (int c; file && (c = fgetc(file)) != EOF;)
    lines += c == '\n';
  if (file)
    fclose(file);
  return lines;
}

static void look(struct machine *machine) {
  write_to("/proc/sys/vm/drop_caches", "3");
  write_to("/proc/sys/vm/stat_refresh", "1"); /* counts that CPUs keep */
  for (int node = 0; node < MOST_NODES; node++)
    machine->nodes[node] = look_at_node(node);
  machine->locks = count_lines("/proc/locks");
}

/* @return how many things are not as they were */
static unsigned compare(const struct machine *before, const struct machine *after) {
  unsigned wrong = before->locks != after->locks;
  if (wrong)
    printf("WRONG: locks of files: %u, were %u\n", after->locks, before->locks);
  for (int node = 0; node < MOST_NODES; node++) {
    const struct node *was = &before->nodes[node], *is = &after->nodes[node];
    long of_processes = is->of_processes - was->of_processes;
    long of_kernel = is->of_kernel - was->of_kernel;
    bool left = of_processes > OF_PROCESSES || of_kernel > OF_KERNEL;
    if (is->exists)
      printf("%snode %d: of processes %+ld KiB, of the kernel %+ld KiB\n", left ? "WRONG: " : "",
             node, of_processes, of_kernel);
    wrong += left;
  }
  return wrong;
}

/*===-- Programs ------------------------------------------------------------===*/

static struct run {
  pid_t process; /* 0: none */
  uint64_t seed;
  double end; /* when it is killed; 0: not */
  bool killed;
  FILE *said;
} runs[PROGRAMS];

static struct {
  unsigned started, ended, killed, wrong;
} counts;

static void start(struct run *run) {
  char calls[32], seed[32];
  *run = (struct run){.seed = below(1u << 30), .said = tmpfile()};
  if (below(2))
    run->end = now() + (double)below(LONGEST_MS) * 1e-3;
  snprintf(calls, sizeof calls, "%llu", (unsigned long long)(1 + below(MOST_CALLS)));
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->seed);
  counts.started++;
  run->process = fork();
  if (run->process == 0) {
    int said = run->said ? fileno(run->said) : open("/dev/null", O_WRONLY);
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    setpgid(0, 0); /* what it has started ends with it */
    execl(program, program, "--calls", calls, "--seed", seed, "--patience", "600", (char *)NULL);
    _exit(127);
  }
}

static void show(FILE *said) {
  char line[512];
  rewind(said);
  while (fgets(line, sizeof line, said))
    printf("  %s", line);
}

static void take_end(struct run *run, int status) {
  bool by_us = run->killed && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  kill(-run->process, SIGKILL);
  counts.ended += well;
  counts.killed += by_us;
  if (!well && !by_us) {
    printf("WRONG: seed %llu: status %#x\n", (unsigned long long)run->seed, (unsigned)status);
    counts.wrong++;
    if (run->said)
      show(run->said);
  }
  if (run->said)
    fclose(run->said);
  run->process = 0;
}

static void look_after(struct run *run, bool go_on) {
  int status;
  if (run->process > 0 && waitpid(run->process, &status, WNOHANG) == run->process)
    take_end(run, status);
  if (run->process > 0 && run->end && now() > run->end && !run->killed) {
    run->killed = true;
    kill(run->process, SIGKILL);
  }
  if (!run->process && go_on)
    start(run);
}

static unsigned running(void) {
  unsigned count = 0;
  for (size_t i = 0; i < PROGRAMS; i++)
    count += runs[i].process > 0;
  return count;
}

static void soak(double seconds) {
  double end = now() + seconds;
  const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
  do {
    for (size_t i = 0; i < PROGRAMS; i++)
      look_after(&runs[i], now() < end);
    nanosleep(&pause, NULL);
  } while (now() < end || running());
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  static struct machine before, after;
  double seconds = strtod(argv[1], NULL);
  state = strtoull(argv[2], NULL, 10);
  program = argv[3];
  unsigned left = 0;
  soak(seconds / ROUNDS / 4); /* what the first programs load stays in memory */
  look(&before);
  for (int round = 0; round < ROUNDS; round++) {
    soak(seconds / ROUNDS);
    look(&after);
    left += compare(&before, &after);
  }
  printf("started %u, ended %u, killed %u, wrong %u, left %u\n", counts.started, counts.ended,
         counts.killed, counts.wrong, left);
  return counts.wrong || left;
}
