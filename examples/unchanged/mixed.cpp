//===-- mixed.cpp - C++ that calls Fortran ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The conjugate gradients are C++, the matrix's product and the vectors' are those of mixed.f90.
// The matrix is Fortran's own, the vectors are C++'s.
//
//     gfortran -O2 -g -fopenmp -c mixed.f90 && g++ -O2 -g -fopenmp mixed.cpp mixed.o -lgfortran
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
void make_matrix(int rows);
void multiply(int rows, const double *x, double *y);
double product(int rows, const double *x, const double *y);
}

class Solver {
public:
  explicit Solver(int rows)
      : Rows(rows), x(rows), residual(rows, 1.0), direction(residual), image(rows) {}

  double solve(int steps) {
    double norm = product(Rows, residual.data(), residual.data());
    for (int i = 0; i < steps && norm > 1e-20; i++) {
      multiply(Rows, direction.data(), image.data());
      const double length = norm / product(Rows, direction.data(), image.data());
      add(x, length, direction);
      add(residual, -length, image);
      const double before = norm;
      norm = product(Rows, residual.data(), residual.data());
#pragma omp parallel for
      for (int j = 0; j < Rows; j++)
        direction[j] = residual[j] + norm / before * direction[j];
    }
    return std::sqrt(norm);
  }

  // How far the result is from solving the system.
  double error() {
    multiply(Rows, x.data(), image.data());
    double most = 0;
    for (double each : image)
      most = std::fmax(most, std::fabs(each - 1.0));
    return most;
  }

private:
  void add(std::vector<double> &to, double factor, const std::vector<double> &what) const {
#pragma omp parallel for
    for (int i = 0; i < Rows; i++)
      to[i] += factor * what[i];
  }

  int Rows;
  std::vector<double> x, residual, direction, image;
};

int main(int argc, char **argv) {
  const int size = argc > 1 ? std::atoi(argv[1]) : 1; // how many times as large
  const int rows = 40000 * size;
  make_matrix(rows);
  Solver solver(rows);
  const double residual = solver.solve(60);
  const bool right = residual < 1e-8 && solver.error() < 1e-8;
  std::printf("mixed: %s\n", right ? "verified" : "WRONG");
  return right ? 0 : 1;
}
