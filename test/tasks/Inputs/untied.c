/* Untied tasks that make others, wait for them and are interrupted, some run at once: each waits for its own. */
#include <stdio.h>

enum { REGIONS = 20, PARENTS = 4, CHILDREN = 16, GRANDCHILDREN = 3 };

static int children, grandchildren, wrong;

static void count(int *number) {
#pragma omp atomic
  ++*number;
}

static void make_grandchildren(void) {
  int mine = 0;
  for (int i = 0; i < GRANDCHILDREN; i++) {
#pragma omp task untied shared(mine)
    {
      count(&grandchildren);
      count(&mine);
    }
  }
#pragma omp taskwait
  if (mine != GRANDCHILDREN)
    count(&wrong);
}

static void make_tasks(void) {
  for (int parent = 0; parent < PARENTS; parent++) {
#pragma omp task if (parent > 1) untied
    {
      int mine = 0;
      for (int child = 0; child < CHILDREN; child++) {
#pragma omp task if (parent != 3) untied shared(mine)
        {
          count(&children);
          count(&mine);
#pragma omp taskyield
          make_grandchildren();
        }
      }
#pragma omp taskwait
      if (mine != CHILDREN)
        count(&wrong);
    }
  }
}

int main(void) {
  for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel
#pragma omp single
    make_tasks();
  }
  printf("%d of %d, %d of %d, wrong: %d\n", children, REGIONS * PARENTS * CHILDREN, grandchildren,
         REGIONS * PARENTS * CHILDREN * GRANDCHILDREN, wrong);
}
