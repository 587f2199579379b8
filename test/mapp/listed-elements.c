/* Threads share out a list of the elements that are in use, and each of these is long: the array is divided as far as it is filled, since
   lists tell elements in their order, of which there are fewer than there is room for. A few numbers of an element anywhere say nothing.

   RUN: mapp-rewrite %s 2>&1 | grep -v CHECK | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { Side = 12, Room = 900, Used = 700, Points = 50000 };

struct tile {
  int active;
  double heat[Side][Side], next[Side][Side];
};

static int active[Room], of[Points];
// CHECK-DAG: place: cyclic on threads: indexed indirectly by of in sum()
static double place[3 * Points];

static void relax(struct tile *tiles, int count) {
#pragma omp parallel for
  for (int a = 0; a < count; a++) {
    struct tile *t = &tiles[active[a]];
    for (int j = 1; j < Side - 1; j++)
      for (int i = 1; i < Side - 1; i++)
        t->next[j][i] =
            0.25 * (t->heat[j - 1][i] + t->heat[j + 1][i] + t->heat[j][i - 1] + t->heat[j][i + 1]);
  }
}

static double sum(void) {
  double all = 0;
#pragma omp parallel for reduction(+ : all)
  for (int p = 0; p < Points; p++)
    for (int k = 0; k < 3; k++)
      all += place[3 * of[p] + k];
  return all;
}

int main(void) {
  // CHECK-DAG: tiles: block filled: indexed indirectly by active in relax()
  struct tile *tiles = calloc(Room, sizeof *tiles);
  int count = 0;
  for (int t = 0; t < Used; t++) {
    tiles[t].active = t % 5 != 0;
    for (int c = 0; c < Side * Side; c++)
      tiles[t].heat[c / Side][c % Side] = t + c;
    if (tiles[t].active)
      active[count++] = t;
  }
  for (int p = 0; p < Points; p++)
    place[3 * p] = of[p] = p * 7 % Points;
  double all = 0;
  for (int step = 0; step < 20; step++) {
    relax(tiles, count);
    all += sum();
  }
  printf("%g %g\n", tiles[77].next[3][4], all);
  free(tiles);
  return 0;
}
