/* Tasks without a function, which LLVM's run-time takes for their dependences, between others. */
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TIED = 1, TASK_BYTES = 48, READ = 1, REPEATS = 200 };

struct dependence {
  size_t address;
  size_t bytes;
  unsigned char kind;
};

int32_t __kmpc_global_thread_num(void *location);
void *__kmpc_omp_task_alloc(void *location, int32_t thread, int32_t flags, size_t bytes,
                            size_t shared_bytes, void *entry);
int32_t __kmpc_omp_task_with_deps(void *location, int32_t thread, void *task, int32_t count,
                                  struct dependence *list, int32_t other_count, void *other_list);

static void *location(void) {
  static struct {
    int32_t numbers[4];
    const char *source;
  } here = {{0, 2, 0, 0}, ";no-function.c;location;1;1;;"};
  return &here;
}

static void make_nothing(const int *after) {
  int32_t thread = __kmpc_global_thread_num(location());
  void *task = __kmpc_omp_task_alloc(location(), thread, TIED, TASK_BYTES, 0, NULL);
  struct dependence list = {(size_t)after, sizeof *after, READ};
  __kmpc_omp_task_with_deps(location(), thread, task, 1, &list, 0, NULL);
}

int main(void) {
  int number = 0, done = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < REPEATS; i++) {
#pragma omp task depend(inout : number) shared(number)
    number++;
    make_nothing(&number);
#pragma omp task shared(done)
#pragma omp atomic
    done++;
  }
  printf("%d and %d of %d\n", number, done, REPEATS);
}
