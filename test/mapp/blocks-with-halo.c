/* A block is larger than what loops go over, as for the halo of a mesh: what they go to is in the struct that tells the size, too.  Of a number
   that changes as the program runs nothing is known when the block is allocated: what it holds by the first region is divided.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

struct mesh {
  int cells, with_halo, in_use;
  double *pressure, *marker;
};

static void measure(struct mesh *mesh, int n) {
  mesh->cells = n * n;
  mesh->with_halo = (n + n) * (n + n);
  mesh->in_use = 1;
}

static void allocate(struct mesh *mesh) {
  // CHECK: {{^\+}}  mesh->pressure = MAI_PLACED_NEW({{.*}}, "block", 0, (unsigned long)(mesh->cells) /* mapp: elements follow index i
  mesh->pressure = malloc(mesh->with_halo * sizeof *mesh->pressure);
  // CHECK: {{^\+}}  mesh->marker = MAI_PLACED_NEW({{.*}}, "block filled" /* mapp: elements follow index i
  mesh->marker = malloc(mesh->with_halo * sizeof *mesh->marker);
  for (int i = 0; i < mesh->with_halo; i++)
    mesh->pressure[i] = mesh->marker[i] = i % 5;
}

static void step(struct mesh *mesh) {
#pragma omp parallel for
  for (int i = 0; i < mesh->cells; i++)
    mesh->pressure[i] *= 1.5;
#pragma omp parallel for
  for (int i = 0; i < mesh->in_use; i++)
    mesh->marker[i] += 1;
  mesh->in_use++;
}

int main(int argc, char **argv) {
  struct mesh mesh;
  measure(&mesh, argc > 1 ? atoi(argv[1]) : 300);
  allocate(&mesh);
  for (int i = 0; i < 50; i++)
    step(&mesh);
  printf("%g %g\n", mesh.pressure[77], mesh.marker[3]);
  free(mesh.pressure);
  free(mesh.marker);
  return 0;
}
