/* Arrays that share their bytes in a union are left alone, others beside it are not; bit-fields lie between.

   RUN: %{try} %{program}
   CHECK: MAPP028 views: left alone: its arrays share their bytes with other members of a union
   PLACE: MAPP002 mixed.own: block, 0, sizeof mixed.own / sizeof mixed.own[0] - 1000
   PLACE: MAPP002 mixed.nameless: block, 0, sizeof mixed.nameless / sizeof mixed.nameless[0] - 1000
   HEAP: MAPP068 mixed.own: left alone: it is a member of a struct
   HEAP: MAPP068 mixed.nameless: left alone: it is a member of a struct
   CHECK: MAPP001 cells: block
*/
#include <stdio.h>
static union {
  double d[4000];
  int i[8000];
} views;
static struct {
  unsigned flag : 3, kind : 9;
  double own[5000];
  unsigned more : 1;
  struct {
    double nameless[5000];
  };
  union {
    double c[5000];
    float d[5000];
  };
} mixed;
static struct cell {
  unsigned alive : 1, age : 7;
  union {
    double value;
    long index;
  };
} cells[4000];

int main(void) {
  double sum = 0;
  mixed.flag = 5;
#pragma omp parallel for
  for (int i = 0; i < 4000; i++) {
    views.d[i] = i;
    mixed.own[i] = i;
    mixed.nameless[i] = 2;
    mixed.c[i] = 3;
    cells[i].alive = 1;
    cells[i].age = i & 127;
    cells[i].value = i;
  }
  for (int i = 0; i < 4000; i++)
    sum += views.d[i] + mixed.own[i] + mixed.nameless[i] + mixed.c[i] + cells[i].age + cells[i].value;
  printf("%g %d\n", sum, mixed.flag);
  return 0;
}
