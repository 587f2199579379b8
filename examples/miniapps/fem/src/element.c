/*===-- element.c - integrals over one element ---------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "fem.h"

#include <math.h>
#include <string.h>

/* Functions that are 1 at one corner and 0 at the others, and their derivatives, at a point of the
   cube from -1 to 1. */
typedef struct {
  double value[CORNERS];
  double derivative[CORNERS][3];
} shape;

static double side(int corner, int axis) { return corner >> (2 - axis) & 1 ? 1.0 : -1.0; }

static void find_shape(const double at[3], shape *out) {
  for (int corner = 0; corner < CORNERS; corner++) {
    double factor[3];
    for (int axis = 0; axis < 3; axis++)
      factor[axis] = 0.5 * (1 + side(corner, axis) * at[axis]);
    out->value[corner] = factor[0] * factor[1] * factor[2];
    for (int axis = 0; axis < 3; axis++)
      out->derivative[corner][axis] =
          0.5 * side(corner, axis) * factor[(axis + 1) % 3] * factor[(axis + 2) % 3];
  }
}

static void find_jacobian(const point corner[CORNERS], const shape *at, double jacobian[3][3]) {
  memset(jacobian, 0, 9 * sizeof(double));
  for (int c = 0; c < CORNERS; c++)
    for (int axis = 0; axis < 3; axis++) {
      jacobian[axis][0] += at->derivative[c][axis] * corner[c].x;
      jacobian[axis][1] += at->derivative[c][axis] * corner[c].y;
      jacobian[axis][2] += at->derivative[c][axis] * corner[c].z;
    }
}

/* Inverts by cofactors; returns the determinant. */
static double invert(double a[3][3], double out[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      out[j][i] = a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1];
    }
  const double determinant = a[0][0] * out[0][0] + a[0][1] * out[1][0] + a[0][2] * out[2][0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[i][j] /= determinant;
  return determinant;
}

static void add_point(const point corner[CORNERS], const double at[3], element_matrices *out) {
  shape here;
  double jacobian[3][3], inverse[3][3], gradient[CORNERS][3];
  find_shape(at, &here);
  find_jacobian(corner, &here, jacobian);
  const double volume = invert(jacobian, inverse);
  for (int c = 0; c < CORNERS; c++)
    for (int axis = 0; axis < 3; axis++)
      gradient[c][axis] = inverse[axis][0] * here.derivative[c][0] +
                          inverse[axis][1] * here.derivative[c][1] +
                          inverse[axis][2] * here.derivative[c][2];
  for (int r = 0; r < CORNERS; r++)
    for (int c = 0; c < CORNERS; c++) {
      const double product = gradient[r][0] * gradient[c][0] + gradient[r][1] * gradient[c][1] +
                             gradient[r][2] * gradient[c][2];
      out->stiffness[r][c] += volume * product;
      out->mass[r][c] += volume * here.value[r] * here.value[c];
    }
  out->volume += volume;
}

/* By Gauss's rule with two points along each axis. */
void integrate_element(const point corner[CORNERS], element_matrices *out) {
  const double gauss = 1 / sqrt(3.0);
  memset(out, 0, sizeof *out);
  for (int which = 0; which < CORNERS; which++) {
    const double at[3] = {gauss * side(which, 0), gauss * side(which, 1), gauss * side(which, 2)};
    add_point(corner, at, out);
  }
}
