/* Reads and writes arrays of which it is known how hot they are; what else it does is named by its first argument. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES 300
static char touched[(PAGES + 2) * 4096];
static double table[1 << 16];

/* Behind these, so that its variable lies in no page of the first. */
#include "add_up.h"

static double *filled(long count) {
  double *block = malloc((size_t)count * sizeof *block);
  for (long i = 0; i < count; i++)
    block[i] = (double)i;
  return block;
}

static void heat(void) {
  const long count = 1 << 20;
  double *hot = filled(count), *cold = filled(count);
#pragma omp parallel num_threads(2)
  {
    add_up(hot, count, 50);
    add_up(cold, count, 5);
  }
  free(cold);
  free(hot);
}

/* One that is no part of a team begins before it. */
static void *beside(void *from) {
  add_up(from, 1 << 20, 20);
  return NULL;
}

static void teams(void) {
  double *hot = filled(1 << 20);
  pthread_t thread;
  pthread_create(&thread, NULL, beside, hot);
#pragma omp parallel num_threads(3)
  add_up(hot, 1 << 20, 20);
  pthread_join(thread, NULL);
  free(hot);
}

struct node {
  struct node *next;
  double value[5];
};

static void nodes(void) {
  struct node *first = NULL;
  for (int i = 0; i < 100000; i++) {
    struct node *node = calloc(1, sizeof *node);
    node->next = first;
    first = node;
  }
  for (int times = 0; times < 100; times++)
    for (struct node *at = first; at; at = at->next)
      sink += at->value[0];
}

/* What the child reads is its parent's. */
static void inherited(void) {
  double *hot = filled(1 << 20);
  if (fork() == 0)
    add_up(hot, 1 << 20, 50);
}

static void touch(void) {
  char *first = (char *)(((size_t)touched + 4095) / 4096 * 4096);
  for (int page = 0; page < PAGES; page++)
    first[page * 4096] = 1;
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  if (!strcmp(what, "touch"))
    touch();
  else if (!strcmp(what, "exec"))
    execl(arguments[0], arguments[0], "touch", (char *)NULL);
  else if (!strcmp(what, "fork") && fork() == 0)
    heat();
  else if (!strcmp(what, "heat") || !strcmp(what, "kill"))
    heat();
  else if (!strcmp(what, "inherited"))
    inherited();
  else if (!strcmp(what, "teams"))
    teams();
  else if (!strcmp(what, "nodes"))
    nodes();
  else if (!strcmp(what, "wait"))
    for (int i = 0; i < 20; i++)
      heat();
  wait(NULL);
  for (int i = 0; i < 1 << 16; i++)
    sink += table[i];
  if (!strcmp(what, "kill"))
    raise(SIGTERM);
  return !strcmp(what, "heat") ? 3 : 0;
}
