/* What MAi knows of memory ends when that is given back, whoever does so, and no policy stays behind.
   Each check says how much of the memory's next owner lies where that owner wants it. */
#include "calls.h"

#include <malloc.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BYTES = 256 * PAGE };

static void *map(size_t bytes) {
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Whether the range around an address has a policy of its own, as the kernel tells. */
static int has_policy(const void *address) {
  int mode = 0;
  return syscall(SYS_get_mempolicy, &mode, NULL, 0UL, address, 2UL) == 0 && mode != 0;
}

static int any_policy(const char *memory, size_t bytes) {
  int count = 0;
  for (size_t i = 0; i < bytes; i += PAGE)
    count += has_policy(memory + i);
  return count;
}

/* The next owner's pages come where it touches them first. */
static void check_next_owner(const char *what, char *memory) {
  cpu_set_t before, there;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&there);
  CPU_SET(5, &there); /* on node 2 of 4 nodes with 2 CPUs */
  sched_setaffinity(0, sizeof there, &there);
  memset(memory, 1, BYTES);
  sched_setaffinity(0, sizeof before, &before);
  size_t elsewhere = 0;
  for (int node = 0; node < 4; node++)
    elsewhere += node == 2 ? 0 : pages_on(memory, PAGE, BYTES - PAGE, node);
  printf("%s: %zu elsewhere, %d at home\n", what, elsewhere,
         pages_on(memory, PAGE, BYTES - PAGE, 2) > 250);
}

static void check_free(void) {
  const char *bind = "bind 1";
  char *block = malloc(BYTES);
  CHECK(mai_place(block, BYTES, 1, bind, "freed") == 0 && any_policy(block, BYTES) > 200);
  free(block);
  char *next = malloc(BYTES);
  CHECK(next == block && any_policy(next, BYTES) == 0);
  check_next_owner("after free()", next);
  /* The block begins before the memory that was placed. */
  CHECK(mai_place(next + 5 * PAGE, 100 * PAGE, 1, bind, "inside") == 0);
  free(next);
  next = malloc(BYTES);
  CHECK(next == block && any_policy(next, BYTES) == 0);
  CHECK_FAILS(mai_forget(next + 5 * PAGE), EINVAL);
  free(next);
}

static void check_realloc(void) {
  const char *cyclic = "cyclic";
  char *block = malloc(BYTES);
  char *wall = malloc(BYTES); /* the block cannot grow */
  fill(block, 0, BYTES);
  CHECK(mai_place(block, BYTES, 1, cyclic, "moved") == 0);
  char *moved = realloc(block, 2 * BYTES);
  CHECK(moved != block && is_filled(moved, 0, BYTES) && any_policy(moved, 2 * BYTES) == 0);
  char *next = malloc(BYTES);
  CHECK(next == block && any_policy(next, BYTES) == 0);
  CHECK(mai_replace_all(NULL) == 0);
  free(next);
  free(moved);
  free(wall);
}

static void check_forget(void) {
  const char *block = "block";
  char *memory = map(BYTES);
  CHECK(mai_place(memory, BYTES, 1, block, "forgotten") == 0 && any_policy(memory, BYTES) == 256);
  CHECK(mai_forget(memory) == 0 && any_policy(memory, BYTES) == 0);
  check_next_owner("after mai_forget()", memory);
  munmap(memory, BYTES);
}

/* Part of what was placed is placed anew, and then all is forgotten. */
static void check_overlap(void) {
  const char *bind = "bind 1", *other = "bind 3";
  char *memory = map(BYTES);
  CHECK(mai_place(memory, BYTES, 1, bind, "all") == 0);
  CHECK(mai_place(memory + 10 * PAGE, 20 * PAGE, 1, other, "part") == 0);
  CHECK(any_policy(memory, BYTES) == 20);
  CHECK_FAILS(mai_forget(memory), EINVAL);
  CHECK(mai_forget(memory + 10 * PAGE) == 0 && any_policy(memory, BYTES) == 0);
  munmap(memory, BYTES);
}

/* The library hears nothing of this. */
static void unmap(void *memory, size_t bytes) { syscall(SYS_munmap, memory, bytes); }

/* An array that has its pages for itself. */
static char *alloc_pages(const char *policy) {
  size_t bytes = BYTES;
  mai_options_t options = {.alignment = PAGE};
  return mai_alloc_shape(1, &bytes, 1, policy, &options, NULL);
}

/* Another thread writes to what is there now, while all arrays are placed anew. */
static void check_next_mapping(void) {
  const char *cyclic = "cyclic", *skew = "skew";
  char *array = alloc_pages(skew);
  char *adopted = map(BYTES);
  CHECK(mai_place(adopted, BYTES, 1, cyclic, "unmapped too") == 0);
  fill(array, 0, BYTES);
  unmap(array, BYTES);
  unmap(adopted, BYTES);
  _Atomic int *counter =
      mmap(array, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  _Atomic int stop = 0;
  int written = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0)
      for (; !stop; written++)
        for (size_t i = 0; i < BYTES / sizeof *counter; i += PAGE / sizeof *counter)
          counter[i]++;
    else {
      for (int i = 0; i < 5; i++)
        CHECK(mai_replace_all(NULL) == 0);
      stop = 1;
    }
  }
  int lost = 0;
  for (size_t i = 0; i < BYTES / sizeof *counter; i += PAGE / sizeof *counter)
    lost += counter[i] != written;
  printf("lost: %d\n", lost);
  CHECK_FAILS(mai_free(array), EINVAL);
  CHECK_FAILS(mai_verify(adopted, &(struct mai_pages){0}, NULL, 0), EINVAL);
  unmap(counter, BYTES);
}

/* Where one array was, the kernel puts the next. */
static void check_alloc_again(void) {
  const char *bind = "bind 1";
  int same = 0;
  for (int i = 0; i < 20; i++) {
    char *array = alloc_pages(bind);
    CHECK(array);
    unmap(array, BYTES);
    char *next = alloc_pages(bind);
    CHECK(next);
    same += next == array;
    CHECK(mai_free(next) == 0);
  }
  printf("again: %d\n", same > 0);
}

/* What waited for touches there does so no longer, but the next array does. */
static void check_next_touch_again(void) {
  char *old = map(2 * BYTES);
  char *array = alloc_pages("next-touch");
  CHECK(mai_place(old, 2 * BYTES, 1, "next-touch", "unmapped while it waits") == 0);
  fill(array, 0, BYTES);
  unmap(old, 2 * BYTES);
  array = mai_realloc(array, BYTES + PAGE);
  printf("waits again: %d\n", array >= old && array < old + 2 * BYTES);
  fill(array, 0, BYTES);
  CHECK(mai_free(array) == 0);
}

/* Of memory without a policy, too, it can be told that there is none any more. */
static void check_unmapped_first_touch(void) {
  char *memory = map(BYTES);
  CHECK(mai_place(memory, BYTES, 1, "first-touch", "unmapped, without a policy") == 0);
  unmap(memory, BYTES);
  CHECK(mai_replace_all(NULL) == 0);
  CHECK_FAILS(mai_replace(memory, NULL, NULL), EINVAL);
}

/* Of what waits for touches, something else takes the place of a part: the rest is the program's. */
static void check_part_of_waiting(void) {
  char *memory = map(2 * BYTES);
  CHECK(mai_place(memory, 2 * BYTES, 1, "next-touch", "unmapped in part while it waits") == 0);
  mmap(memory + BYTES, BYTES / 2, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  CHECK_FAILS(mai_replace(memory, NULL, NULL), EINVAL);
  fill(memory, 0, BYTES);
  fill(memory, BYTES + BYTES / 2, 2 * BYTES);
  unmap(memory, 2 * BYTES);
}

static int is_mapped(char *memory) {
  unsigned char ignored;
  return mincore(memory, PAGE, &ignored) == 0;
}

/* Where arrays were, there are copies of another, which have policies of the library, too. */
static void check_copies_there(void) {
  enum { ARRAYS = 8 };
  int there = 0;
  char *memory = map(ARRAYS * BYTES);
  for (int i = 0; i < ARRAYS; i++)
    CHECK(mai_place(memory + i * BYTES, BYTES, 1, "bind 1", "before there are copies") == 0);
  unmap(memory, ARRAYS * BYTES);
  char *array = alloc_pages("replicate");
  CHECK(mai_replicate(array) == 0);
  for (int i = 0; i < ARRAYS; i++)
    there += is_mapped(memory + i * BYTES) && is_mapped(memory + (i + 1) * BYTES - PAGE);
  printf("copies there: %d\n", there > 1);
  CHECK(mai_replace_all(NULL) == 0);
  for (int i = 0; i < ARRAYS; i++)
    CHECK_FAILS(mai_replace(memory + i * BYTES, NULL, NULL), EINVAL);
  CHECK(mai_free(array) == 0);
}

/* Huge pages that the program forbids stay forbidden in copies of its pages. */
static void check_forbidden_huge_pages(void) {
  char *memory = map(2 * BYTES);
  CHECK(madvise(memory, 2 * BYTES, MADV_NOHUGEPAGE) == 0);
  fill(memory, 0, BYTES);
  CHECK(mai_place(memory, 2 * BYTES, 1, "cyclic populate", "without huge pages") == 0);
  CHECK(is_filled(memory, 0, BYTES));
  CHECK(mai_forget(memory) == 0);
  CHECK(mai_place(memory, 2 * BYTES, 1, "block populate", "again") == 0);
  unmap(memory, 2 * BYTES);
}

/* Memory between brk() and brk(). */
static void check_break(void) {
  const char *bind = "bind 1";
  char *memory = (char *)(((uintptr_t)sbrk(BYTES + PAGE) + PAGE - 1) / PAGE * PAGE);
  CHECK(mai_place(memory, BYTES, 1, bind, "under the break") == 0);
  sbrk(-(BYTES + PAGE));
  sbrk(BYTES + PAGE);
  CHECK_FAILS(mai_replace(memory, NULL, NULL), EINVAL);
  check_next_owner("after brk()", memory);
}

int main(void) {
  mallopt(M_MMAP_THRESHOLD, 64 << 20); /* blocks are in the heap, where memory comes again */
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  check_free();
  check_realloc();
  check_forget();
  check_overlap();
  check_next_mapping();
  check_alloc_again();
  check_next_touch_again();
  check_unmapped_first_touch();
  check_part_of_waiting();
  check_copies_there();
  check_forbidden_huge_pages();
  check_break();
  printf("wrong: %d\n", wrong);
}
