/* Threads allocate and free blocks in every way, fork and trim meanwhile; what each block has is checked. */
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef FORKS
#define FORKS 1
#endif
enum { THREADS = 4, HELD = 12, STEPS = 10000, LEAST = 70000, STRIDE = 997, SIZES = 8 };

struct block {
  unsigned char *bytes;
  size_t size;
  unsigned seed;
};

static atomic_int wrong;

static unsigned char value(const struct block *block, size_t at) {
  return (unsigned char)(((uintptr_t)block->bytes >> 12) ^ block->seed ^ at);
}

static void fill(struct block *block, unsigned seed) {
  block->seed = seed;
  for (size_t i = 0; i < block->size; i += STRIDE)
    block->bytes[i] = value(block, i);
}

static void check(const struct block *block) {
  for (size_t i = 0; i < block->size; i += STRIDE)
    wrong += block->bytes[i] != value(block, i);
}

static unsigned char *zeroed(size_t size) {
  unsigned char *bytes = calloc(size, 1);
  for (size_t i = 0; i < size; i += STRIDE)
    wrong += bytes[i] != 0;
  return bytes;
}

static void *aligned(size_t size) {
  void *block = NULL;
  wrong += posix_memalign(&block, 1 << 16, size) != 0 || (uintptr_t)block % (1 << 16) != 0;
  return block;
}

static void *allocate(unsigned way, size_t size) {
  switch (way % 4) {
  case 0:
    return malloc(size);
  case 1:
    return zeroed(size);
  case 2:
    return aligned(size);
  default:
    return realloc(malloc(size / 2), size);
  }
}

static void begin(struct block *block, unsigned drawn) {
  block->size = LEAST + (drawn >> 10) % SIZES * 40000;
  block->bytes = allocate(drawn >> 16, block->size);
  wrong += malloc_usable_size(block->bytes) < block->size;
  fill(block, drawn);
}

static void end(struct block *block) {
  check(block);
  free(block->bytes);
  block->bytes = NULL;
}

static void grow(struct block *block) {
  check(block);
  block->size += block->size / 2;
  block->bytes = realloc(block->bytes, block->size);
  fill(block, block->seed);
}

static void end_all(struct block *held) {
  for (int i = 0; i < HELD; i++)
    if (held[i].bytes)
      end(&held[i]);
}

/* A child has the blocks of the thread that has forked it, and may go on. */
static void fork_child(struct block *held) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    end_all(held);
    for (unsigned i = 0; i < 100; i++)
      begin(&held[i % HELD], i << 10), end(&held[i % HELD]);
    _exit(wrong != 0);
  }
  wrong += waitpid(child, &status, 0) != child || status != 0;
}

static void *run(void *argument) {
  unsigned seed = *(unsigned *)argument;
  struct block held[HELD] = {{NULL, 0, 0}};
  for (int i = 0; i < STEPS; i++) {
    unsigned drawn = (unsigned)rand_r(&seed);
    struct block *block = &held[drawn % HELD];
    if (!block->bytes)
      begin(block, drawn);
    else if ((drawn >> 8) % 5 == 0 && block->size < 1 << 20)
      grow(block);
    else
      end(block);
    if (FORKS && i % 2500 == 0)
      fork_child(held), malloc_trim(0);
  }
  end_all(held);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  unsigned seeds[THREADS];
  for (unsigned i = 0; i < THREADS; i++) {
    seeds[i] = i;
    pthread_create(&threads[i], NULL, run, &seeds[i]);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("wrong: %d\n", wrong);
  return wrong != 0;
}
