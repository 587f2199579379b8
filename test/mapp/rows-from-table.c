/* Where a table tells at which element the parallel index' row begins, and a loop of many steps goes on from there, the threads' parts
   follow each other as the rows do.  A few components from there are those of an element anywhere, and a row that another index chooses is anywhere, too;
   an array that is looked up so together with one that is divided is divided alike.

   RUN: mapp-rewrite %s 2>&1 | grep -v CHECK | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

enum { BOXES = 2048, IN_BOX = 64, NODES = BOXES * IN_BOX };

struct box {
  int number, neighbour;
  long first;
};

static struct box box[BOXES];
static int node_of[NODES];
// CHECK-DAG: own: block filled: elements that box delimits follow index b of the parallel loop in step()
static double own[NODES];
// CHECK-DAG: both: block filled: elements that box delimits follow index b of the parallel loop in step(); also indexed indirectly by box
static double both[NODES];
// CHECK-DAG: others: block filled: indexed indirectly by box in step(); {{.*}}divided as both
static double others[NODES];
// CHECK-DAG: place: cyclic on threads: indexed indirectly by node_of in step()
static double place[3 * NODES];

static double step(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int b = 0; b < BOXES; b++) {
    const long first = box[b].first;
    const long second = box[box[b].neighbour].first;
    for (int i = 0; i < IN_BOX; i++) {
      own[first + i] += 1;
      sum += both[first + i] - both[second + i] + others[second + i];
    }
  }
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < NODES; i++)
    for (int k = 0; k < 3; k++)
      sum += place[3 * node_of[i] + k];
  return sum;
}

int main(void) {
  double sum = 0;
  for (int b = 0; b < BOXES; b++)
    box[b] = (struct box){b, (b * 37 + 11) % BOXES, (long)b * IN_BOX};
  for (int i = 0; i < NODES; i++) {
    node_of[i] = (i * 101 + 7) % NODES;
    own[i] = both[i] = others[i] = place[3 * i] = i % 5;
  }
  for (int i = 0; i < 20; i++)
    sum += step();
  printf("%g %g\n", sum, own[77]);
  return 0;
}
