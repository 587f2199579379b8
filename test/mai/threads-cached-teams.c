/* Regions opened again and again are not looked at each time, yet after whatever may change their
   threads or their places each thread is where the map says; what a region uses arrives, however
   much it is.

   A program of clang cannot load a library with gcc's sanitizers.
   UNSUPPORTED: sanitizer
   RUN: %{gcc} %s -o %t.gcc %{mai}
   RUN: %{clang} %s -o %t.clang %{mai}
   RUN: echo '1 0' > %t.map
   RUN: env MAI_MAP_FILE=%t.map taskset -c 0,1 %t.gcc | FileCheck %s
   RUN: env MAI_MAP_FILE=%t.map taskset -c 0,1 %t.clang | FileCheck %s
   CHECK: again: ok
   CHECK-NEXT: other sizes: ok
   CHECK-NEXT: set sizes: ok
   CHECK-NEXT: a dynamic size: ok
   CHECK-NEXT: another map: ok
   CHECK-NEXT: a map within the region: ok
   CHECK-NEXT: another opener: ok
   CHECK-NEXT: nested regions: ok
   CHECK-NEXT: ended threads: ok
   CHECK-NEXT: many variables: ok
   CHECK-NOT: {{.}}
 */
#define _GNU_SOURCE
#include <mai.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum { MOST_THREADS = 64, TIMES = 3 };

static int team;

static int is_on_its_cpu(void) {
  cpu_set_t mask;
  int cpu = mai_cpu_of_thread((unsigned)omp_get_thread_num());
  return sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_COUNT(&mask) == 1 &&
         CPU_ISSET(cpu, &mask);
}

/* How many threads of regions for `size` threads (0: as many as is usual) are not on their CPUs. */
static int count_lost(int size) {
  int lost = 0;
  for (int i = 0; i < TIMES; i++) {
    if (size) {
#pragma omp parallel num_threads(size) reduction(+ : lost)
      lost += !is_on_its_cpu();
    } else {
#pragma omp parallel reduction(+ : lost)
      lost += !is_on_its_cpu();
    }
  }
  return lost;
}

static int try_sizes(void) {
  int lost = 0;
  for (int size = 1; size <= team; size++)
    lost += count_lost(size) + count_lost(0) + count_lost(1);
  return lost;
}

static int try_set_sizes(void) {
  int lost = 0;
  for (int size = 1; size <= team; size++) {
    omp_set_num_threads(size);
    lost += count_lost(0);
    omp_set_num_threads(team);
    lost += count_lost(0);
  }
  return lost;
}

/* The run-time makes such a team as large as it likes. */
static int try_dynamic(void) {
  omp_set_dynamic(1);
  int lost = count_lost(0);
  omp_set_dynamic(0);
  return lost + count_lost(0);
}

static int map_from(int first) {
  unsigned cpus[MOST_THREADS];
  for (int i = 0; i < team; i++)
    cpus[i] = (unsigned)((first + i) % team);
  return mai_map_threads(cpus, (unsigned)team);
}

static int try_map(int first) {
  count_lost(0);
  int lost = map_from(first) != 0;
  return lost + count_lost(0) + (mai_cpu_of_thread(0) != first);
}

static int try_map_within(void) {
  int lost = 0;
#pragma omp parallel
#pragma omp single
  lost = map_from(1) != 0;
  return lost + count_lost(0);
}

static void *open_regions(void *lost) {
  *(int *)lost = count_lost(0) + count_lost(team);
  return NULL;
}

static int try_other_opener(void) {
  pthread_t thread;
  int lost = 1;
  count_lost(0);
  if (pthread_create(&thread, NULL, open_regions, &lost) != 0)
    return 1;
  pthread_join(thread, NULL);
  return lost + count_lost(0);
}

/* Threads of inner teams are not pinned to single CPUs: those that open them are, and stay there. */
static int try_nested(void) {
  int lost = 0;
  omp_set_max_active_levels(2);
  for (int i = 0; i < TIMES; i++)
#pragma omp parallel reduction(+ : lost)
  {
    lost += !is_on_its_cpu();
#pragma omp parallel reduction(+ : lost)
    lost += omp_get_thread_num() > 0 && is_on_its_cpu();
    lost += !is_on_its_cpu();
  }
  omp_set_max_active_levels(1);
  return lost + count_lost(0);
}

static int try_ended(void) {
  count_lost(0);
  int lost = omp_pause_resource_all(omp_pause_soft) != 0;
  return lost + count_lost(0);
}

static int try_variables(void) {
  int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12;
  int m = 13, n = 14, o = 15, p = 16, q = 17, r = 18, sum = 0, few = 0;
  for (int time = 0; time < TIMES; time++) {
#pragma omp parallel reduction(+ : sum)
    sum += a++ * 0 + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r;
#pragma omp parallel reduction(+ : few) shared(a, b, c, d)
    few += a * 0 + b + c + d;
  }
  return sum != TIMES * team * 170 || few != TIMES * team * 9;
}

static void say(const char *what, int wrong) { printf("%s: %s\n", what, wrong ? "WRONG" : "ok"); }

int main(void) {
  team = omp_get_max_threads() < MOST_THREADS ? omp_get_max_threads() : MOST_THREADS;
  omp_set_num_threads(team);
  say("again", count_lost(0));
  say("other sizes", try_sizes());
  say("set sizes", try_set_sizes());
  say("a dynamic size", try_dynamic());
  say("another map", try_map(0));
  say("a map within the region", try_map_within());
  say("another opener", try_other_opener());
  say("nested regions", try_nested());
  say("ended threads", try_ended());
  say("many variables", try_variables());
  return 0;
}
