/*===-- pages_over_time.c - where a program's pages are, and for how long -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * pages_over_time NAME:ADDRESS:BYTES ... -- COMMAND ...
 *
 * Runs a program that knows nothing of it, asks the kernel all the time where the pages of its
 * static arrays are, and tells at the end, of each run of pages with the same history:
 *
 *   pages NAME COUNT FIRST MOVED PART ...
 *
 * the node that they had first, how often each has been seen to move, and which part of the time
 * since then it was on node 0, 1, ...: first those of the time before any page of the array moved,
 * then those from then on until the last one did, then those behind.  The time is the program's
 * own, so that what it does between two looks counts by how long that has taken.  Its exit status
 * is the program's.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, AT_A_TIME = 1024, NODES = 8, NOWHERE = -1 };

static const struct timespec BETWEEN_LOOKS = {.tv_nsec = 100000000};

/* Of an array's time, by its moves. */
enum { BEFORE, WHILE, BEHIND, STAGES };

struct page {
  int first, node;
  unsigned moved;
  double seconds[STAGES][NODES];
};

struct array {
  char *name;
  unsigned long begin, count; /* of its pages */
  struct page *pages;
  bool has_moved; /* a page of it */
};

static struct array *arrays;
static int array_count;

static double seconds_by(clockid_t clock) {
  struct timespec now;
  return clock_gettime(clock, &now) == 0 ? (double)now.tv_sec + (double)now.tv_nsec / 1e9 : -1;
}

/*===-- What is looked at --------------------------------------------------===*/

static bool read_array(const char *text, struct array *array) {
  unsigned long address, bytes;
  if (sscanf(text, "%m[^:]:%lx:%lu", &array->name, &address, &bytes) != 3)
    return false;
  array->begin = address / PAGE;
  array->count = (address + bytes - 1) / PAGE - array->begin + 1;
  array->pages = calloc(array->count, sizeof *array->pages);
  for (unsigned long i = 0; array->pages && i < array->count; i++)
    array->pages[i].first = array->pages[i].node = NOWHERE;
  return array->pages;
}

/* @return the words before the command, or -1 */
static int read_arrays(char **words, int count) {
  arrays = calloc((size_t)count, sizeof *arrays);
  for (int i = 1; i < count && arrays; i++) {
    if (strcmp(words[i], "--") == 0)
      return i + 1 < count ? i + 1 : -1;
    if (!read_array(words[i], &arrays[array_count++]))
      break;
  }
  return -1;
}

/*===-- Looking ------------------------------------------------------------===*/

/* @return whether it has moved since the last look */
static bool see(struct page *page, int node, double seconds, int stage) {
  if (node < 0 || node >= NODES)
    return false;
  bool has_moved = page->first != NOWHERE && page->node != node;
  if (page->first == NOWHERE)
    page->first = node;
  page->moved += has_moved;
  page->node = node;
  page->seconds[stage][node] += seconds;
  return has_moved;
}

/* What was behind the last move was not. */
static void move_on(struct array *array) {
  array->has_moved = true;
  for (unsigned long i = 0; i < array->count; i++)
    for (int node = 0; node < NODES; node++) {
      array->pages[i].seconds[WHILE][node] += array->pages[i].seconds[BEHIND][node];
      array->pages[i].seconds[BEHIND][node] = 0;
    }
}

static void look_at(pid_t program, struct array *array, double seconds) {
  void *addresses[AT_A_TIME];
  int nodes[AT_A_TIME];
  bool has_moved = false;
  for (unsigned long done = 0, some; done < array->count; done += some) {
    some = array->count - done < AT_A_TIME ? array->count - done : AT_A_TIME;
    for (unsigned long i = 0; i < some; i++)
      addresses[i] = (void *)((array->begin + done + i) * PAGE);
    if (syscall(SYS_move_pages, program, some, addresses, NULL, nodes, 0) != 0)
      return;
    for (unsigned long i = 0; i < some; i++)
      has_moved |=
          see(&array->pages[done + i], nodes[i], seconds, array->has_moved ? BEHIND : BEFORE);
  }
  if (has_moved)
    move_on(array);
}

/* @return the program's exit status */
static int look_until_end(pid_t program) {
  clockid_t clock;
  double before = 0;
  int status;
  bool has_clock = clock_getcpuclockid(program, &clock) == 0;
  while (waitpid(program, &status, WNOHANG) == 0) {
    double now = has_clock ? seconds_by(clock) : -1;
    for (int i = 0; now > before && i < array_count; i++)
      look_at(program, &arrays[i], now - before);
    before = now > before ? now : before;
    nanosleep(&BETWEEN_LOOKS, NULL);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/*===-- Telling ------------------------------------------------------------===*/

static double part(const struct page *page, int stage, int node) {
  double all = 0;
  for (int i = 0; i < STAGES * NODES; i++)
    all += page->seconds[i / NODES][i % NODES];
  return all > 0 ? page->seconds[stage][node] / all : 0;
}

static bool are_alike(const struct page *one, const struct page *other) {
  bool alike = one->first == other->first && one->moved == other->moved;
  for (int i = 0; i < STAGES * NODES; i++)
    alike = alike && (int)(1000 * part(one, i / NODES, i % NODES)) ==
                         (int)(1000 * part(other, i / NODES, i % NODES));
  return alike;
}

static void tell(const struct array *array) {
  for (unsigned long first = 0, end; first < array->count; first = end) {
    const struct page *page = &array->pages[first];
    for (end = first + 1; end < array->count && are_alike(page, &array->pages[end]); end++)
      ;
    printf("pages %s %lu %d %u", array->name, end - first, page->first, page->moved);
    for (int i = 0; i < STAGES * NODES; i++)
      printf(" %.3f", part(page, i / NODES, i % NODES));
    putchar('\n');
  }
}

int main(int count, char **words) {
  int command = read_arrays(words, count);
  if (command < 0)
    return fputs("usage: pages_over_time NAME:ADDRESS:BYTES ... -- COMMAND ...\n", stderr), 2;
  pid_t program = fork();
  if (program == 0) {
    execvp(words[command], words + command);
    perror(words[command]);
    _exit(127);
  }
  int status = program < 0 ? 1 : look_until_end(program);
  for (int i = 0; i < array_count; i++)
    tell(&arrays[i]);
  return status;
}
