/*===-- samples.c - what threads access, by a clock -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "samples.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

#include "instructions.h"
#include "mai/process/restrictions.h"
#include "runtime/fail.h"
#include "runtime/heap.h"
#include "runtime/own_memory.h"
#include "runtime/system.h"

/* Pages of samples that are not read yet; a page has twenty. */
enum { RING_PAGES = 4 };

/* Code is read so much at a time, and what its instructions access is kept. */
enum { WINDOW = 256, KEPT = 256 };

struct ring {
  int file; /* -1: the thread has ended */
  void *memory;
};

/* What the instructions at an address access. */
struct known {
  uintptr_t instruction;
  size_t count;
  struct mai_operand operands[MAI_MOST_OPERANDS];
};

struct mai_samples {
  int memory; /* the program's own */
  size_t page_size;
  uintptr_t window; /* the address of ... */
  unsigned char code[WINDOW];
  struct known known[KEPT];
  unsigned count;
  struct ring rings[];
};

/*===-- Registers ----------------------------------------------------------===*/

#ifdef __x86_64__
#include <asm/perf_regs.h>

enum { ASKED = MAI_REGISTERS };

/* By the numbers that instructions have for them. */
static const unsigned char asked[ASKED] = {
    PERF_REG_X86_AX,  PERF_REG_X86_CX,  PERF_REG_X86_DX,  PERF_REG_X86_BX,
    PERF_REG_X86_SP,  PERF_REG_X86_BP,  PERF_REG_X86_SI,  PERF_REG_X86_DI,
    PERF_REG_X86_R8,  PERF_REG_X86_R9,  PERF_REG_X86_R10, PERF_REG_X86_R11,
    PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14, PERF_REG_X86_R15};
#else
enum { ASKED = 0 };
static const unsigned char asked[1] = {0};
#endif

static uint64_t mask(void) {
  uint64_t mask = 0;
  for (unsigned i = 0; i < ASKED; i++)
    mask |= 1ULL << asked[i];
  return mask;
}

/* The kernel tells them in the order of its own numbers. */
static void sort_registers(const uint64_t *told, uint64_t *registers) {
  for (unsigned i = 0; i < ASKED; i++)
    registers[i] = told[__builtin_popcountll(mask() & ((1ULL << asked[i]) - 1))];
}

/*===-- Events -------------------------------------------------------------===*/

static int open_event(uint32_t thread, uint64_t period) {
  struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                  .size = sizeof event,
                                  .config = PERF_COUNT_SW_CPU_CLOCK,
                                  .sample_period = period,
                                  .sample_type =
                                      PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER,
                                  .sample_regs_user = mask(),
                                  .exclude_kernel = 1,
                                  .exclude_hv = 1,
                                  .use_clockid = 1,
                                  .clockid = CLOCK_MONOTONIC};
  return (int)minas_system(SYS_perf_event_open, (long)&event, (long)thread, -1, -1,
                           PERF_FLAG_FD_CLOEXEC, 0);
}

int mai_samples_probe(void) {
  if (!mai_survives(MAI_CALLS_OF_SAMPLING))
    return EPERM;
  int file = ASKED ? open_event(0, 1000000000) : fail(ENOSYS);
  if (file < 0)
    return errno;
  minas_close(file);
  return 0;
}

static size_t ring_bytes(const struct mai_samples *samples) {
  return (1 + RING_PAGES) * samples->page_size;
}

/* @return 0, or -1 with errno */
static int begin_ring(const struct mai_samples *samples, struct ring *ring, uint32_t thread,
                      uint64_t period) {
  ring->file = open_event(thread, period);
  if (ring->file < 0)
    return -1;
  long memory = minas_system(SYS_mmap, 0, (long)ring_bytes(samples), PROT_READ | PROT_WRITE,
                             MAP_SHARED, ring->file, 0);
  if (memory != -1) {
    ring->memory = (void *)memory;
    return 0;
  }
  minas_close(ring->file);
  ring->file = -1;
  return -1;
}

static void end_ring(const struct mai_samples *samples, const struct ring *ring) {
  if (ring->file < 0)
    return;
  minas_system(SYS_munmap, (long)ring->memory, (long)ring_bytes(samples), 0, 0, 0, 0);
  minas_close(ring->file);
}

/* @return how many threads are looked at */
static unsigned begin_rings(struct mai_samples *samples, const uint32_t *threads, unsigned count,
                            uint64_t period) {
  unsigned begun = 0;
  samples->count = count;
  for (unsigned i = 0; i < count; i++)
    begun += begin_ring(samples, &samples->rings[i], threads[i], period) == 0;
  return begun;
}

struct mai_samples *mai_samples_begin(const uint32_t *threads, unsigned count, uint64_t period) {
  struct mai_samples *samples = minas_alloc(sizeof *samples + count * sizeof *samples->rings);
  if (!samples)
    return NULL;
  samples->page_size = (size_t)sysconf(_SC_PAGESIZE);
  samples->memory = minas_own_memory_open();
  if (samples->memory >= 0 && begin_rings(samples, threads, count, period) > 0)
    return samples;
  int error = errno;
  mai_samples_end(samples);
  errno = error;
  return NULL;
}

void mai_samples_end(struct mai_samples *samples) {
  if (!samples)
    return;
  for (unsigned i = 0; i < samples->count; i++)
    end_ring(samples, &samples->rings[i]);
  if (samples->memory >= 0)
    minas_close(samples->memory);
  minas_free(samples);
}

/*===-- The program's code -------------------------------------------------===*/

static int code_byte(void *context, uintptr_t address) {
  struct mai_samples *samples = context;
  uintptr_t window = address / WINDOW * WINDOW;
  if (window != samples->window) {
    samples->window = 0;
    if (!minas_own_memory_read(samples->memory, window, samples->code, WINDOW))
      return -1;
    samples->window = window;
  }
  return samples->code[address - window];
}

static const struct known *know(struct mai_samples *samples, uintptr_t instruction) {
  struct known *known = &samples->known[instruction % KEPT];
  if (known->instruction != instruction) {
    known->instruction = instruction;
    known->count =
        mai_operands_at(&(struct mai_code){code_byte, samples}, instruction, known->operands);
  }
  return known;
}

/*===-- Samples ------------------------------------------------------------===*/

struct record {
  struct perf_event_header header;
  uint64_t instruction;
  uint64_t when;            /* nanoseconds */
  uint64_t registers_known; /* PERF_SAMPLE_REGS_ABI_* */
  uint64_t registers[ASKED ? ASKED : 1];
};

/* Bytes of a ring that may begin again within them. */
static void copy(const struct mai_samples *samples, const struct ring *ring, uint64_t at, void *to,
                 size_t bytes) {
  const char *data = (const char *)ring->memory + samples->page_size;
  size_t size = RING_PAGES * samples->page_size;
  size_t begin = at % size;
  size_t first = bytes < size - begin ? bytes : size - begin;
  memcpy(to, data + begin, first);
  memcpy((char *)to + first, data, bytes - first);
}

typedef void visit_t(void *context, const struct mai_seen *seen);

static void tell(struct mai_samples *samples, unsigned thread, const struct record *record,
                 visit_t *visit, void *context) {
  const struct known *known = know(samples, record->instruction);
  uint64_t registers[MAI_REGISTERS] = {0};
  uintptr_t addresses[MAI_MOST_OPERANDS];
  sort_registers(record->registers, registers);
  for (size_t i = 0; i < known->count; i++)
    addresses[i] = mai_operand_address(&known->operands[i], registers);
  const struct mai_seen seen = {.thread = thread,
                                .when = 1e-9 * (double)record->when,
                                .addresses = addresses,
                                .count = known->count};
  visit(context, &seen);
}

static bool is_sample(const struct record *record) {
  return record->header.type == PERF_RECORD_SAMPLE && record->header.size == sizeof *record &&
         record->registers_known == PERF_SAMPLE_REGS_ABI_64;
}

/* What is behind the smallest record is not read before it is known to be there. */
static size_t read_ring(struct mai_samples *samples, unsigned thread, visit_t *visit,
                        void *context) {
  const struct ring *ring = &samples->rings[thread];
  struct perf_event_mmap_page *state = ring->memory;
  uint64_t end = __atomic_load_n(&state->data_head, __ATOMIC_ACQUIRE);
  uint64_t at = state->data_tail;
  size_t count = 0;
  while (end - at >= sizeof(struct perf_event_header)) {
    struct record record = {.header = {0}};
    copy(samples, ring, at, &record.header, sizeof record.header);
    if (record.header.size < sizeof record.header || record.header.size > end - at)
      break;
    if (record.header.size == sizeof record)
      copy(samples, ring, at, &record, sizeof record);
    if (is_sample(&record)) {
      tell(samples, thread, &record, visit, context);
      count++;
    }
    at += record.header.size;
  }
  __atomic_store_n(&state->data_tail, end, __ATOMIC_RELEASE);
  return count;
}

size_t mai_samples_read(struct mai_samples *samples, visit_t *visit, void *context) {
  size_t count = 0;
  for (unsigned i = 0; i < samples->count; i++)
    if (samples->rings[i].file >= 0)
      count += read_ring(samples, i, visit, context);
  return count;
}

void mai_samples_set_period(const struct mai_samples *samples, uint64_t period) {
  for (unsigned i = 0; i < samples->count; i++)
    if (samples->rings[i].file >= 0)
      minas_system(SYS_ioctl, samples->rings[i].file, PERF_EVENT_IOC_PERIOD, (long)&period, 0, 0,
                   0);
}

void mai_samples_skip(struct mai_samples *samples) {
  for (unsigned i = 0; i < samples->count; i++) {
    struct perf_event_mmap_page *state = samples->rings[i].memory;
    if (samples->rings[i].file >= 0)
      __atomic_store_n(&state->data_tail, __atomic_load_n(&state->data_head, __ATOMIC_ACQUIRE),
                       __ATOMIC_RELEASE);
  }
}
