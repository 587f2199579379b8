/* Arrays that are members of structs are placed one by one; those of a union share their bytes and
   are left alone.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_STATIC_PART(state_cells, state.cells, "block");
// CHECK-SAME: elements follow index i of the parallel loop
// CHECK-NEXT: {{^}}+MAI_STATIC_PART(state_inner_grid, state.inner.grid, "block");
// CHECK-NEXT: {{^}}+MAI_STATIC_PART(state_extra, state.extra, "cyclic on threads");
// CHECK: c:[[#]]: state.cells: block
static struct {
  int count;
  int cells[9000];
  struct {
    double grid[90][90];
  } inner;
  struct {
    float extra[9000];
  };
} state;

// CHECK: c:[[#]]: views: left alone: its arrays share their bytes with other members of a union
static union {
  int words[9000];
  char bytes[36000];
} views;

struct field {
  double *cursor;
  double values[9000];
};
// CHECK: c:[[#]]: field.values: block
static struct field field, *const shortcut = &field;

int main(void) {
  double sum = 0;
  state.count = 90;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++) {
    state.cells[i] = i;
    views.words[i] = 1;
    shortcut->values[i] = 2 * i;
  }
#pragma omp parallel for
  for (int i = 0; i < state.count; i++)
    for (int j = 0; j < state.count; j++)
      state.inner.grid[i][j] = i - j;
#pragma omp parallel for schedule(monotonic : dynamic)
  for (int i = 0; i < 9000; i++)
    state.extra[i] = 3;
  field.cursor = field.values + 5;
  for (int i = 0; i < 90; i++)
    sum += state.cells[i] + views.words[i] + state.inner.grid[i][5] + (double)state.extra[i];
  printf("%.0f %.0f\n", sum, *field.cursor);
  return 0;
}
