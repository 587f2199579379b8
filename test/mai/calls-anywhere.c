/* Every call works on any machine, one with a single node or a kernel that lets nobody place memory
   too: contents stay, nothing else breaks, and each misuse has its errno, also before anything else
   was called.

   RUN: %{gcc} %s -o %t %{mai} -I%S/Inputs
   RUN: %t | FileCheck %s --implicit-check-not='not so'
   RUN: env MAI_WATCH=1 %t | FileCheck %s --implicit-check-not='not so'

   CHECK: 0 wrong
*/
#include "calls.h"

enum { UNITS = 90, BYTES = UNITS * PAGE };

static char any[BYTES];

/* 0, or the kernel does not let us; nobody can say beforehand. */
static int works(int result) { return result == 0 || errno == EPERM || errno == ENOSYS; }

/* Each is the first call of its process. */
static int place_nothing(void *unused) {
  (void)unused;
  return mai_place(NULL, 1, 1, "cyclic", NULL) == -1 && errno == EINVAL;
}
static int forget(void *memory) { return mai_forget(memory) == -1 && errno == EINVAL; }
static int grow(void *memory) { return !mai_realloc(memory, 5) && errno == EINVAL; }
static int replace(void *memory) {
  return mai_replace(memory, NULL, NULL) == -1 && errno == EINVAL;
}
static int replace_all(void *unused) {
  (void)unused;
  struct mai_moves moves = {.moved = 9};
  return mai_replace_all(&moves) == 0 && sum_of(&moves) == 0;
}
static int migrate(void *memory) {
  return mai_migrate(memory, 0, NULL) == -1 && errno == EINVAL &&
         mai_migrate_range(memory, 0, 1, 0, NULL) == -1 && errno == EINVAL &&
         mai_migrate_rows(memory, 0, 1, 0, NULL) == -1 && errno == EINVAL &&
         mai_migrate_columns(memory, 0, 1, 0, NULL) == -1 && errno == EINVAL;
}
static int scatter(void *memory) { return mai_scatter(memory, NULL) == -1 && errno == EINVAL; }
static int wait_for_touch(void *memory) {
  return mai_next_touch(memory, 0, 0) == -1 && errno == EINVAL;
}
static int copy(void *memory) {
  return mai_replicate(memory) == -1 && errno == EINVAL && !mai_replica(memory) &&
         errno == EINVAL && mai_drop_replicas(memory) == -1 && errno == EINVAL;
}
static int look_at(void *memory) {
  struct mai_statistics statistics;
  int node;
  return mai_page_map(memory, 0, 1, &node) == -1 && errno == EINVAL &&
         mai_get_statistics(memory, &statistics) == -1 && errno == EINVAL &&
         mai_node_meant(memory) == -1 && errno == EINVAL;
}
static int map_no_threads(void *unused) {
  (void)unused;
  return mai_map_threads(NULL, 0) == -1 && (errno == EINVAL || errno == EBUSY);
}
static int allocate(void *unused) {
  (void)unused;
  return mai_alloc_shape(2, (size_t[]){3, 4}, 8, "skew", NULL, NULL) != NULL;
}

static void check_first_calls(void) {
  int (*const calls[])(void *) = {place_nothing, forget,  grow,           replace,
                                  replace_all,   migrate, scatter,        wait_for_touch,
                                  copy,          look_at, map_no_threads, allocate};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    CHECK(status_of_child(calls[i], any) == 1);
    CHECK(status_of_child(calls[i], NULL) == 1);
  }
}

static void use(char *array, const char *name) {
  static const char *const policies[] = {"cyclic", "skew",  "random 5",  "next-touch",
                                         "local",  "block", "prime 1009"};
  int before = wrong;
  int node = mai_where(array + BYTES / 2);
  struct mai_moves moves;
  int nodes[UNITS + 1];
  for (int i = 0; i < 7; i++) {
    const char *policy = policies[i];
    CHECK(works(mai_replace(array, policy, &moves)));
    CHECK(is_filled(array, 0, BYTES));
  }
  if (node >= 0) {
    CHECK(works(mai_migrate(array, (unsigned)node, NULL)));
    CHECK(works(mai_migrate_range(array, 5, 3 * PAGE, (unsigned)node, NULL)));
    CHECK(works(mai_migrate_rows(array, 1, 3, (unsigned)node, NULL)));
  }
  CHECK_FAILS(mai_migrate(array, 1000, NULL), ENODEV);
  CHECK(works(mai_scatter(array, &moves)) && works(mai_next_touch(array, 0, 0)));
  array[0] = byte_at(0);
  CHECK(mai_page_map(array, 0, UNITS + 1, nodes) >= UNITS - 1 || errno == EPERM || errno == ENOSYS);
  CHECK(is_filled(array, 0, BYTES));
  if (wrong > before)
    printf("with %s\n", name);
}

static void check_allocated(void) {
  char *array = mai_alloc_block(UNITS, PAGE);
  fill(array, 0, BYTES);
  use(array, "mai_alloc");
  array = mai_realloc(array, UNITS * 3);
  CHECK(is_filled(array, 0, BYTES) && is_zero(array, BYTES, 3 * BYTES));
  CHECK(mai_free(array) == 0 && mai_free(array) == -1);
}

static void check_adopted(void) {
  const char *skew = "skew";
  char *memory = malloc(BYTES);
  fill(memory, 0, BYTES);
  CHECK(mai_place(memory, UNITS, PAGE, skew, "malloc") == 0);
  use(memory, "mai_place");
  CHECK(mai_forget(memory) == 0);
  free(memory);
  fill(any, 0, BYTES);
  CHECK(mai_place(any, UNITS, PAGE, skew, "static") == 0);
  use(any, "mai_place of a static array");
  CHECK(mai_forget(any) == 0 && is_filled(any, 0, BYTES));
}

static void check_copies(void) {
  const char *policy = "replicate";
  struct mai_pages pages;
  char *array = mai_alloc(UNITS, PAGE, policy, NULL);
  fill(array, 0, BYTES);
  CHECK(mai_replicate(array) == 0);
  CHECK(is_filled(mai_replica(array), 0, BYTES));
  CHECK(mai_verify(array, &pages, NULL, 0) == 0 || errno == EPERM || errno == ENOSYS);
  CHECK(mai_drop_replicas(array) == 0);
  array[7] = 1;
  CHECK(mai_free(array) == 0);
}

/* Asked for, pages come at once, whatever else the machine can do. */
static void check_populate(void) {
  struct mai_pages pages;
  const char *policy = "block populate";
  char *array = mai_alloc(UNITS, PAGE, policy, NULL);
  if (!getenv("MAI_WATCH") && mai_verify(array, &pages, NULL, 0) == 0)
    CHECK(pages.untouched == 0);
  CHECK(is_zero(array, 0, BYTES) && mai_free(array) == 0);
}

static void check_threads(void) {
  unsigned cpu = (unsigned)sched_getcpu();
  CHECK(mai_map_threads(&cpu, 1) == 0 || errno == EBUSY);
#pragma omp parallel
  ;
  struct mai_moves moves;
  CHECK(works(mai_replace_all(&moves)));
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  check_first_calls();
  check_allocated();
  check_adopted();
  check_copies();
  check_populate();
  check_threads();
  printf("%d wrong\n", wrong);
}
