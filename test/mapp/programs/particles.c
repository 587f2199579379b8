/* Molecular dynamics: particles as a struct of arrays, neighbour lists, forces by pairs, cells.

   RUN: %{try} %{program}
   PLACE: MAPP001 atoms.x: block
   PLACE: MAPP001 atoms.v: block
   PLACE: MAPP001 atoms.f: block
   PLACE: MAPP001 atoms.type: block
   HEAP: MAPP068 atoms.x: left alone: it is a member of a struct
   HEAP: MAPP068 atoms.v: left alone: it is a member of a struct
   HEAP: MAPP068 atoms.f: left alone: it is a member of a struct
   HEAP: MAPP068 atoms.type: left alone: it is a member of a struct
   CHECK: MAPP001 neighbours: block
   CHECK: MAPP001 count: block: elements follow index i of the parallel loop in forces(); less often, schedule(dynamic) distributes its elements in lists()
   CHECK: MAPP121 cell: left alone: one thread writes it first, in lists()
   CHECK: MAPP001 energy: block
   CHECK: MAPP121 table: left alone: one thread writes it first, in main()
   CHECK: 1 array smaller than 4096 bytes left alone
*/
#include <stdio.h>
#include <string.h>
#define N 1500
#define NEIGHBOURS 12
#define CELLS 64
static struct particles {
  int n;
  double x[N][3], v[N][3], f[N][3];
  int type[N];
} atoms;
static int neighbours[N][NEIGHBOURS], count[N], cell[CELLS][64], filled[CELLS];
static double energy[N], table[1024];

static void lists(struct particles *p) {
  memset(filled, 0, sizeof filled);
  for (int i = 0; i < p->n; i++) {
    const int c = i % CELLS;
    cell[c][filled[c]++] = i;
  }
#pragma omp parallel for schedule(monotonic : dynamic, 16)
  for (int i = 0; i < p->n; i++) {
    const int c = i % CELLS;
    count[i] = 0;
    for (int k = 0; k < filled[c] && count[i] < NEIGHBOURS; k++)
      if (cell[c][k] != i)
        neighbours[i][count[i]++] = cell[c][k];
  }
}

static void forces(struct particles *p) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < p->n; i++) {
    double sum[3] = {0}, e = 0;
    for (int k = 0; k < count[i]; k++) {
      const int j = neighbours[i][k];
      for (int d = 0; d < 3; d++) {
        const double difference = p->x[i][d] - p->x[j][d];
        sum[d] += difference * table[(int)(difference * difference) & 1023];
        e += difference * difference;
      }
    }
    for (int d = 0; d < 3; d++)
      p->f[i][d] = sum[d];
    energy[i] = e + p->type[i];
  }
}

static void move(struct particles *restrict p, double dt) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < p->n; i++)
    for (int d = 0; d < 3; d++) {
      p->v[i][d] += dt * p->f[i][d];
      p->x[i][d] += dt * p->v[i][d];
    }
}

int main(void) {
  double sum = 0;
  atoms.n = N;
  for (int k = 0; k < 1024; k++)
    table[k] = 1.0 / (k + 1);
  for (int i = 0; i < N; i++) {
    atoms.type[i] = i % 4;
    for (int d = 0; d < 3; d++)
      atoms.x[i][d] = i * (d + 1) % 97;
  }
  lists(&atoms);
  for (int step = 0; step < 3; step++) {
    forces(&atoms);
    move(&atoms, 0.01);
  }
  for (int i = 0; i < N; i++)
    sum += atoms.x[i][1] + energy[i];
  printf("%.8g\n", sum);
  return 0;
}
