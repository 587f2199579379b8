/* An index that is computed in very many steps from itself costs no more than each step.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
#define TWICE(statements) statements statements
#define STEP x = x * 3 % 71 + x; array[x % 9000] = x;

// CHECK: c:[[#]]: array: left alone: used by one thread only
static int array[9000];

int steps(int x) {
  TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(STEP))))))))
  return x;
}

// CHECK: c:[[#]]: halves: left alone: used by one thread only
static int halves[9000];

int quotients(int x) {
  TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(x = (x * x + x + 1) / 3;))))))
  halves[x % 2 * 500] = 1;
  return x;
}

int main(int argc, char **argv) {
  (void)argv;
  return steps(argc) + quotients(argc);
}
