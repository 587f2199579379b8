/* Memory with properties that a copy would not have: they stay, and pages are moved or stay. */
#include "calls.h"

#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/mempolicy.h>
#include <linux/userfaultfd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BYTES = 1024 * PAGE };

/* Whether the line VmFlags of the mapping around an address has this code. */
static int has_flag(const void *address, const char *flag) {
  FILE *file = fopen("/proc/self/smaps", "r");
  char line[512];
  int inside = 0, found = 0;
  while (fgets(line, sizeof line, file)) {
    unsigned long begin, end;
    if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
      inside = (uintptr_t)address >= begin && (uintptr_t)address < end;
    if (inside && strncmp(line, "VmFlags:", 8) == 0)
      found |= strstr(line, flag) != NULL;
  }
  fclose(file);
  return found;
}

/* Pages on node 0, whichever CPU this runs on. */
static char *new_memory(void) {
  char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(syscall(SYS_set_mempolicy, MPOL_PREFERRED, &(unsigned long){1}, 64) == 0);
  fill(memory, 0, BYTES);
  CHECK(syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0) == 0);
  return memory;
}

/* Place memory whose pages are all on another node, and again. */
static void check(const char *what, char *memory, const char *flag) {
  const char *bind = "bind 2", *skew = "skew";
  CHECK(mai_place(memory, BYTES, 1, bind, what) == 0);
  CHECK(mai_replace(memory, skew, NULL) == 0);
  CHECK(mai_replace(memory, bind, NULL) == 0);
  CHECK(is_filled(memory, 0, BYTES));
  printf("%s: %s, %zu of 1024 pages there\n", what, has_flag(memory, flag) ? "kept" : "lost",
         pages_on(memory, 0, BYTES, 2));
  CHECK(mai_forget(memory) == 0);
  munmap(memory, BYTES);
}

static void check_locked(void) {
  char *memory = new_memory();
  CHECK(mlock(memory, BYTES) == 0);
  check("locked", memory, " lo");
}

static void check_not_for_children(void) {
  char *memory = new_memory();
  CHECK(madvise(memory + PAGE, PAGE, MADV_DONTFORK) == 0);
  const char *bind = "bind 2";
  CHECK(mai_place(memory, BYTES, 1, bind, "dontfork") == 0);
  printf("not for children: %s\n", has_flag(memory + PAGE, " dc") ? "kept" : "lost");
  munmap(memory, BYTES);
}

static void check_array(void) {
  char *array = mai_alloc_bind(BYTES, 1, 1);
  const char *cyclic = "cyclic";
  fill(array, 0, BYTES);
  CHECK(mlock(array, BYTES) == 0);
  CHECK(mai_replace(array, cyclic, NULL) == 0 && is_filled(array, 0, BYTES));
  CHECK(misplaced(array, BYTES) == 0);
  printf("locked array: %s\n", has_flag(array, " lo") ? "kept" : "lost");
  CHECK(mai_free(array) == 0);
}

static void check_watched(void) {
  char *memory = new_memory();
  int faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
  struct uffdio_api api = {.api = UFFD_API};
  struct uffdio_register range = {.range = {(uintptr_t)memory, BYTES},
                                  .mode = UFFDIO_REGISTER_MODE_MISSING};
  CHECK(faults >= 0 && ioctl(faults, UFFDIO_API, &api) == 0 &&
        ioctl(faults, UFFDIO_REGISTER, &range) == 0);
  check("watched by userfaultfd", memory, " um");
  /* To populate its pages would be to wait for somebody who does not come. */
  memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  range.range.start = (uintptr_t)memory;
  CHECK(ioctl(faults, UFFDIO_REGISTER, &range) == 0);
  const char *skew = "skew";
  CHECK_FAILS(mai_place(memory, BYTES, 1, skew, "watched"), EBUSY);
  munmap(memory, BYTES);
  close(faults);
}

/* The kernel writes into pages that io_uring has registered, whatever the page table says. */
static void check_pinned(void) {
  char *memory = new_memory();
  struct io_uring_params parameters = {0};
  int ring = (int)syscall(SYS_io_uring_setup, 4, &parameters);
  struct iovec buffer = {memory, BYTES};
  CHECK(ring >= 0 &&
        syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &buffer, 1) == 0);
  const char *bind = "bind 2";
  struct mai_moves moves;
  CHECK(mai_place(memory, BYTES, 1, bind, "pinned") == 0);
  CHECK(mai_replace(memory, bind, &moves) == 0 && is_filled(memory, 0, BYTES));
  printf("pinned: %zu busy, %zu moved\n", moves.busy + moves.failed, moves.moved);
  close(ring);
}

int main(void) {
  check_locked();
  check_not_for_children();
  check_array();
  check_watched();
  check_pinned();
  printf("wrong: %d\n", wrong);
}
