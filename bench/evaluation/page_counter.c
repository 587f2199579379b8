/*===-- page_counter.c - says where a program's arrays and threads were -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A library for LD_PRELOAD.  When the program ends, the kernel is asked for the node of each page
 * of the arrays that are listed in the file PAGE_COUNTER_ARRAYS, and for the CPUs of all threads;
 * the answers go to the file PAGE_COUNTER.  It shares no code with MAi, whose placement it
 * testifies to.
 *
 * A line of PAGE_COUNTER_ARRAYS is
 *
 *   array NAME OFFSET BYTES     memory that begins at this offset of the executable
 *   pointer NAME OFFSET BYTES   memory that the pointer at this offset points to
 *
 * With PAGE_COUNTER_SAMPLE=milliseconds, it looks that often at where running threads are.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NAME_BYTES = 256, BATCH = 1024, THREADS_MAX = 4096, CPUS_MAX = 1024, NOWHERE = -1 };

typedef int (*main_t)(int, char **, char **);

static main_t program_main;

/*===-- Threads -------------------------------------------------------------===*/

struct thread {
  pid_t id;
  unsigned seen_on[CPUS_MAX]; /* samples */
};

static struct {
  struct thread *list; /* by ascending id */
  size_t count;
  pid_t sampler;
  pthread_mutex_t lock;
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct thread *thread_of(pid_t id) {
  size_t at = threads.count;
  while (at > 0 && threads.list[at - 1].id >= id)
    at--;
  if (at < threads.count && threads.list[at].id == id)
    return &threads.list[at];
  if (threads.count == THREADS_MAX)
    return NULL;
  memmove(&threads.list[at + 1], &threads.list[at], (threads.count - at) * sizeof *threads.list);
  memset(&threads.list[at], 0, sizeof *threads.list);
  threads.list[at].id = id;
  threads.count++;
  return &threads.list[at];
}

/* Field 39 of proc(5)'s stat; the name before it, in parentheses, may hold anything. */
static bool read_stat(pid_t id, char *state, int *cpu) {
  char path[64];
  char text[1024];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)id);
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose(file);
  text[length] = '\0';
  char *field = strrchr(text, ')');
  if (!field || sscanf(field, ") %c", state) != 1)
    return false;
  for (int number = 2; field && number < 39; number++)
    field = strchr(field + 1, ' ');
  return field && sscanf(field, " %d", cpu) == 1;
}

static void for_each_thread(void (*visit)(pid_t)) {
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *entry; tasks && (entry = readdir(tasks));) {
    pid_t id = (pid_t)atoi(entry->d_name);
    if (id > 0 && id != threads.sampler)
      visit(id);
  }
  if (tasks)
    closedir(tasks);
}

static void sample(pid_t id) {
  char state = '?';
  int cpu = NOWHERE;
  if (!read_stat(id, &state, &cpu) || state != 'R' || cpu < 0 || cpu >= CPUS_MAX)
    return;
  struct thread *thread = thread_of(id);
  if (thread)
    thread->seen_on[cpu]++;
}

static void *sample_forever(void *milliseconds) {
  long pause = (long)(intptr_t)milliseconds;
  struct timespec period = {pause / 1000, pause % 1000 * 1000000};
  threads.sampler = (pid_t)syscall(SYS_gettid);
  while (nanosleep(&period, NULL) == 0 || errno == EINTR) {
    pthread_mutex_lock(&threads.lock);
    for_each_thread(sample);
    pthread_mutex_unlock(&threads.lock);
  }
  return NULL;
}

static void start_sampling(void) {
  const char *text = getenv("PAGE_COUNTER_SAMPLE");
  long milliseconds = text ? strtol(text, NULL, 10) : 0;
  pthread_t thread;
  if (milliseconds > 0 &&
      pthread_create(&thread, NULL, sample_forever, (void *)(intptr_t)milliseconds) == 0)
    pthread_detach(thread);
}

static FILE *out;

static void write_thread(pid_t id) {
  char state = '?';
  int cpu = NOWHERE;
  cpu_set_t allowed;
  const char *comma = "";
  read_stat(id, &state, &cpu);
  fprintf(out, "thread %d %d ", (int)id, cpu);
  if (sched_getaffinity(id, sizeof allowed, &allowed) != 0)
    CPU_ZERO(&allowed);
  for (size_t i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &allowed)) {
      fprintf(out, "%s%zu", comma, i);
      comma = ",";
    }
  const struct thread *thread = thread_of(id);
  for (int i = 0; thread && i < CPUS_MAX; i++)
    if (thread->seen_on[i])
      fprintf(out, " %d:%u", i, thread->seen_on[i]);
  fputc('\n', out);
}

/*===-- Pages ---------------------------------------------------------------===*/

static size_t page_size;

/* Runs of pages on the same node, '-' for pages that are nowhere. */
struct run {
  int node;
  size_t pages;
};

static void end_run(struct run *run, int node) {
  if (run->pages && run->node < 0)
    fprintf(out, " -*%zu", run->pages);
  else if (run->pages)
    fprintf(out, " %d*%zu", run->node, run->pages);
  *run = (struct run){node, 0};
}

static bool write_pages(uintptr_t start, size_t count) {
  struct run run = {NOWHERE, 0};
  for (size_t done = 0; done < count;) {
    void *pages[BATCH];
    int status[BATCH];
    size_t some = count - done < BATCH ? count - done : BATCH;
    for (size_t i = 0; i < some; i++)
      pages[i] = (void *)(start + (done + i) * page_size);
    if (syscall(SYS_move_pages, 0, some, pages, NULL, status, 0) != 0)
      return false;
    for (size_t i = 0; i < some; i++) {
      int node = status[i] < 0 ? NOWHERE : status[i];
      if (node != run.node)
        end_run(&run, node);
      run.pages++;
    }
    done += some;
  }
  end_run(&run, NOWHERE);
  return true;
}

static void write_array(const char *name, uintptr_t start, size_t bytes) {
  uintptr_t first = start & ~(page_size - 1);
  size_t count = (start + bytes - first + page_size - 1) / page_size;
  fprintf(out, "array %s %#" PRIxPTR " %zu", name, start, bytes);
  if (!write_pages(first, count))
    fprintf(out, " error %s", strerror(errno));
  fputc('\n', out);
}

static int take_base(struct dl_phdr_info *object, size_t bytes, void *base) {
  (void)bytes;
  *(uintptr_t *)base = object->dlpi_addr;
  return 1; /* the executable is the first */
}

static void write_arrays(FILE *list) {
  char kind[16];
  char name[NAME_BYTES];
  uintptr_t offset = 0;
  size_t bytes = 0;
  uintptr_t base = 0;
  dl_iterate_phdr(take_base, &base);
  while (fscanf(list, "%15s %255s %" SCNxPTR " %zu", kind, name, &offset, &bytes) == 4) {
    uintptr_t start = base + offset;
    if (strcmp(kind, "pointer") == 0)
      memcpy(&start, (const void *)start, sizeof start);
    write_array(name, start, bytes);
  }
}

/*===-- The beginning and the end -------------------------------------------===*/

static void write_nodes(void) {
  DIR *nodes = opendir("/sys/devices/system/node");
  for (struct dirent *entry; nodes && (entry = readdir(nodes));) {
    char path[sizeof entry->d_name + 64];
    char cpus[4096] = "";
    int node = 0;
    if (sscanf(entry->d_name, "node%d", &node) != 1)
      continue;
    snprintf(path, sizeof path, "/sys/devices/system/node/%s/cpulist", entry->d_name);
    FILE *file = fopen(path, "re");
    if (file && !fgets(cpus, sizeof cpus, file))
      cpus[0] = '\0';
    if (file)
      fclose(file);
    cpus[strcspn(cpus, "\n")] = '\0';
    fprintf(out, "node %d %s\n", node, cpus);
  }
  if (nodes)
    closedir(nodes);
}

static void testify(void) {
  const char *arrays = getenv("PAGE_COUNTER_ARRAYS");
  const char *path = getenv("PAGE_COUNTER");
  FILE *list = arrays ? fopen(arrays, "re") : NULL;
  out = path ? fopen(path, "we") : NULL;
  if (!list || !out) {
    fprintf(stderr, "page counter: %s: %s\n", list ? path : arrays, strerror(errno));
    _exit(1);
  }
  pthread_mutex_lock(&threads.lock); /* for good: no more samples */
  page_size = (size_t)sysconf(_SC_PAGESIZE);
  fprintf(out, "page %zu\n", page_size);
  write_nodes();
  for_each_thread(write_thread);
  write_arrays(list);
  fprintf(out, "end\n");
  fclose(out);
  fclose(list);
}

static int main_with_counter(int argc, char **argv, char **environment) {
  threads.list = calloc(THREADS_MAX + 1, sizeof *threads.list);
  if (!threads.list || atexit(testify) != 0)
    abort();
  start_sampling();
  return program_main(argc, argv, environment);
}

int __libc_start_main(main_t main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end);

/* What every program calls to start: here with another main(). */
int __libc_start_main(main_t main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end) {
  int (*start)(main_t, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  bool is_wanted = getenv("PAGE_COUNTER") && getenv("PAGE_COUNTER_ARRAYS");
  program_main = main;
  return start(is_wanted ? main_with_counter : main, argc, argv, init, fini, loader_fini,
               stack_end);
}
