/* Threads reach points through pointers in random order: each page holds points of all threads.

   verdict: scattered points
   cure: order|sort
 */
#include <stdlib.h>

enum { N = 1 << 14, ROUNDS = 10 };
struct point {
  double x, y, z, mass, rest[4];
};
static struct point *order[N];

int main(void) {
  struct point *points = malloc(N * sizeof *points);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    points[i] = (struct point){i, i, i, 1, {0}};
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    order[i] = &points[(i * 9973U + 5) % N];
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++) {
      order[i]->x += order[i]->mass;
      order[i]->y += order[i]->mass;
    }
  const int wrong = points[1].x < 0;
  free(points);
  return wrong;
}
