/*===-- compat-machine.c - what the original tells of the machine *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <mai.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

static unsigned long page_of(const double *element) { return (unsigned long)element & ~4095UL; }

int main(void) {
  mai_init(NULL);
  printf("nodes %d of %d, CPUs %d of %d, threads %d, check %d\n", mai_get_num_nodes(),
         mai_get_maxnodes(), mai_get_num_cpu(), mai_get_maxcpus(), mai_get_num_threads(),
         numa_check());
  mai_show_nodes();
  mai_show_cpus();
  mai_print_threadcpus();
  printf("factor %.1f %.1f %.1f\n", mai_numafactor(0, 0), mai_numafactor(0, 1),
         mai_numafactor(0, 77));

  double **matrix = (double **)mai_alloc_2D(16, 2048, sizeof(double), DOUBLE);
  mai_bind_rows(matrix);
  for (int i = 0; i < 16; i++)
    memset(matrix[i], 1, 2048 * sizeof(double));
  unsigned long pages[] = {page_of(&matrix[2][1024]), page_of(&matrix[13][1024]), 4096};
  printf("page %d, page %d, misplaced %d\n", mai_where((void *)pages[0]),
         mai_where((void *)pages[1]), mai_number_page_migration(pages, 3));
  mai_arraynodes(matrix);
  mai_mempol(matrix);
  printf("some time: %d\n", mai_get_time_pmigration() > 0);

  mai_migrate_thread(getpid(), 3);
  printf("CPU %d\n", sched_getcpu());
  mai_bind_thread_posix(getpid());
  printf("CPU %d\n", sched_getcpu());
  mai_bind_thread_posix(getpid());
  printf("CPU %d\n", sched_getcpu());
#pragma omp parallel
  mai_barrier();
  mai_free_array(matrix);
  return 0;
}
