/* Tasks with the clause affinity in its forms. Says what mai_task_near() hears, which is defined here. */
#include <stddef.h>
#include <stdio.h>

enum { N = 64 };

static double data[N], table[4][8];
static struct {
  int tag;
  double parts[4];
} record;
static int counted, done;

int mai_task_near(const void *memory, size_t bytes);
int mai_task_near(const void *memory, size_t bytes) {
  const char *at = memory;
  if (at >= (char *)data && at < (char *)(data + N))
    printf("data+%td: %zu\n", (at - (char *)data) / 8, bytes);
  else if (at >= (char *)table && at < (char *)(table + 4))
    printf("table+%td: %zu\n", (at - (char *)table) / 8, bytes);
  else if (at >= (char *)&record && at < (char *)(&record + 1))
    printf("record+%td: %zu\n", at - (char *)&record, bytes);
  else
    printf("elsewhere: %zu\n", bytes);
  return 0;
}

static int count(int number) {
  counted++;
  return number;
}

static void run(void) {
#pragma omp atomic
  done++;
}

static void make_tasks(double *pointer, int i, int n, int first) {
  puts("a statement:");
  if (first)
#pragma omp task affinity(pointer[i : n])
    run();
  else
#pragma omp task affinity(pointer[0 : 1])
    run();
  puts("several:");
#pragma omp task affinity(table[i][2 : n]) affinity(data) affinity(record.parts[1])
  run();
  puts("iterators:");
#pragma omp task affinity(iterator(k = 0 : 2, long l = 2 : 0 : -1) : table[k][l])
  run();
#pragma omp task affinity(iterator(double *p = pointer : pointer + 2) : *p)
  run();
  puts("a task in a task:");
#pragma omp task affinity(pointer[1 : 1])
  {
    run();
#pragma omp task affinity(pointer[count(2) : count(n)])
    run();
  }
#pragma omp taskwait
  puts("the stack:");
  double own[4] = {0};
#pragma omp task affinity(own[0 : 2], i) firstprivate(own)
  counted += (int)own[0];
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  make_tasks(data, 3, 4, 1);
  printf("%d run, %d counted\n", done, counted);
}
