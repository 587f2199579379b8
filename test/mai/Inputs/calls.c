/*===-- calls.c - what each call does to pages and contents ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* For a machine of 4 nodes with 2 CPUs each: CPU c is of node c / 2.  Says for each group of calls how
   many checks failed, and which. */
#include "calls.h"

/* Bound to a node, of the smallest pages: those that are touched, and no others, come into memory. */
static char *allocate_small_pages(size_t units, unsigned node) {
  mai_options_t options = {.huge_pages = MAI_HUGE_OFF};
  char bind[16];
  snprintf(bind, sizeof bind, "bind %u", node);
  return mai_alloc_shape(1, &units, PAGE, bind, &options, NULL);
}

/*===-- mai_realloc --------------------------------------------------------===*/

static void check_growing(const char *policy_text) {
  const char *policy = policy_text;
  size_t extents[] = {40, 300};
  size_t small = 40 * 300 * 8, large = 90 * 300 * 8, row = 300 * 8;
  char *array = mai_alloc_shape(2, extents, 8, policy, NULL, NULL);
  CHECK(array);
  fill(array, 0, small);
  array = mai_realloc(array, 90);
  CHECK(array);
  CHECK(is_filled(array, 0, small) && is_zero(array, small, large));
  fill(array, 0, large);
  CHECK(misplaced(array, large) == 0);
  array = mai_realloc(array, 7);
  CHECK(array && is_filled(array, 0, 7 * row) && misplaced(array, 7 * row) == 0);
  CHECK(mai_free(array) == 0);
}

static void check_realloc(void) {
  check_growing("bind 3");
  check_growing("cyclic");
  check_growing("skew");
  check_growing("block by columns");
  check_growing("block-cyclic 3");
  check_growing("irregular 5,4,3");

  /* Nothing is touched that was not. */
  char *array = allocate_small_pages(10000, 1);
  array[5000 * (size_t)PAGE] = 9;
  array = mai_realloc(array, 20000);
  struct mai_pages pages;
  CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.untouched + 2 >= pages.total);
  CHECK(array[5000 * (size_t)PAGE] == 9);

  /* What cannot be leaves the array as it is. */
  CHECK(!mai_realloc(array, 0) && errno == EINVAL);
  CHECK(!mai_realloc(array, SIZE_MAX / 2) && errno == EOVERFLOW);
  CHECK(!mai_realloc(array + 1, 5) && errno == EINVAL);
  CHECK(array[5000 * (size_t)PAGE] == 9);
  CHECK(mai_free(array) == 0);
  const char *range = "block 50..99";
  array = mai_alloc(100, PAGE, range, "range");
  CHECK(!mai_realloc(array, 60) && errno == EINVAL);
  CHECK(mai_free(array) == 0 && mai_free(array) != 0);
}

/*===-- mai_place ----------------------------------------------------------===*/

static void check_placed(char *memory, size_t bytes, const char *policy_text) {
  const char *policy = policy_text;
  CHECK(mai_place(memory + 24, bytes, 1, policy, policy_text) == 0);
  CHECK(misplaced(memory + 24, bytes) == 0);
  struct mai_pages pages;
  CHECK(mai_verify(memory + 24, &pages, NULL, 0) == 0 && pages.placed == pages.total);
}

static void check_place_on_malloc(void) {
  size_t bytes = 700 * PAGE + 777;
  char *memory = malloc(bytes + 48);
  fill(memory, 0, bytes + 48);
  check_placed(memory, bytes, "block");
  check_placed(memory, bytes, "cyclic");
  check_placed(memory, bytes, "prime 7");
  check_placed(memory, bytes, "bind 2");
  CHECK(is_filled(memory, 0, bytes + 48));
  /* Parts, and what reaches over them. */
  check_placed(memory + 31 * 4096, bytes / 3, "skew");
  check_placed(memory, bytes, "random 4");
  CHECK(is_filled(memory, 0, bytes + 48));
  CHECK(mai_node_meant(memory + 24 + bytes / 2) >= 0);
  CHECK(mai_forget(memory + 24) == 0);
  CHECK_FAILS(mai_forget(memory + 24), EINVAL);
  CHECK_FAILS(mai_node_meant(memory + 24 + bytes / 2), EINVAL);
  free(memory);
}

static char *map(size_t bytes, int protection, int flags) {
  char *memory = mmap(NULL, bytes, protection, flags | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  return memory;
}

static void check_place_refuses(void) {
  const char *cyclic = "cyclic", *none = "prime 9", *far = "bind 77";
  char *array = mai_alloc_bind(10, PAGE, 0);
  char *read_only = map(8 * PAGE, PROT_READ, MAP_PRIVATE);
  char *shared = map(8 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED);
  char *executable = map(8 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE);
  char *hole = map(8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
  munmap(hole + 3 * PAGE, PAGE);
  CHECK_FAILS(mai_place(NULL, 8, PAGE, cyclic, NULL), EINVAL);
  CHECK_FAILS(mai_place(hole, 8, PAGE, NULL, NULL), EINVAL);
  CHECK_FAILS(mai_place(hole, 0, PAGE, cyclic, NULL), EINVAL);
  CHECK_FAILS(mai_place(hole, SIZE_MAX, PAGE, cyclic, NULL), EOVERFLOW);
  CHECK_FAILS(mai_place(hole, SIZE_MAX, 1, cyclic, NULL), EOVERFLOW);
  CHECK_FAILS(mai_place(hole, 8, PAGE, cyclic, NULL), EACCES);
  CHECK_FAILS(mai_place(read_only, 8, PAGE, cyclic, NULL), EACCES);
  CHECK_FAILS(mai_place(shared, 8, PAGE, cyclic, NULL), EACCES);
  CHECK_FAILS(mai_place(executable, 8, PAGE, cyclic, NULL), EACCES);
  CHECK_FAILS(mai_place(array, 10, PAGE, cyclic, NULL), EINVAL);
  CHECK_FAILS(mai_place(array + 2 * PAGE, 1, PAGE, cyclic, NULL), EINVAL);
  /* What is known stays known. */
  CHECK(mai_place(hole, 3, PAGE, cyclic, "first") == 0);
  CHECK_FAILS(mai_place(hole + PAGE, 2, PAGE, none, NULL), EINVAL);
  CHECK_FAILS(mai_place(hole + PAGE, 2, PAGE, far, NULL), ENODEV);
  CHECK_FAILS(mai_place(hole + PAGE, 7, PAGE, cyclic, NULL), EACCES);
  CHECK_FAILS(mai_free(hole), EINVAL);
  CHECK(mai_forget(hole) == 0);
  CHECK_FAILS(mai_forget(array), EINVAL);
  CHECK(mai_free(array) == 0);
  munmap(read_only, 8 * PAGE);
  munmap(shared, 8 * PAGE);
  munmap(executable, 8 * PAGE);
  munmap(hole, 8 * PAGE);
}

/* The contents of a file that nobody has read yet are contents. */
static void check_place_on_file(void) {
  char path[] = "/tmp/minas-XXXXXX";
  int file = mkstemp(path);
  size_t bytes = 50 * PAGE;
  char *written = malloc(bytes);
  fill(written, 0, bytes);
  CHECK(write(file, written, bytes) == (ssize_t)bytes);
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  const char *skew = "skew";
  CHECK(mai_place(memory, 50, PAGE, skew, "file") == 0);
  CHECK(is_filled(memory, 0, bytes) && misplaced(memory, bytes) == 0);
  CHECK(mai_forget(memory) == 0);
  munmap(memory, bytes);
  /* The program has unmapped it and has not said so: no other memory is touched. */
  memory = map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE);
  CHECK(mai_place(memory, 50, PAGE, skew, "gone") == 0);
  munmap(memory, bytes);
  CHECK_FAILS(mai_replace(memory, NULL, NULL), EINVAL);
  CHECK_FAILS(mai_forget(memory), EINVAL);
  free(written);
  close(file);
  unlink(path);
}

/* A page in the middle of the memory is waited for: placing it again does not mind. */
static void check_place_while_waiting(void) {
  size_t bytes = 100 * PAGE;
  char *memory = map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE);
  const char *next = "next-touch", *bind = "bind 1";
  fill(memory, 0, bytes);
  CHECK(mai_place(memory, 100, PAGE, next, "waits") == 0);
  CHECK(mai_place(memory + 10 * PAGE, 50, PAGE, bind, "part") == 0);
  CHECK(is_filled(memory, 0, bytes) && misplaced(memory + 10 * PAGE, 50 * PAGE) == 0);
  CHECK(mai_place(memory, 100, PAGE, next, "waits") == 0);
  CHECK(mai_forget(memory) == 0);
  CHECK(is_filled(memory, 0, bytes));
  munmap(memory, bytes);
}

static void check_place(void) {
  check_place_on_malloc();
  check_place_refuses();
  check_place_on_file();
  check_place_while_waiting();
}

/*===-- mai_replace --------------------------------------------------------===*/

static const char *const all_policies[] = {"bind 1",
                                           "block",
                                           "block by columns",
                                           "block-cyclic 3",
                                           "cyclic",
                                           "cyclic strict",
                                           "cyclic by rows",
                                           "skew",
                                           "skew by columns",
                                           "prime 7",
                                           "random 3",
                                           "weighted 1,2,3,4",
                                           "irregular 10,20,30",
                                           "tier largest",
                                           "bind 0,2",
                                           "cyclic on 3,1",
                                           "skew strict",
                                           "bind 2 strict",
                                           "block populate",
                                           "first-touch",
                                           "local"};

enum { ALL = sizeof all_policies / sizeof *all_policies };

/* Whether the array is as it was filled, and every page where the policy has it. */
static void replace_and_check(char *array, size_t bytes, const char *text) {
  struct mai_moves moves;
  struct mai_pages pages;
  const char *policy = text;
  int before = wrong;
  CHECK(mai_replace(array, policy, &moves) == 0);
  CHECK(is_filled(array, 0, bytes));
  CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == pages.total);
  CHECK(misplaced(array, bytes) == 0);
  CHECK(sum_of(&moves) == pages.total && moves.moved + moves.right == pages.total);
  CHECK(count_mappings(array, bytes) <= 5);
  CHECK(mai_replace(array, NULL, &moves) == 0 && moves.right == pages.total);
  if (wrong > before)
    printf("  by %s\n", text);
}

static void check_replace_all_policies(void) {
  size_t bytes = 60 * 1100 * 8;
  size_t extents[] = {60, 1100};
  const char *block = "block";
  char *array = mai_alloc_shape(2, extents, 8, block, NULL, "replaced");
  fill(array, 0, bytes);
  for (int i = 0; i < ALL; i++)
    replace_and_check(array, bytes, all_policies[i]);
  for (int i = ALL; i-- > 0;)
    replace_and_check(array, bytes, all_policies[i]);
  struct mai_statistics statistics;
  CHECK(mai_get_statistics(array, &statistics) == 0);
  CHECK(statistics.bytes == bytes && statistics.page_size == PAGE && statistics.mappings >= 1 &&
        statistics.moved_pages > 100 && statistics.placing_seconds > 0);
  CHECK(mai_free(array) == 0);
}

/* 8 huge pages a node and a few small ones, so that huge pages are distributed. */
static void check_replace_large(unsigned huge_pages, const char *const *policies) {
  size_t units = 4 * 8 * 512 + 77;
  size_t extents[] = {units};
  mai_options_t options = {.huge_pages = huge_pages};
  const char *policy = "bind 0";
  char *array = mai_alloc_shape(1, extents, PAGE, policy, &options, "large");
  CHECK(array);
  for (size_t i = 0; i < units * PAGE; i += 1024)
    array[i] = byte_at(i);
  for (int i = 0; policies[i]; i++) {
    struct mai_moves moves;
    struct mai_pages pages;
    size_t changed = 0;
    const char *next = policies[i];
    CHECK(mai_replace(array, next, &moves) == 0);
    for (size_t k = 0; k < units * PAGE; k += 1024)
      changed += array[k] != byte_at(k);
    CHECK(changed == 0);
    CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == pages.total);
    CHECK(sum_of(&moves) == pages.total);
    CHECK(count_mappings(array, units * PAGE) <= 5);
    if (pages.placed != pages.total)
      printf("  by %s: %zu of %zu\n", policies[i], pages.placed, pages.total);
  }
  CHECK(mai_free(array) == 0);
}

/* What nobody has touched stays out of memory where the kernel can hold the policy. */
static void check_replace_lazily(void) {
  static const char *const lazy[] = {"block", "cyclic", "bind 3", "irregular 10,500,3"};
  char *array = allocate_small_pages(3000, 0);
  size_t touched = 0;
  for (size_t page = 0; page < 3000; page += 100, touched++)
    array[page * PAGE] = 5;
  for (int i = 0; i < 4; i++) {
    struct mai_moves moves;
    struct mai_pages pages;
    const char *policy = lazy[i];
    size_t before = kilobytes_of("VmRSS");
    CHECK(mai_replace(array, policy, &moves) == 0);
    CHECK(moves.untouched >= 3000 - touched && moves.moved + moves.right == touched);
    CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == touched);
    CHECK(kilobytes_of("VmRSS") < before + 400);
  }
  /* What comes later comes to its node. */
  for (size_t page = 0; page < 3000; page++)
    array[page * PAGE + 1] = 6;
  CHECK(misplaced(array, 3000 * PAGE) == 0);
  CHECK(mai_free(array) == 0);
}

/* Policies that the kernel cannot hold populate everything: also an array that nobody has touched,
   or of which all that was touched is where it belongs. */
static void check_replace_untouched(void) {
  const char *skew = "skew";
  struct mai_pages pages;
  for (int touched = 0; touched < 2; touched++) {
    char *array = mai_alloc_bind(400, PAGE, 1);
    array[0] = (char)touched;
    if (!touched)
      madvise(array, PAGE, MADV_DONTNEED);
    CHECK(mai_replace(array, skew, NULL) == 0);
    CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == pages.total);
    CHECK(mai_free(array) == 0);
  }
}

static void check_replace_refuses(void) {
  char *array = mai_alloc_bind(10, PAGE, 2);
  const char *far = "bind 9", *none = "prime 8", *columns = "block by columns";
  memset(array, 1, 10 * PAGE);
  CHECK_FAILS(mai_replace(array, far, NULL), ENODEV);
  CHECK_FAILS(mai_replace(array, none, NULL), EINVAL);
  CHECK_FAILS(mai_replace(array, columns, NULL), EINVAL);
  CHECK_FAILS(mai_replace(array + PAGE, NULL, NULL), EINVAL);
  CHECK_FAILS(mai_replace(NULL, NULL, NULL), EINVAL);
  CHECK(pages_on(array, 0, 10 * PAGE, 2) >= 10);
  CHECK(mai_free(array) == 0);
  CHECK_FAILS(mai_replace(array, NULL, NULL), EINVAL);
}

static void check_replace(void) {
  check_replace_all_policies();
  check_replace_lazily();
  check_replace_untouched();
  check_replace_refuses();
}

static void check_large(void) {
  static const char *const distributed[] = {"skew", "cyclic", "block", "weighted 1,1,2,1", NULL};
  static const char *const small[] = {"cyclic", "prime 5", NULL};
  check_replace_large(MAI_HUGE_DEFAULT, distributed);
  check_replace_large(MAI_HUGE_OFF, small);
}

/*===-- Threads ------------------------------------------------------------===*/

static void check_threads(void) {
  static const unsigned backwards[] = {7, 6, 5, 4, 3, 2, 1, 0};
  static const unsigned forwards[] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const unsigned missing[] = {0, 99};
  char *block = mai_alloc_block(80, PAGE);
  char *bound = mai_alloc_bind(10, PAGE, 2);
  struct mai_moves moves;
  memset(block, 1, 80 * PAGE);
  memset(bound, 1, 10 * PAGE);
  CHECK(pages_on(block, 0, 10 * PAGE, 0) >= 10);
  CHECK(mai_map_threads(backwards, 8) == 0);
  CHECK(mai_replace_all(&moves) == 0 && moves.moved >= 80 && moves.right >= 10);
  CHECK(misplaced(block, 80 * PAGE) == 0 && node_of_page(block) == 3);
  int elsewhere = 0;
#pragma omp parallel num_threads(8) reduction(+ : elsewhere)
  {
    int i = omp_get_thread_num();
    elsewhere = sched_getcpu() != mai_cpu_of_thread((unsigned)i) ||
                node_of_page(block + (i * 10 + 5) * PAGE) != sched_getcpu() / 2;
  }
  CHECK(elsewhere == 0);
  CHECK_FAILS(mai_map_threads(missing, 2), EINVAL);
  CHECK_FAILS(mai_map_threads(forwards, 0), EINVAL);
  CHECK(mai_cpu_of_thread(0) == 7);
  CHECK(mai_map_threads(forwards, 8) == 0);
  CHECK(mai_replace_all(NULL) == 0 && node_of_page(block) == 0);
  CHECK(mai_free(block) == 0 && mai_free(bound) == 0);
#pragma omp parallel num_threads(8)
  ;
}

/*===-- mai_migrate --------------------------------------------------------===*/

/* Pages of [from, to) are on `node` and the others where they were, on node 0. */
static void check_migrated(const char *array, size_t bytes, size_t from, size_t to, int node) {
  for (size_t offset = 0; offset < bytes; offset += PAGE) {
    uintptr_t middle = ((uintptr_t)array + offset) / PAGE * PAGE + PAGE / 2;
    size_t at = middle > (uintptr_t)array ? middle - (uintptr_t)array : 0;
    if (node_of_page(array + offset) != (at >= from && at < to ? node : 0)) {
      wrong++;
      printf("migrated [%zu, %zu): page at %zu on node %d\n", from, to, offset,
             node_of_page(array + offset));
      return;
    }
  }
}

static void check_ranges(size_t units) {
  size_t bytes = units * PAGE;
  struct mai_moves moves;
  char *array = mai_alloc_bind(units, PAGE, 0);
  fill(array, 0, bytes);
  for (size_t from = 0; from < bytes; from += bytes / 3 + 5000) {
    size_t length = bytes / 5 < bytes - from ? bytes / 5 : bytes - from;
    CHECK(mai_migrate_range(array, from, length, 2, &moves) == 0);
    CHECK(moves.moved == sum_of(&moves) && moves.moved >= length / PAGE - 1);
    check_migrated(array, bytes, from, from + length, 2);
    CHECK(mai_replace(array, NULL, &moves) == 0 && sum_of(&moves) - moves.moved == moves.right);
    check_migrated(array, bytes, 0, 0, 0);
  }
  CHECK(mai_migrate_range(array, 5, 0, 1, &moves) == 0 && sum_of(&moves) == 0);
  CHECK(mai_migrate(array, 3, &moves) == 0 && moves.moved == sum_of(&moves));
  check_migrated(array, bytes, 0, bytes, 3);
  CHECK(mai_migrate(array, 3, &moves) == 0 && moves.right == sum_of(&moves));
  CHECK(is_filled(array, 0, bytes));
  CHECK(mai_scatter(array, &moves) == 0 && misplaced(array, bytes) == 0);
  CHECK(is_filled(array, 0, bytes));
  CHECK_FAILS(mai_migrate_range(array, bytes, 1, 1, NULL), EINVAL);
  CHECK_FAILS(mai_migrate_range(array, 1, SIZE_MAX, 1, NULL), EINVAL);
  CHECK_FAILS(mai_migrate_rows(array, units, 1, 1, NULL), EINVAL);
  CHECK_FAILS(mai_migrate_columns(array, 0, 1, 1, NULL), EINVAL);
  CHECK_FAILS(mai_migrate(array, 4, NULL), ENODEV);
  CHECK_FAILS(mai_migrate(array + 1, 1, NULL), EINVAL);
  CHECK(mai_free(array) == 0);
  CHECK_FAILS(mai_migrate(array, 1, NULL), EINVAL);
}

/* 20 rows of 4 pages, of 8 columns of half a page. */
static void check_rows_and_columns(void) {
  size_t extents[] = {20, 8}, bytes = 80 * PAGE;
  mai_options_t options = {.alignment = PAGE};
  const char *policy = "bind 0";
  struct mai_moves moves;
  char *array = mai_alloc_shape(2, extents, PAGE / 2, policy, &options, "matrix");
  fill(array, 0, bytes);
  CHECK(mai_migrate_rows(array, 5, 3, 1, &moves) == 0 && moves.moved == 12);
  check_migrated(array, bytes, 20 * PAGE, 32 * PAGE, 1);
  CHECK(mai_replace(array, NULL, NULL) == 0);
  /* Column 1 begins in the middle of the first page of each row. */
  CHECK(mai_migrate_columns(array, 1, 3, 3, &moves) == 0 && moves.moved == 40);
  CHECK(misplaced(array, bytes) == 0 && pages_on(array, 0, bytes, 3) == 40);
  CHECK(node_of_page(array) == 3 && node_of_page(array + PAGE) == 3);
  CHECK(node_of_page(array + 2 * PAGE) == 0 && node_of_page(array + 3 * PAGE) == 0);
  CHECK(is_filled(array, 0, bytes) && mai_free(array) == 0);
}

/* Untouched pages come to the node later, or, of columns, at once. */
static void check_migrate_untouched(void) {
  size_t extents[] = {20, 8};
  mai_options_t options = {.alignment = PAGE};
  const char *policy = "bind 0";
  struct mai_moves moves;
  struct mai_pages pages;
  char *array = mai_alloc_shape(2, extents, PAGE / 2, policy, &options, "matrix");
  CHECK(mai_migrate_rows(array, 10, 10, 1, &moves) == 0 && moves.untouched == 40);
  CHECK(mai_migrate_columns(array, 0, 2, 2, &moves) == 0);
  CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == 20 && pages.untouched == 60);
  memset(array, 1, 80 * PAGE);
  CHECK(misplaced(array, 80 * PAGE) == 0 && pages_on(array, 0, 80 * PAGE, 1) == 30);
  CHECK(mai_free(array) == 0);
}

/* Many parts of an array that is in memory do not cut its mapping into pieces. */
static void check_migrate_mappings(void) {
  char *array = mai_alloc_bind(400, PAGE, 0);
  memset(array, 1, 400 * PAGE);
  for (size_t i = 0; i < 400; i += 4)
    CHECK(mai_migrate_range(array, i * PAGE, PAGE, 1 + i / 4 % 3, NULL) == 0);
  CHECK(misplaced(array, 400 * PAGE) == 0 && count_mappings(array, 400 * PAGE) <= 2);
  CHECK(mai_free(array) == 0);
}

static int wait_for_pipe(void *pipe) {
  char byte;
  return read(((int *)pipe)[0], &byte, 1) != 1;
}

/* While a child shares the pages they stay, and are counted so. */
static void check_migrate_shared(void) {
  int channel[2];
  struct mai_moves moves;
  char *array = mai_alloc_bind(100, PAGE, 0);
  memset(array, 1, 100 * PAGE);
  if (pipe(channel) != 0)
    exit(2);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0)
    _exit(wait_for_pipe(channel));
  array[0] = 2; /* this page is the parent's alone now */
  CHECK(mai_migrate(array, 1, &moves) == 0);
  CHECK(moves.shared >= 99 && sum_of(&moves) == moves.shared + moves.moved);
  CHECK(write(channel[1], "x", 1) == 1);
  waitpid(child, NULL, 0);
  CHECK(mai_migrate(array, 1, &moves) == 0 && moves.shared == 0 &&
        misplaced(array, 100 * PAGE) == 0);
  CHECK(mai_free(array) == 0);
}

static void check_migrate(void) {
  check_ranges(60);
  check_ranges(3000);
  check_rows_and_columns();
  check_migrate_untouched();
  check_migrate_mappings();
  check_migrate_shared();
}

/*===-- mai_next_touch -----------------------------------------------------===*/

static volatile sig_atomic_t own_faults;
static char *guarded;

/* The program's own handler: opens the page that it guards. */
static void own_handler(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  own_faults++;
  if ((char *)info->si_addr != guarded)
    _exit(99);
  mprotect(guarded, PAGE, PROT_READ | PROT_WRITE);
}

static void check_own_handler(void) {
  struct sigaction own = {.sa_sigaction = own_handler, .sa_flags = SA_SIGINFO};
  char *array = mai_alloc_bind(50, PAGE, 0);
  fill(array, 0, 50 * PAGE);
  guarded = map(PAGE, PROT_NONE, MAP_PRIVATE);
  sigaction(SIGSEGV, &own, NULL);
  CHECK(mai_next_touch(array, 0, 0) == 0);
  for (int round = 1; round <= 3; round++) {
    *(volatile char *)guarded = 1;
    CHECK(own_faults == round);
    mprotect(guarded, PAGE, PROT_NONE);
  }
  CHECK(is_filled(array, 0, 50 * PAGE) && own_faults == 3);
  CHECK(mai_free(array) == 0);
  sigaction(SIGSEGV, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

/* Thread i runs on CPU i and touches its eighth first. */
static void touch_by_threads(char *array, size_t bytes, int *damaged) {
  int errors = 0;
#pragma omp parallel num_threads(8) reduction(+ : errors)
  {
    size_t share = bytes / 8;
    size_t begin = (size_t)omp_get_thread_num() * share;
    errors += !is_filled(array, begin, begin + share);
  }
  *damaged += errors;
}

static void check_toucher_gets_pages(void) {
  enum { MIB = 1 << 20 };
  size_t bytes = 16 * MIB;
  int damaged = 0;
  struct mai_statistics statistics;
  mai_options_t options = {.alignment = 4 * MIB};
  const char *bind = "bind 0", *next = "next-touch";
  char *array = mai_alloc_shape(1, &bytes, 1, bind, &options, "touched");
  fill(array, 0, bytes);
  CHECK(mai_next_touch(array, 0, 0) == 0);
  touch_by_threads(array, bytes, &damaged);
  for (int node = 0; node < 4; node++)
    CHECK(pages_on(array, (size_t)node * bytes / 4, (size_t)(node + 1) * bytes / 4, node) ==
          bytes / 4 / PAGE);
  CHECK(mai_get_statistics(array, &statistics) == 0 &&
        statistics.moved_pages == bytes / PAGE * 3 / 4);
  /* By a policy, and once more after the threads were mapped anew. */
  CHECK(mai_replace(array, next, NULL) == 0);
  CHECK(mai_replace_all(NULL) == 0);
  touch_by_threads(array, bytes, &damaged);
  CHECK(damaged == 0);
  CHECK(mai_free(array) == 0);
}

/* All threads touch the same page at the same time. */
static void check_crowd(void) {
  int damaged = 0;
  char *array = mai_alloc_bind(16, PAGE, 3);
  fill(array, 0, 16 * PAGE);
  for (int round = 0; round < 20; round++) {
    CHECK(mai_next_touch(array, 0, 0) == 0);
#pragma omp parallel num_threads(8) reduction(+ : damaged)
    damaged += !is_filled(array, 0, 16 * PAGE);
  }
  CHECK(damaged == 0 && mai_free(array) == 0);
}

/* Regions end while threads fault on them. */
static void check_ending(void) {
  int damaged = 0;
  char *array = mai_alloc_bind(64, PAGE, 3);
  fill(array, 0, 64 * PAGE);
#pragma omp parallel num_threads(4) reduction(+ : damaged)
  for (int round = 0; round < 30; round++) {
    if (omp_get_thread_num() == 0) {
      damaged += mai_next_touch(array, 0, 0) != 0;
      damaged += mai_migrate(array, (unsigned)round % 4, NULL) != 0;
    } else {
      damaged += !is_filled(array, 0, 64 * PAGE);
    }
  }
  CHECK(damaged == 0 && mai_free(array) == 0);
}

static int touch_in_child(void *array) { return !is_filled(array, 0, 50 * PAGE); }
static int fault(void *unused) {
  (void)unused;
  *(volatile char *)guarded = 1;
  return 0;
}
static int raise_it(void *unused) {
  (void)unused;
  raise(SIGSEGV);
  return 0;
}

static void check_next_touch_around(void) {
  char *array = mai_alloc_bind(50, PAGE, 0);
  int null = memfd_create("null", 0);
  fill(array, 0, 50 * PAGE);
  CHECK(mai_next_touch(array, 0, 0) == 0);
  CHECK_FAILS((int)write(null, array + 10 * PAGE, PAGE), EFAULT);
  CHECK(status_of_child(touch_in_child, array) == 0);
  /* Faults of other memory, and signals that are sent, still end the program. */
  guarded = map(PAGE, PROT_NONE, MAP_PRIVATE);
  CHECK(status_of_child(fault, NULL) == 128 + SIGSEGV);
  CHECK(status_of_child(raise_it, NULL) == 128 + SIGSEGV);
  CHECK(is_filled(array, 0, 50 * PAGE));
  CHECK(write(null, array + 10 * PAGE, PAGE) == PAGE);
  /* A part; what is around it may be accessed. */
  CHECK(mai_next_touch(array, 20 * PAGE, 10 * PAGE) == 0);
  CHECK(write(null, array, 20 * PAGE) == 20 * PAGE);
  CHECK_FAILS((int)write(null, array + 25 * PAGE, PAGE), EFAULT);
  array = mai_realloc(array, 60);
  CHECK(is_filled(array, 0, 50 * PAGE));
  CHECK_FAILS(mai_next_touch(array, 60 * PAGE + 1, 0), EINVAL);
  CHECK_FAILS(mai_next_touch(array, 0, 60 * PAGE + 1), EINVAL);
  CHECK_FAILS(mai_next_touch(array + 1, 0, 0), EINVAL);
  CHECK(mai_next_touch(array, 0, 0) == 0);
  CHECK(mai_free(array) == 0);
  close(null);
}

static void check_next_touch(void) {
  check_own_handler();
  check_toucher_gets_pages();
  check_crowd();
  check_ending();
  check_next_touch_around();
}

/*===-- mai_replicate ------------------------------------------------------===*/

static int write_to(void *array) {
  *(volatile char *)array = 1;
  return 0;
}

static void check_replicas(void) {
  enum { UNITS = 100 };
  const char *policy = "replicate", *on_two = "replicate on 3,1";
  struct mai_pages pages;
  size_t per_node[4];
  int strange = 0;
  char *array = mai_alloc(UNITS, PAGE, policy, "copied");
  char *two = mai_alloc(UNITS, PAGE, on_two, "two");
  char *other = mai_alloc_bind(1, 1, 0);
  fill(array, 0, UNITS * PAGE);
  CHECK(mai_replica(array) == array);
  CHECK(mai_replicate(array) == 0 && mai_replicate(two) == 0);
  CHECK_FAILS(mai_replicate(array), EINVAL);
#pragma omp parallel num_threads(8) reduction(+ : strange)
  {
    const char *copy = mai_replica(array);
    strange += !is_filled(copy, 0, UNITS * PAGE);
    strange += pages_on(copy, 0, UNITS * PAGE, sched_getcpu() / 2) < UNITS;
    copy = mai_replica(two);
    strange += copy[0] + copy[UNITS * PAGE - 1];
  }
  CHECK(strange == 0);
  CHECK(mai_verify(array, &pages, per_node, 4) == 0 && pages.placed == pages.total);
  CHECK(pages.total >= 4 * UNITS && per_node[0] >= UNITS && per_node[1] >= UNITS &&
        per_node[2] >= UNITS && per_node[3] >= UNITS);
  CHECK(status_of_child(write_to, array) == 128 + SIGSEGV);
  CHECK(status_of_child(write_to, (void *)mai_replica(array)) == 128 + SIGSEGV);
  CHECK_FAILS(mai_replace(array, NULL, NULL), EINVAL);
  CHECK_FAILS(mai_migrate(array, 1, NULL), EINVAL);
  CHECK_FAILS(mai_next_touch(array, 0, 0), EINVAL);
  CHECK(!mai_realloc(array, 5) && errno == EINVAL);
  CHECK(mai_drop_replicas(array) == 0 && mai_replica(array) == array);
  CHECK(mai_drop_replicas(array) == 0);
  array[5] = 1;
  CHECK(mai_replicate(array) == 0); /* once more, and freed with its copies */
  CHECK_FAILS(mai_replicate(other), EINVAL);
  CHECK_FAILS(mai_drop_replicas(other), EINVAL);
  CHECK(!mai_replica(array + 1) && errno == EINVAL);
  CHECK(mai_free(array) == 0 && mai_free(two) == 0 && mai_free(other) == 0);
  CHECK_FAILS(mai_replicate(array), EINVAL);
  CHECK_FAILS(mai_drop_replicas(array), EINVAL);
}

/*===-- Looking ------------------------------------------------------------===*/

static void check_looking(void) {
  int nodes[40];
  mai_options_t options = {.alignment = PAGE};
  const char *cyclic = "cyclic";
  size_t units = 30;
  char *array = mai_alloc_shape(1, &units, PAGE, cyclic, &options, "looked at");
  for (size_t page = 0; page < 30; page++)
    if (page != 7)
      array[page * PAGE] = 1;
  CHECK(mai_page_map(array, 0, 40, nodes) == 30);
  for (int page = 0; page < 30; page++)
    CHECK(nodes[page] == (page == 7 ? -1 : page % 4));
  CHECK(mai_page_map(array, 28, 40, nodes) == 2 && nodes[0] == 0 && nodes[1] == 1);
  CHECK(mai_page_map(array, 30, 40, nodes) == 0 && mai_page_map(array, SIZE_MAX, 40, nodes) == 0);
  CHECK(mai_page_map(array, 3, 0, nodes) == 0);
  CHECK_FAILS((int)mai_page_map(array + 1, 0, 1, nodes), EINVAL);
  CHECK(mai_where(array + 5 * PAGE + 9) == 1 && mai_node_meant(array + 7 * PAGE) == 3);
  CHECK_FAILS(mai_where(array + 7 * PAGE), ENOENT);
  struct mai_statistics statistics;
  CHECK(mai_get_statistics(array, &statistics) == 0 && statistics.moved_pages == 0);
  CHECK_FAILS(mai_get_statistics(array + 1, &statistics), EINVAL);
  CHECK(mai_free(array) == 0);
  CHECK_FAILS(mai_get_statistics(array, &statistics), EINVAL);
}

/*===-- Pages of other sizes, and at once ----------------------------------===*/

static void check_populate(void) {
  struct mai_pages pages;
  const char *policy = "block populate";
  char *array = mai_alloc(500, PAGE, policy, "populated");
  CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == pages.total);
  CHECK(mai_free(array) == 0);
}

/* With MAI_POPULATE in the environment. */
static void check_populate_all(void) {
  struct mai_pages pages;
  char *array = mai_alloc_cyclic(500, PAGE);
  CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == pages.total);
  CHECK(mai_free(array) == 0);
}

/* More than is free is refused where it would have to be populated, and leaves nothing. */
static void check_more_than_free(void) {
  const char *skew = "skew", *populate = "bind 1 populate";
  size_t before = kilobytes_of("VmSize");
  size_t units = (size_t)1 << 20; /* 4 GiB */
  CHECK(!mai_alloc(units, PAGE, skew, NULL) && errno == ENOMEM);
  CHECK(!mai_alloc(units, PAGE, populate, NULL) && errno == ENOMEM);
  CHECK(kilobytes_of("VmSize") < before + 1024 && kilobytes_of("VmRSS") < 1 << 19);
}

static void check_reserved_huge_pages(void) {
  static const char *const policies[] = {"cyclic", "skew",          "bind 2",
                                         "block",  "cyclic strict", "skew strict"};
  enum { HUGE = 2 << 20 };
  mai_options_t options = {.huge_pages = MAI_HUGE_EXPLICIT};
  struct mai_pages pages;
  size_t units = 8;
  const char *cyclic = "cyclic", *strict = "bind 2 strict";
  CHECK(write_word("/proc/sys/vm/nr_hugepages", "0"));
  CHECK(!mai_alloc_shape(1, &units, HUGE, cyclic, &options, NULL) && errno == ENOMEM);
  CHECK(write_word("/proc/sys/vm/nr_hugepages", "32"));
  for (int i = 0; i < 6; i++) {
    const char *policy = policies[i];
    char *array = mai_alloc_shape(1, &units, HUGE, policy, &options, "huge");
    CHECK(array);
    if (!array)
      continue;
    for (size_t page = 0; page < units; page++)
      array[page * HUGE] = (char)(page + 1);
    CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == pages.total &&
          pages.total == units);
    if (pages.placed != pages.total)
      printf("  by %s: %zu of %zu\n", policies[i], pages.placed, pages.total);
    CHECK(mai_replace(array, "skew", NULL) == 0);
    CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == pages.total);
    CHECK(mai_migrate_range(array, 2 * (size_t)HUGE, HUGE, 3, NULL) == 0);
    CHECK(node_of_page(array + 2 * (size_t)HUGE) == 3);
    for (size_t page = 0; page < units; page++)
      CHECK(array[page * HUGE] == (char)(page + 1));
    CHECK(mai_free(array) == 0);
  }
  units = 9; /* there are 8 on each node */
  CHECK(!mai_alloc_shape(1, &units, HUGE, strict, &options, NULL) && errno == ENOMEM);
  units = 32;
  char *all = mai_alloc_shape(1, &units, HUGE, cyclic, &options, "all of them");
  CHECK(all);
  CHECK(mai_free(all) == 0);
  CHECK(write_word("/proc/sys/vm/nr_hugepages", "0"));
}

static void check_pages(void) {
  check_populate();
  check_more_than_free();
  check_reserved_huge_pages();
}

/*===-- All ----------------------------------------------------------------===*/

static const struct {
  const char *name;
  void (*check)(void);
} groups[] = {
    {"realloc", check_realloc},       {"place", check_place},           {"replace", check_replace},
    {"large", check_large},           {"threads", check_threads},       {"migrate", check_migrate},
    {"next touch", check_next_touch}, {"replicas", check_replicas},     {"looking", check_looking},
    {"pages", check_pages},           {"populated", check_populate_all}};

/* With an argument: only that group; without: all but the last, which has to be asked for. */
int main(int argc, char **argv) {
  size_t count = sizeof groups / sizeof *groups;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (size_t i = 0; i < (argc > 1 ? count : count - 1); i++) {
    if (argc > 1 && strcmp(argv[1], groups[i].name) != 0)
      continue;
    wrong = 0;
    groups[i].check();
    printf("%s: %d wrong\n", groups[i].name, wrong);
  }
}
