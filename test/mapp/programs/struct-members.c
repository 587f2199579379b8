/* Arrays inside of structs: of a nameless type, through a pointer to the struct, in an array of structs, in a
   struct in a struct, behind an odd offset, in a packed one, before a flexible member.

   RUN: %{try} %{program}
   PLACE: MAPP001 state.u: block
   PLACE: MAPP005 state.v: cyclic on threads: index i of the parallel loop in main() drives dimension 2
   PLACE: MAPP001 state.part.deep: block
   PLACE: MAPP002 state.part.inner.deeper: block, 0, 5000
   PLACE: MAPP001 sys.particles: block
   PLACE: MAPP004 sys.energy: block by columns: index i of the parallel loop in main() drives dimension 2
   PLACE: MAPP001 packed.odd: block
   PLACE: MAPP001 open.counted: block
   PLACE: MAPP005 many: cyclic on threads: index i of the parallel loop in main() does not drive its slowest index
   HEAP: MAPP068 state.u: left alone: it is a member of a struct
   HEAP: MAPP068 state.v: left alone: it is a member of a struct
   HEAP: MAPP068 state.part.deep: left alone: it is a member of a struct
   HEAP: MAPP068 state.part.inner.deeper: left alone: it is a member of a struct
   HEAP: MAPP068 sys.particles: left alone: it is a member of a struct
   HEAP: MAPP068 sys.energy: left alone: it is a member of a struct
   HEAP: MAPP068 packed.odd: left alone: it is a member of a struct
   HEAP: MAPP068 open.counted: left alone: it is a member of a struct
   HEAP: MAPP056 many: left alone: its declaration is not of the form `static type name[...]`
*/
#include <stddef.h>
#include <stdio.h>
static struct {
  int n;
  double u[64][64], v[64][64];
  struct {
    float deep[5000];
    struct {
      short deeper[9000];
    } inner;
  } part;
  char end;
} state;
struct particle {
  double position[3];
  struct {
    int id;
    double history[4];
  } meta;
};
static struct system {
  char odd;
  struct particle particles[1000];
  double energy[2][3000];
} sys, *const here = &sys;
static struct {
  char c;
  double odd[700];
} __attribute__((packed)) packed;
static struct {
  double counted[1000];
  double flexible[];
} open;
static struct {
  double r[5000];
} many[2];

int main(void) {
  double sum = 0;
  state.n = 64;
#pragma omp parallel for
  for (int i = 0; i < state.n; i++)
    for (int j = 0; j < 64; j++) {
      state.u[i][j] = i;
      state.v[j][i] = j;
    }
#pragma omp parallel for
  for (int i = 0; i < 5000; i++) {
    state.part.deep[i] = (float)i;
    state.part.inner.deeper[i] = 1;
    many[0].r[i] = many[1].r[i] = i;
  }
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) {
    here->particles[i].position[1] = i;
    sys.particles[i].meta.history[2] = 1;
    packed.odd[i % 700] = i;
    open.counted[i] = i;
  }
#pragma omp parallel for
  for (int i = 0; i < 3000; i++)
    here->energy[1][i] = i;
  for (int i = 0; i < 64; i++)
    sum += state.u[i][i] + state.v[i][3] + (double)state.part.deep[i] + state.part.inner.deeper[i] +
           sys.particles[i].meta.history[2] + sys.energy[1][i] + many[1].r[i];
  printf("%g %zu\n", sum, offsetof(struct system, energy));
  return 0;
}
