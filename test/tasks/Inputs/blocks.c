/* Sums the blocks of an array by tasks, in the way that the arguments name, one after the other:
   learned, near, on, affinity (which gcc drops, but for maicc), loop, inherited, own (the data are not placed), plain (as own, nothing is said). */
#include <stdio.h>
#include <string.h>

#include <mai.h>
#include <omp.h>

enum { BLOCKS = 256, SIZE = 4096 };

static double *data;
static double sum;

static void add(const double *block) {
  double part = 0;
  for (int i = 0; i < SIZE; i++)
    part += block[i];
#pragma omp atomic
  sum += part;
}

static void make_task(const char *way, int block) {
  const double *begin = data + (long)block * SIZE;
  if (strcmp(way, "near") == 0)
    mai_task_near(begin, SIZE * sizeof *begin);
  if (strcmp(way, "on") == 0)
    mai_task_on((unsigned)block % 4);
  if (strcmp(way, "learned") == 0) {
#pragma omp task firstprivate(begin)
    add(begin);
  } else if (strcmp(way, "affinity") == 0) {
#pragma omp task firstprivate(block) affinity(begin[0 : SIZE])
    add(data + (long)block * SIZE);
  } else {
#pragma omp task firstprivate(block)
    add(data + (long)block * SIZE);
  }
}

static void make_tasks(const char *way) {
  if (strcmp(way, "loop") == 0) {
    const double *all = data;
#pragma omp taskloop firstprivate(all) num_tasks(BLOCKS)
    for (int block = 0; block < BLOCKS; block++)
      add(all + (long)block * SIZE);
  } else if (strcmp(way, "inherited") == 0) {
    for (int first = 0; first < BLOCKS; first += BLOCKS / 16) {
      mai_task_near(data + (long)first * SIZE, sizeof *data);
#pragma omp task firstprivate(first)
      for (int block = first; block < first + BLOCKS / 16; block++)
        make_task(way, block);
    }
  } else {
    for (int block = 0; block < BLOCKS; block++)
      make_task(way, block);
  }
}

int main(int count, char **ways) {
  data = mai_alloc((size_t)BLOCKS * SIZE, sizeof *data, "block", "data");
  if (!data)
    return 1;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < BLOCKS * SIZE; i++)
    data[i] = 1;
  for (int i = 1; i < count; i++) {
    sum = 0;
#pragma omp parallel
#pragma omp single
    make_tasks(ways[i]);
    printf("%s: %.0f of %d\n", ways[i], sum, BLOCKS * SIZE);
  }
  mai_free(data);
}
