/*===-- cleared.c - arrays that one thread clears before a team uses them *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.             *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                        *|
\*===---------------------------------------------------------------------------===*/
#include <linux/io_uring.h>
#include <mai.h>
#include <mai_static.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pages.h"

enum { PAGES = 80, ROW = 8, ROWS = PAGES * 4096 / ROW };

#define ALIGNED __attribute__((aligned(2 << 20)))

static double early[ROWS] ALIGNED; /* another thread of the program's runs before the first team */
static double cleared[ROWS] ALIGNED;
static double partly[ROWS] ALIGNED;  /* the first thread has written to its first 40 pages */
static double late[ROWS] ALIGNED;    /* while threads are there already */
static double watched[ROWS] ALIGNED; /* another thread of the program's runs beside these */
static double asked[ROWS] ALIGNED;   /* the kernel may write, asked by io_uring */

MAI_STATIC(early, "local filled");
MAI_STATIC(cleared, "local filled");
MAI_STATIC(partly, "local filled");
MAI_STATIC(late, "local filled");
MAI_STATIC(watched, "local filled");
MAI_STATIC(asked, "local filled");

static void use(double *array) {
#pragma omp parallel for
  for (int i = 0; i < ROWS; i++)
    array[i] += 1;
}

static int count_wrong(const double *array, int pages) {
  int wrong = 0;
  for (int i = 0; i < ROWS; i++)
    wrong += array[i] != (i < ROWS * pages / PAGES ? i + 2 : 1);
  return wrong;
}

static pthread_barrier_t barrier;
static pid_t other;

static void *wait_at_barrier(void *unused) {
  other = (pid_t)syscall(SYS_gettid);
  pthread_barrier_wait(&barrier);
  return unused;
}

/* Clear and use an array while another thread runs. */
static void use_beside_thread(double *array) {
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, wait_at_barrier, NULL);
  memset(array, 0, ROWS * sizeof *array);
  use(array);
  pthread_barrier_wait(&barrier);
  pthread_join(thread, NULL);
  while (syscall(SYS_tgkill, getpid(), other, 0) == 0)
    sched_yield(); /* the kernel lists a thread for a while that has been joined */
}

/* Clear and use an array while there is a queue for io_uring. */
static void use_beside_queue(double *array) {
  struct io_uring_params parameters = {0};
  int queue = (int)syscall(SYS_io_uring_setup, 1, &parameters);
  void *requests = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, queue, IORING_OFF_SQES);
  if (requests == MAP_FAILED)
    perror("io_uring");
  memset(array, 0, ROWS * sizeof *array);
  use(array);
  munmap(requests, 4096);
  close(queue);
}

int main(void) {
  use_beside_thread(early);
  print_nodes("early", early, sizeof early);

  memset(cleared, 0, sizeof cleared);
  memset(partly, 0, sizeof partly);
  for (int i = 0; i < ROWS * 40 / PAGES; i++)
    partly[i] = i + 1;
  use(cleared);
  use(partly);
  print_nodes("cleared", cleared, sizeof cleared);
  print_nodes("partly", partly, sizeof partly);

  memset(late, 0, sizeof late);
  use(late);
  print_nodes("late", late, sizeof late);

  use_beside_thread(watched);
  print_nodes("watched", watched, sizeof watched);
  use_beside_queue(asked);
  print_nodes("asked", asked, sizeof asked);

  int wrong = count_wrong(early, 0) + count_wrong(cleared, 0) + count_wrong(partly, 40) +
              count_wrong(late, 0) + count_wrong(watched, 0) + count_wrong(asked, 0);
  printf("contents lost: %d\n", wrong);
  return 0;
}
