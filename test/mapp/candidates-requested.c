/* A policy that a pragma asks for is the first candidate; the others still have their prices.
   RUN: mapp-rewrite --explain u %s | FileCheck %s
   RUN: mapp-rewrite --explain kept %s | FileCheck %s --check-prefix=KEPT
*/
double u[4000], kept[4000];
#pragma mapp place(u: random 7)
#pragma mapp keep(kept)

// CHECK: random 7: a pragma says so {{.*}} [MAPP007]
// CHECK: policy price
// CHECK-NEXT: {{^}} * random 7{{$}}
// CHECK-NEXT: {{^}} block {{[0-9]+}} B
// CHECK-NEXT: for: elements follow index i of the parallel loop in main()
// CHECK-NEXT: excluded: a pragma says so

// KEPT: left alone: a pragma says so
// KEPT: {{^}} block {{[0-9]+}} B
// KEPT: excluded: a pragma says so
// KEPT: {{^}} * left alone {{[0-9]+}} B

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 4000; i++)
    u[i] = kept[i] = i;
  return u[7] > 8;
}
