/*===-- compat-caller.cpp - a C++ program for the original MAi ----*- C++ -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* It includes what such programs include, and takes the rest from the original's header. */
#include <iostream>
#include <mai.h>
#include <vector>
using namespace std;
struct Point {
  int i;
  double a;
};
static double seconds() {
  struct timeval t;
  gettimeofday(&t, NULL);
  return t.tv_sec + t.tv_usec * 1e-6;
}
class Grid {
  double **cells;

public:
  Grid(int n) : cells((double **)mai_alloc_2D(n, n, sizeof(double), DOUBLE)) {
    mai_bind_rows(cells);
  }
  ~Grid() { mai_free_array(cells); }
  double *operator[](int i) { return cells[i]; }
};
int main(int argc, char *argv[]) {
  double begin = seconds();
  mai_init(argc > 1 ? argv[1] : NULL);
  int nodes[] = {0};
  Point *p = (Point *)mai_alloc_1D(1000, sizeof(Point), STRUCT);
  mai_next_touch(p);
  {
    Grid g(64);
    g[1][2] = 3;
    mai_cyclic_sn(p, 1, nodes);
    mai_migrate(p, 0, 1, 0, 1, 0);
    mai_migrate_rows(p, 0, 1, 0);
    cout << g[1][2] << " " << (get_thread_cpu() >= 0) << " " << mai_get_time_tmigration() << endl;
  }
  mai_free_array(p);
  mai_final();
  vector<int> v(3);
  return !(v.size() == 3 && seconds() >= begin);
}
