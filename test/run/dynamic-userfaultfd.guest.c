/* A program watches pages itself by userfaultfd, as garbage collectors and programs that move whole machines do: it hears of the
   pages that nobody has touched and of those that it protects, and of no others.

   REQUIRES: guest
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: %{guest} --topology 2x1 --env OMP_NUM_THREADS=2 --env MAI_DYNAMIC_CHAOS=1 --file %{build}/mai/libmai-run.so \
   RUN:   --file %{build}/bin/mai-run --file %t -- %{build}/bin/mai-run -q -m compact --dynamic %t | FileCheck %s
   CHECK: all right
*/
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 512, ROUNDS = 20, PASSES = 8 };

static int file;
static unsigned char *block;
static volatile unsigned filled, written, unwanted;

/* Every other page is protected. */
static int is_protected(size_t page) { return page % 2; }

static void fill(uintptr_t address, size_t page) {
  static unsigned char contents[PAGE] __attribute__((aligned(PAGE)));
  memset(contents, (int)(page % 251) + 1, PAGE);
  struct uffdio_copy copy = {.dst = address, .src = (uintptr_t)contents, .len = PAGE};
  filled += ioctl(file, UFFDIO_COPY, &copy) == 0;
}

static void allow(uintptr_t address, size_t page) {
  struct uffdio_writeprotect change = {.range = {address, PAGE}};
  written++;
  unwanted += !is_protected(page);
  ioctl(file, UFFDIO_WRITEPROTECT, &change);
}

static void *serve(void *unused) {
  struct pollfd poll_file = {.fd = file, .events = POLLIN};
  struct uffd_msg message;
  while (poll(&poll_file, 1, -1) > 0)
    if (read(file, &message, sizeof message) == sizeof message) {
      uintptr_t address = message.arg.pagefault.address & -(uintptr_t)PAGE;
      size_t page = (address - (uintptr_t)block) / PAGE;
      if (message.arg.pagefault.flags & UFFD_PAGEFAULT_FLAG_WP)
        allow(address, page);
      else
        fill(address, page);
    }
  return unused;
}

static void watch(uint64_t mode) {
  struct uffdio_register range = {.range = {(uintptr_t)block, PAGES * PAGE}, .mode = mode};
  if (ioctl(file, UFFDIO_REGISTER, &range) != 0)
    perror("the program cannot watch"), exit(1);
}

static void stop_watching(void) {
  struct uffdio_range range = {(uintptr_t)block, PAGES * PAGE};
  ioctl(file, UFFDIO_UNREGISTER, &range);
}

/* Pages come to be as they are read. @return how many are not as they were filled */
static unsigned read_pages(void) {
  unsigned wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (size_t i = 0; i < PAGES * PAGE; i += 64)
    wrong += block[i] != i / PAGE % 251 + 1;
  return wrong;
}

static void write_pages(unsigned char *bytes, int pass) {
#pragma omp parallel for
  for (size_t i = 0; i < PAGES * PAGE; i++)
    bytes[i] = (unsigned char)(i + (size_t)pass);
}

/* @return how many protected pages have been written without a word */
static unsigned protect_and_write(void) {
  unsigned before = written;
  for (size_t page = 0; page < PAGES; page++) {
    struct uffdio_writeprotect change = {.range = {(uintptr_t)block + page * PAGE, PAGE},
                                         .mode = UFFDIO_WRITEPROTECT_MODE_WP};
    if (is_protected(page) && ioctl(file, UFFDIO_WRITEPROTECT, &change) != 0)
      perror("the program cannot protect"), exit(1);
  }
  write_pages(block, 1);
  return before + PAGES / 2 - written;
}

int main(void) {
  struct uffdio_api api = {.api = UFFD_API, .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP};
  unsigned unseen = 0, wrong = 0;
  pthread_t server;
  file = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
  if (file < 0 || ioctl(file, UFFDIO_API, &api) != 0)
    return perror("userfaultfd"), 1;
  pthread_create(&server, NULL, serve, NULL);
  unsigned char *other = malloc(PAGES * PAGE);
  for (int round = 0; round < ROUNDS; round++) {
    block = aligned_alloc(PAGE, PAGES * PAGE);
    madvise(block, PAGES * PAGE, MADV_DONTNEED);
    watch(UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP);
    for (int pass = 0; pass < PASSES; pass++)
      write_pages(other, pass);
    wrong += read_pages();
    unseen += protect_and_write();
    stop_watching();
    free(block);
  }
  if (wrong || unseen || unwanted)
    return printf("%u wrong, %u unseen, %u unwanted\n", wrong, unseen, unwanted), 1;
  puts("all right");
  return 0;
}
