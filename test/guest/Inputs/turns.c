// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// turns <command>...  runs a command in a guest whose time is the number of instructions.  In QEMU 7.2 a CPU's turn lasts until the
// next timer of any device, or until it pauses.  So a timer ticks every 5 microseconds.  A CPU with nothing to do would leave its
// share of time to the others: each has a loop of lowest priority, which pauses like programs that are built with bench/task_turns.c.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/io.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

// The old timer of PCs ticks, and interrupts nobody.
static bool start_ticking(void) {
  enum { IO_APIC = 0xfec00000, VALUE = 4, FIRST_PIN = 0x10, TIMER_PIN = 2, MASKED = 1 << 16 };
  enum {
    COUNTER = 0x40,
    CONTROL = 0x43,
    SQUARE_WAVE = 0x36,
    CYCLES = 12
  }; // of 0.84 us; each half ends a turn
  int memory = open("/dev/mem", O_RDWR | O_SYNC);
  volatile uint32_t *words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, IO_APIC);
  if (words == MAP_FAILED || ioperm(COUNTER, 4, 1) != 0)
    return false;
  words[0] = FIRST_PIN + 2 * TIMER_PIN;
  words[VALUE] = MASKED;
  outb(SQUARE_WAVE, CONTROL);
  outb(CYCLES, COUNTER);
  outb(0, COUNTER);
  return true;
}

enum { INSTRUCTIONS = 2000 }; // a turn

static void use_up_time(void) {
  for (;;) {
    for (unsigned i = INSTRUCTIONS / 2; i > 0; i--)
      __asm__ volatile("");
    __asm__ volatile("pause");
  }
}

static void keep_busy(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (fork() != 0)
    return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (sched_setaffinity(0, sizeof set, &set) == 0 &&
      sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0}) == 0)
    use_up_time();
  _exit(EXIT_FAILURE);
}

// The command takes this process's place, and its loops end with it.
int main(int count, char **words) {
  cpu_set_t cpus;
  if (count < 2 || !start_ticking() || sched_getaffinity(0, sizeof cpus, &cpus) != 0)
    return EXIT_FAILURE;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &cpus))
      keep_busy(cpu);
  execvp(words[1], words + 1);
  perror(words[1]);
  return 127;
}
