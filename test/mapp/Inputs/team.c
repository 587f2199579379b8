/* For guest-team.test: usage: team MODE THREADS.  Prints whether the pages that each thread of the team uses are on
   its node, but for one page at each end of its share. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { Page = 4096, Pages = 240, N = Pages * Page / sizeof(double) };
static double plain[N];
static double clause[N];
static double two[N], three[N];

static int node_of_page(double *address) {
  void *page = (void *)((size_t)address & ~(size_t)(Page - 1));
  int node = -1;
  return syscall(SYS_move_pages, 0, 1L, &page, NULL, &node, 0) == 0 ? node : -1;
}

static int node_of_thread(void) {
  unsigned cpu = 0, node = 0;
  getcpu(&cpu, &node);
  return (int)node;
}

static int is_remote(double *element) {
  return (size_t)element % Page == 0 && node_of_page(element) != node_of_thread();
}

static void judge(const char *name, int threads, int remote) {
  if (remote <= threads + 1)
    printf("%s, %d threads: local\n", name, threads);
  else
    printf("%s, %d threads: %d of %d pages remote\n", name, threads, remote, Pages);
}

static void fill(double *array) {
  for (int i = 0; i < N; i++)
    array[i] = i;
}

static void use_plain(void) {
  int remote = 0, threads = 0;
#pragma omp parallel for reduction(+ : remote)
  for (int i = 0; i < N; i++) {
    plain[i] += 1;
    remote += is_remote(&plain[i]);
  }
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  judge("plain", threads, remote);
}

static void use_clause(int threads) {
  int remote = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : remote)
  for (int i = 0; i < N; i++) {
    clause[i] += 1;
    remote += is_remote(&clause[i]);
  }
  judge("clause", threads, remote);
}

static void use_two_teams(void) {
  int remote = 0;
#pragma omp parallel for num_threads(2) reduction(+ : remote)
  for (int i = 0; i < N; i++) {
    two[i] += 1;
    remote += is_remote(&two[i]);
  }
  judge("two", 2, remote);
  remote = 0;
#pragma omp parallel for num_threads(3) reduction(+ : remote)
  for (int i = 0; i < N; i++) {
    three[i] += 1;
    remote += is_remote(&three[i]);
  }
  judge("three", 3, remote);
}

int main(int count, char **arguments) {
  const char *mode = count > 1 ? arguments[1] : "";
  const int threads = count > 2 ? atoi(arguments[2]) : 1;
  if (strcmp(mode, "late") == 0)
    fill(plain);
  if (strcmp(mode, "set") == 0 || strcmp(mode, "late") == 0)
    omp_set_num_threads(threads);
  if (strcmp(mode, "clause") == 0) {
    fill(clause);
    use_clause(threads);
    use_clause(threads);
  } else if (strcmp(mode, "two") == 0) {
    fill(two);
    fill(three);
    use_two_teams();
  } else {
    use_plain();
  }
  if (strcmp(mode, "again") == 0) { /* another size, when the pages are in memory already */
    omp_set_num_threads(threads);
    use_plain();
  }
  return 0;
}
