/* Makes tasks, then a detached one, then others. */
#include <omp.h>
#include <stdio.h>

static int done;

static void make_tasks(void) {
  for (int i = 0; i < 20; i++)
#pragma omp task
  {
#pragma omp atomic
    done++;
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
    make_tasks();
#pragma omp task detach(event)
    {
#pragma omp atomic
      done++;
    }
    omp_fulfill_event(event);
    make_tasks();
  }
  printf("%d done\n", done);
  return done != 41;
}
