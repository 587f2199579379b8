/*===-- rights.c - what the kernel lets this process do -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Containers forbid the system calls for memory policies unless they are started with CAP_SYS_NICE,
 * and samples unless with CAP_PERFMON.
 */
#include "doctor.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/system.h"

static const char let_it[] =
    "docker or podman run --cap-add SYS_NICE, or another seccomp profile; threads are pinned "
    "anyway, where that is allowed";

/* The errno with which the kernel refuses to place a page; 0: it does not. */
static int refuses_placing(void *page, size_t bytes) {
  return minas_system(SYS_mbind, (long)page, (long)bytes, MPOL_LOCAL, 0, 0, 0) == 0 ? 0 : errno;
}

static int refuses_moving(void *page) {
  int node = -1;
  return minas_system(SYS_move_pages, 0, 1, (long)&page, 0, (long)&node, 0) == 0 ? 0 : errno;
}

static int refuses_pinning(void) {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0)
    return errno == EINVAL ? 0 : errno; /* more CPUs than that set has room for */
  return sched_setaffinity(0, sizeof cpus, &cpus) == 0 ? 0 : errno;
}

/* By the timer, of this process, as kernel.perf_event_paranoid up to 2 lets everybody. */
static int refuses_sampling(void) {
  struct perf_event_attr timer = {.type = PERF_TYPE_SOFTWARE,
                                  .size = sizeof timer,
                                  .config = PERF_COUNT_SW_CPU_CLOCK,
                                  .disabled = 1,
                                  .exclude_kernel = 1,
                                  .exclude_hv = 1};
  long file = minas_system(SYS_perf_event_open, (long)&timer, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
  if (file < 0)
    return errno;
  close((int)file);
  return 0;
}

static void find_no_sampling(struct doctor *doctor, int sampling) {
  if (sampling && !doctor_is_paranoid(doctor))
    doctor_find(doctor, "no-sampling",
                "docker or podman run --cap-add PERFMON, or another seccomp profile; "
                "maicc --trace counts without",
                "no program can be sampled: perf_event_open() is refused (%s)", strerror(sampling));
}

static void find_refused(struct doctor *doctor, int placing, int moving, int pinning) {
  if (placing == ENOSYS)
    doctor_find(doctor, "no-placement", "run a kernel with CONFIG_NUMA",
                "the kernel has no calls to place memory");
  else if (placing)
    doctor_find(doctor, "no-placement", let_it, "no memory can be placed: mbind() is refused (%s)",
                strerror(placing));
  if (moving && moving != ENOSYS)
    doctor_find(doctor, "no-moving", let_it,
                "nobody can tell where pages are: move_pages() is refused (%s)", strerror(moving));
  if (pinning)
    doctor_find(doctor, "no-pinning", "another seccomp profile of the container",
                "no thread can be pinned: sched_setaffinity() is refused (%s)", strerror(pinning));
}

void doctor_look_at_rights(struct doctor *doctor) {
  size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
  if (*doctor->root) /* the machine that is described is not this one */
    return;
  void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return;
  int placing = refuses_placing(page, bytes), moving = refuses_moving(page);
  int pinning = refuses_pinning(), sampling = refuses_sampling();
  munmap(page, bytes);
  doctor_tell(doctor, "rights", "placing %s, asking for pages %s, pinning %s, sampling %s",
              placing ? "refused" : "allowed", moving ? "refused" : "allowed",
              pinning ? "refused" : "allowed", sampling ? "refused" : "allowed");
  find_refused(doctor, placing, moving, pinning);
  find_no_sampling(doctor, sampling);
}
