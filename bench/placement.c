/*===-- placement.c - what placing memory costs, beside peers ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Measures one figure and prints what it saw, a line each, for bench/placement:
 *
 *     time NAME SECONDS     of one run; the runs of all sides alternate
 *     value NAME NUMBER
 *     note NAME TEXT        why a side was not measured
 *
 * "Placing" is to allocate and to touch every page once by all threads; freeing is not counted
 * except where a name says so.  oneTBB is not linked: its releases up to 2022 place no memory. What
 * later ones do for chunks of any size (touch all pages, then move_pages) is done here by hand; for
 * chunks of one page they call numa_interleave_memory(), as libnuma's side does.
 */
#include <errno.h>
#include <fcntl.h>
#include <hwloc.h>
#include <mai.h>
#include <malloc.h>
#include <numa.h>
#include <numaif.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, HUGE_PAGE = 2 << 20, ROW = 128 << 10, MOST_NODES = 1024 };

static struct {
  int nodes[MOST_NODES]; /* OS indices of those with memory that may be used */
  int node_count;
  hwloc_topology_t topology;
} machine;

/* With PLACEMENT_CPU_TIME in the environment the time of all threads on CPUs. */
static double now(void) {
  struct timespec time;
  clock_gettime(getenv("PLACEMENT_CPU_TIME") ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void say_time(const char *name, double seconds) { printf("time %s %.9f\n", name, seconds); }

static void say_value(const char *name, double value) { printf("value %s %.9g\n", name, value); }

static void say_note(const char *name, const char *text) { printf("note %s %s\n", name, text); }

static void die(const char *what) {
  fprintf(stderr, "placement: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void read_machine(void) {
  for (int node = 0; node <= numa_max_node() && machine.node_count < MOST_NODES; node++)
    if (numa_bitmask_isbitset(numa_all_nodes_ptr, (unsigned)node))
      machine.nodes[machine.node_count++] = node;
}

static void read_topology(void) {
  if (hwloc_topology_init(&machine.topology) != 0 || hwloc_topology_load(machine.topology) != 0)
    die("hwloc");
}

/*===-- Touching -----------------------------------------------------------===*/

static void touch(char *memory, size_t bytes) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < bytes; i += PAGE)
    ((volatile char *)memory)[i] = 1;
}

static char *map(size_t bytes) {
  char *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* At a multiple of huge pages, as malloc() does not. */
static char *map_aligned(size_t bytes) {
  char *all = map(bytes + HUGE_PAGE);
  if (!all)
    return NULL;
  size_t head = (HUGE_PAGE - (uintptr_t)all % HUGE_PAGE) % HUGE_PAGE;
  if (head)
    munmap(all, head);
  if (head < HUGE_PAGE)
    munmap(all + head + bytes, HUGE_PAGE - head);
  return all + head;
}

/*===-- Policies -----------------------------------------------------------===*/

static int node_of_thread(int thread, int threads) {
  int cpu = mai_cpu_of_thread((unsigned)thread);
  int node = cpu < 0 ? -1 : numa_node_of_cpu(cpu);
  return node < 0 ? machine.nodes[thread * machine.node_count / threads] : node;
}

static size_t smallest_prime(size_t from) {
  for (size_t number = from < 2 ? 2 : from;; number++) {
    size_t divisor = 2;
    while (divisor * divisor <= number && number % divisor)
      divisor++;
    if (divisor * divisor > number)
      return number;
  }
}

static size_t distribute_by_prime(size_t unit, size_t prime, size_t nodes) {
  while (unit % prime >= nodes)
    unit = unit / prime * (prime - nodes) + unit % prime - nodes;
  return unit % prime;
}

/* The node of page `page` of `pages` by the definitions of the original MAi, a page the unit. */
static int node_of_page(const char *policy, size_t page, size_t pages) {
  size_t count = (size_t)machine.node_count;
  size_t threads = (size_t)omp_get_max_threads();
  if (strcmp(policy, "cyclic") == 0)
    return machine.nodes[page % count];
  if (strcmp(policy, "skew") == 0)
    return machine.nodes[(page + page / count + 1) % count];
  if (strncmp(policy, "prime", 5) == 0)
    return machine.nodes[distribute_by_prime(page, smallest_prime(count + 1), count)];
  if (strncmp(policy, "block", 5) == 0)
    return node_of_thread((int)(page * threads / pages), (int)threads);
  return machine.nodes[0]; /* bind */
}

static void check_policy(const char *text) {
  char error[512];
  if (mai_policy_check(text, error, sizeof error) != 0) {
    fprintf(stderr, "placement: policy: %s\n", error);
    exit(1);
  }
}

/* A matrix of doubles with rows of ROW bytes, or a vector where it is smaller. */
static char *allocate_mai(const char *text, size_t bytes) {
  check_policy(text);
  bool matrix = bytes >= 2 * ROW;
  size_t extents[2] = {matrix ? bytes / ROW : bytes / 8, ROW / 8};
  return mai_alloc_shape(matrix ? 2 : 1, extents, 8, text, NULL, "bench");
}

/*===-- Sides --------------------------------------------------------------===*/

/* A side allocates memory such that pages will come to their nodes, or have come. NULL: errno. */
struct side {
  const char *name;
  char *(*allocate)(const char *policy, size_t bytes);
  void (*release)(char *memory, size_t bytes);
  bool brought_in; /* all pages are there */
};

static void release_map(char *memory, size_t bytes) { munmap(memory, bytes); }
static void release_mai(char *memory, size_t bytes) {
  (void)bytes;
  mai_free(memory);
}
static void release_hwloc(char *memory, size_t bytes) {
  hwloc_free(machine.topology, memory, bytes);
}
static void release_malloc(char *memory, size_t bytes) {
  (void)bytes;
  free(memory);
}

static char *allocate_plain(const char *policy, size_t bytes) {
  (void)policy;
  return map_aligned(bytes);
}

static char *allocate_malloc(const char *policy, size_t bytes) {
  (void)policy;
  return malloc(bytes);
}

static size_t block_begin(size_t bytes, int thread, int threads) {
  size_t pages = (bytes + PAGE - 1) / PAGE;
  return pages * (size_t)thread / (size_t)threads * PAGE;
}

static char *allocate_libnuma_blocks(size_t bytes) {
  char *memory = map_aligned(bytes);
  int threads = omp_get_max_threads();
  for (int thread = 0; memory && thread < threads; thread++) {
    size_t begin = block_begin(bytes, thread, threads);
    size_t end = block_begin(bytes, thread + 1, threads);
    if (end > begin)
      numa_tonode_memory(memory + begin, end - begin, node_of_thread(thread, threads));
  }
  return memory;
}

static char *allocate_libnuma(const char *policy, size_t bytes) {
  if (strcmp(policy, "cyclic") == 0)
    return numa_alloc_interleaved(bytes);
  if (strcmp(policy, "block") == 0)
    return allocate_libnuma_blocks(bytes);
  return numa_alloc_onnode(bytes, machine.nodes[0]);
}

static int hwloc_bind(char *memory, size_t bytes, int node) {
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  hwloc_bitmap_only(set, (unsigned)node);
  int result = hwloc_set_area_membind(machine.topology, memory, bytes, set, HWLOC_MEMBIND_BIND,
                                      HWLOC_MEMBIND_BYNODESET);
  hwloc_bitmap_free(set);
  return result;
}

static char *allocate_hwloc(const char *policy, size_t bytes) {
  int threads = omp_get_max_threads();
  if (strcmp(policy, "cyclic") == 0)
    return hwloc_alloc_membind(machine.topology, bytes,
                               hwloc_topology_get_topology_nodeset(machine.topology),
                               HWLOC_MEMBIND_INTERLEAVE, HWLOC_MEMBIND_BYNODESET);
  char *memory = hwloc_alloc(machine.topology, bytes);
  if (strcmp(policy, "block") != 0)
    return memory && hwloc_bind(memory, bytes, machine.nodes[0]) == 0 ? memory : NULL;
  for (int thread = 0; memory && thread < threads; thread++) {
    size_t begin = block_begin(bytes, thread, threads);
    size_t end = block_begin(bytes, thread + 1, threads);
    if (end > begin &&
        hwloc_bind(memory + begin, end - begin, node_of_thread(thread, threads)) != 0)
      return NULL;
  }
  return memory;
}

/* Where page `i` of the array is to go, for move_pages(). */
static int *list_nodes(const char *policy, size_t pages) {
  int *nodes = calloc(pages, sizeof *nodes);
  for (size_t i = 0; nodes && i < pages; i++)
    nodes[i] = node_of_page(policy, i, pages);
  return nodes;
}

/* All at once, as oneTBB does. @return how many stayed, or -1 */
static long move_all(char *memory, size_t pages, const int *nodes) {
  void **addresses = calloc(pages, sizeof *addresses);
  int *status = calloc(pages, sizeof *status);
  if (!addresses || !status)
    die("move_pages");
  for (size_t i = 0; i < pages; i++)
    addresses[i] = memory + i * PAGE;
  long result = move_pages(0, pages, addresses, nodes, status, MPOL_MF_MOVE);
  free(addresses);
  free(status);
  return result;
}

static char *allocate_by_moving(const char *policy, size_t bytes) {
  char *memory = map_aligned(bytes);
  size_t pages = bytes / PAGE;
  if (!memory)
    return NULL;
  touch(memory, bytes);
  int *nodes = list_nodes(policy, pages);
  if (!nodes)
    die("move_pages");
  move_all(memory, pages, nodes);
  free(nodes);
  return memory;
}

static int bind_page(char *page, int node) {
  unsigned long mask[MOST_NODES / 64] = {0};
  mask[node / 64] = 1UL << node % 64;
  return (int)mbind(page, PAGE, MPOL_BIND, mask, MOST_NODES, 0);
}

/* As the original MAi: a call for each page. @return pages for which it worked */
static size_t bind_each(const char *policy, char *memory, size_t bytes) {
  size_t pages = bytes / PAGE;
  size_t page = 0;
  while (page < pages && bind_page(memory + page * PAGE, node_of_page(policy, page, pages)) == 0)
    page++;
  return page;
}

static char *allocate_by_page(const char *policy, size_t bytes) {
  char *memory = map_aligned(bytes);
  if (!memory || bind_each(policy, memory, bytes) == bytes / PAGE)
    return memory;
  int error = errno;
  munmap(memory, bytes);
  errno = error;
  return NULL;
}

static const struct side plain = {"first-touch", allocate_plain, release_map, false};
static const struct side mai = {"mai", allocate_mai, release_mai, false};
static const struct side libnuma = {"libnuma", allocate_libnuma, release_map, false};
static const struct side of_hwloc = {"hwloc", allocate_hwloc, release_hwloc, false};
static const struct side moving = {"touch+move_pages", allocate_by_moving, release_map, true};
static const struct side by_page = {"mbind-a-page", allocate_by_page, release_map, false};
static const struct side of_malloc = {"malloc", allocate_malloc, release_malloc, false};

/* @return seconds, or -1 with errno when the side cannot do it */
static double place_once(const struct side *side, const char *policy, size_t bytes) {
  double begin = now();
  char *memory = side->allocate(policy, bytes);
  if (!memory)
    return -1;
  if (!side->brought_in)
    touch(memory, bytes);
  double seconds = now() - begin;
  side->release(memory, bytes);
  return seconds;
}

/* The same, with freeing. */
static double use_once(const struct side *side, const char *policy, size_t bytes) {
  double begin = now();
  char *memory = side->allocate(policy, bytes);
  if (!memory)
    return -1;
  touch(memory, bytes);
  side->release(memory, bytes);
  return now() - begin;
}

/* Run all sides in turn, again and again, another one first each time. */
static void alternate(const struct side *const *sides, int count, const char *policy, size_t bytes,
                      int runs, int repeat,
                      double (*run)(const struct side *, const char *, size_t)) {
  bool failed[16] = {false};
  for (int i = -1; i < runs; i++) /* the first does not count */
    for (int j = 0; j < count; j++) {
      int which = (i + 1 + j) % count;
      const struct side *side = sides[which];
      double seconds = 0;
      for (int k = 0; k < repeat && !failed[which]; k++) {
        double once = run(side, policy, bytes);
        if (once < 0) {
          say_note(side->name, strerror(errno));
          failed[which] = true;
        }
        seconds += once;
      }
      if (i >= 0 && !failed[which])
        say_time(side->name, seconds / repeat);
    }
}

/*===-- Figures ------------------------------------------------------------===*/

/* place POLICY BYTES RUNS [SIDE...] */
static int figure_place(int count, char **arguments) {
  static const struct side *const known[] = {&plain, &mai, &libnuma, &of_hwloc, &moving, &by_page};
  enum { KNOWN = sizeof known / sizeof *known };
  const struct side *sides[KNOWN];
  int wanted = 0;
  if (count < 3)
    return 2;
  for (int i = 0; i < KNOWN; i++)
    for (int j = 3; j < count; j++)
      if (strcmp(known[i]->name, arguments[j]) == 0)
        sides[wanted++] = known[i];
  alternate(sides, wanted, arguments[0], strtoul(arguments[1], NULL, 10), atoi(arguments[2]), 1,
            place_once);
  return 0;
}

/* malloc POLICY BYTES RUNS REPEAT: with freeing, beside malloc()'s path for large blocks */
static int figure_malloc(int count, char **arguments) {
  static const struct side *const sides[] = {&of_malloc, &mai};
  if (count != 4)
    return 2;
  mallopt(M_MMAP_THRESHOLD, 128 << 10); /* fixed: it grows otherwise */
  alternate(sides, 2, arguments[0], strtoul(arguments[1], NULL, 10), atoi(arguments[2]),
            atoi(arguments[3]), use_once);
  return 0;
}

static double place_by_one(const struct side *side, const char *policy, size_t bytes) {
  double begin = now();
  char *memory = side->allocate(policy, bytes);
  if (!memory)
    return -1;
  for (size_t i = 0; i < bytes; i += PAGE)
    ((volatile char *)memory)[i] = 1;
  double seconds = now() - begin;
  side->release(memory, bytes);
  return seconds;
}

static char *allocate_small(const char *policy, size_t bytes) {
  (void)policy;
  return map(bytes);
}

/* small POLICY BYTES RUNS REPEAT: one thread, beside mmap() */
static int figure_small(int count, char **arguments) {
  static const struct side mapped = {"mmap", allocate_small, release_map, false};
  static const struct side *const sides[] = {&mapped, &mai};
  if (count != 4)
    return 2;
  alternate(sides, 2, arguments[0], strtoul(arguments[1], NULL, 10), atoi(arguments[2]),
            atoi(arguments[3]), place_by_one);
  return 0;
}

/* The mappings that lie in [begin, end), by the kernel's own list. */
static size_t count_mappings(const char *begin, size_t bytes) {
  FILE *maps = fopen("/proc/self/maps", "re");
  char line[4096];
  size_t count = 0;
  unsigned long first;
  unsigned long last;
  while (maps && fgets(line, sizeof line, maps))
    if (sscanf(line, "%lx-%lx", &first, &last) == 2 && last > (uintptr_t)begin &&
        first < (uintptr_t)begin + bytes)
      count++;
  if (maps)
    fclose(maps);
  return count;
}

/* mappings POLICY BYTES: how many, and whether every page is where it belongs */
static int figure_mappings(int count, char **arguments) {
  struct mai_pages pages;
  if (count != 2)
    return 2;
  size_t bytes = strtoul(arguments[1], NULL, 10);
  double begin = now();
  char *memory = allocate_mai(arguments[0], bytes);
  if (!memory) {
    say_note("mappings", strerror(errno));
    return 0;
  }
  touch(memory, bytes);
  say_value("seconds", now() - begin);
  say_value("mappings", (double)count_mappings(memory, bytes));
  if (mai_verify(memory, &pages, NULL, 0) == 0) {
    say_value("pages", (double)pages.total);
    say_value("placed", (double)pages.placed);
  }
  mai_free(memory);
  return 0;
}

/* by-page POLICY BYTES: how far one mbind() a page comes */
static int figure_by_page(int count, char **arguments) {
  if (count != 2)
    return 2;
  size_t bytes = strtoul(arguments[1], NULL, 10);
  char *memory = map_aligned(bytes);
  if (!memory)
    die("mmap");
  size_t bound = bind_each(arguments[0], memory, bytes);
  say_value("pages", (double)(bytes / PAGE));
  say_value("bound", (double)bound);
  if (bound < bytes / PAGE)
    say_note("by-page", strerror(errno));
  return 0;
}

/*===-- Placing what has contents ------------------------------------------===*/

static size_t count_right(char *memory, size_t pages, const int *nodes) {
  void **addresses = calloc(pages, sizeof *addresses);
  int *status = calloc(pages, sizeof *status);
  size_t right = 0;
  if (!addresses || !status)
    die("move_pages");
  for (size_t i = 0; i < pages; i++)
    addresses[i] = memory + i * PAGE;
  if (move_pages(0, pages, addresses, NULL, status, 0) != 0)
    die("move_pages");
  for (size_t i = 0; i < pages; i++)
    right += status[i] == nodes[i];
  free(addresses);
  free(status);
  return right;
}

/* Memory on the first node, every byte of it written. */
static char *allocate_on_first(size_t bytes) {
  char *memory = map_aligned(bytes);
  if (!memory)
    die("mmap");
  numa_tonode_memory(memory, bytes, machine.nodes[0]);
  memset(memory, 1, bytes);
  return memory;
}

static void replace_by_mai(const char *text, size_t bytes, int *nodes, bool say) {
  char *memory = allocate_on_first(bytes);
  check_policy(text);
  size_t extents[2] = {bytes / ROW, ROW};
  if (mai_place(memory, extents[0], extents[1], "first-touch", "bench") != 0)
    die("mai_place");
  double begin = now();
  if (mai_replace(memory, text, NULL) != 0)
    die("mai_replace");
  double seconds = now() - begin;
  for (size_t i = 0; i < bytes / PAGE; i++)
    nodes[i] = mai_node_meant(memory + i * PAGE);
  if (say) {
    say_time("mai", seconds);
    say_value("mai-right", (double)count_right(memory, bytes / PAGE, nodes) / (double)bytes * PAGE);
    say_value("mai-mappings", (double)count_mappings(memory, bytes));
  }
  mai_forget(memory);
  munmap(memory, bytes);
}

static void replace_by_moving(size_t bytes, const int *nodes, bool say) {
  char *memory = allocate_on_first(bytes);
  double begin = now();
  move_all(memory, bytes / PAGE, nodes);
  double seconds = now() - begin;
  if (say) {
    say_time("move_pages", seconds);
    say_value("move_pages-right",
              (double)count_right(memory, bytes / PAGE, nodes) / (double)bytes * PAGE);
  }
  munmap(memory, bytes);
}

/* replace POLICY BYTES RUNS: to where MAi means the pages */
static int figure_replace(int count, char **arguments) {
  if (count != 3)
    return 2;
  size_t bytes = strtoul(arguments[1], NULL, 10) / ROW * ROW;
  int *nodes = calloc(bytes / PAGE, sizeof *nodes);
  if (!nodes)
    die("memory");
  for (int i = -1; i < atoi(arguments[2]); i++) {
    replace_by_mai(arguments[0], bytes, nodes, i >= 0);
    replace_by_moving(bytes, nodes, i >= 0);
  }
  free(nodes);
  return 0;
}

/*===-- Resident size ------------------------------------------------------===*/

static double resident_bytes(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  unsigned long pages = 0;
  if (!file || fscanf(file, "%*u %lu", &pages) != 1)
    die("/proc/self/statm");
  fclose(file);
  return (double)pages * PAGE;
}

/* resident POLICY BYTES: growth when the first hundredth is touched, beside plain memory */
static int figure_resident(int count, char **arguments) {
  static const struct side *const sides[] = {&plain, &mai};
  if (count != 2)
    return 2;
  size_t bytes = strtoul(arguments[1], NULL, 10);
  mai_init();
  touch(allocate_plain(NULL, PAGE), PAGE); /* threads and their stacks are there */
  for (int i = 0; i < 2; i++) {
    double before = resident_bytes();
    char *memory = sides[i]->allocate(arguments[0], bytes);
    if (!memory) {
      say_note(sides[i]->name, strerror(errno));
      continue;
    }
    touch(memory, bytes / 100);
    say_value(sides[i]->name, resident_bytes() - before);
    sides[i]->release(memory, bytes);
  }
  return 0;
}

/*===-- Bringing pages in --------------------------------------------------===*/

static double clear_once(size_t bytes) {
  char *memory = map_aligned(bytes);
  if (!memory)
    return -1;
  double begin = now();
#pragma omp parallel
  {
    size_t begin_byte = block_begin(bytes, omp_get_thread_num(), omp_get_num_threads());
    size_t end_byte = block_begin(bytes, omp_get_thread_num() + 1, omp_get_num_threads());
    memset(memory + begin_byte, 0, end_byte - begin_byte);
  }
  double seconds = now() - begin;
  munmap(memory, bytes);
  return seconds;
}

static double populate_once(const char *policy, size_t bytes) {
  double begin = now();
  char *memory = allocate_mai(policy, bytes);
  double seconds = now() - begin;
  if (!memory)
    return -1;
  mai_free(memory);
  return seconds;
}

/* populate POLICY BYTES RUNS THREADS: beside memset() of as many threads */
static int figure_populate(int count, char **arguments) {
  if (count != 4)
    return 2;
  size_t bytes = strtoul(arguments[1], NULL, 10);
  omp_set_num_threads(atoi(arguments[3]));
  for (int i = -1; i < atoi(arguments[2]); i++) {
    double cleared = clear_once(bytes);
    double populated = populate_once(arguments[0], bytes);
    if (cleared < 0 || populated < 0) {
      say_note("populate", strerror(errno));
      return 0;
    }
    if (i >= 0) {
      say_time("memset", cleared);
      say_time("mai", populated);
    }
  }
  return 0;
}

/* machine: what the figures depend on */
static int figure_machine(int count, char **arguments) {
  (void)arguments;
  long long available = 0;
  for (int i = 0; i < machine.node_count; i++) {
    long long free_bytes = 0;
    numa_node_size64(machine.nodes[i], &free_bytes);
    available += free_bytes;
  }
  say_value("nodes", machine.node_count);
  say_value("threads", omp_get_max_threads());
  say_value("free", (double)available);
  say_value("prime", (double)smallest_prime((size_t)machine.node_count + 1));
  return count ? 2 : 0;
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    int (*measure)(int, char **);
    bool needs_topology;
  } figures[] = {
      {"machine", figure_machine, false},   {"place", figure_place, true},
      {"malloc", figure_malloc, false},     {"small", figure_small, false},
      {"mappings", figure_mappings, false}, {"by-page", figure_by_page, false},
      {"replace", figure_replace, false},   {"resident", figure_resident, false},
      {"populate", figure_populate, false},
  };
  setvbuf(stdout, NULL, _IOLBF, 0); /* a figure that is stopped has said what it knows */
  read_machine();
  for (size_t i = 0; count > 1 && i < sizeof figures / sizeof *figures; i++)
    if (strcmp(arguments[1], figures[i].name) == 0) {
      if (figures[i].needs_topology)
        read_topology();
      int status = figures[i].measure(count - 2, arguments + 2);
      if (status == 2)
        break;
      return fflush(stdout) == 0 ? status : 1;
    }
  fprintf(stderr, "placement: to be called by bench/placement\n");
  return 2;
}
