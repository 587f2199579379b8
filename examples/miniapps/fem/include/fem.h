/*===-- fem.h - finite elements and conjugate gradients ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Poisson's equation, -div grad u = f, in the unit cube with u = 0 on its surface: trilinear
 * hexahedra on a mesh whose inner nodes are shifted, a matrix in compressed rows, conjugate
 * gradients preconditioned by the diagonal.
 *
 * All arrays are on the heap, from helpers.  A row of the matrix is assembled by one thread, from
 * the elements around its node.
 *
 * Sources: O. C. Zienkiewicz, R. L. Taylor, The Finite Element Method, 5th ed., vol. 1, chapters 8
 * and 9; Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., chapter 9.
 */
#ifndef FEM_H
#define FEM_H

#include <stddef.h>

#define CORNERS 8

typedef struct {
  double x, y, z;
} point;

typedef struct {
  int across; /* elements along an edge of the cube */
  int nodes, elements;
  point *position; /* of each node */
  unsigned char *on_surface;
  int (*corner)[CORNERS]; /* of each element: its nodes */
  int *around;            /* where each node's elements begin, and one more */
  int *element_at;        /* the elements around each node */
} mesh;

typedef struct {
  int rows;
  int *begin; /* of each row, and one more */
  int *column;
  double *value;
} matrix;

/* memory.c */
extern const char *program;
void *new_array(size_t count, size_t bytes);
#define NEW(type, count) ((type *)new_array((size_t)(count), sizeof(type)))

/* mesh.c */
mesh make_mesh(int across);
void free_mesh(mesh *of);
double volume_of(const mesh *of);

/* element.c */
typedef struct {
  double stiffness[CORNERS][CORNERS];
  double mass[CORNERS][CORNERS];
  double volume;
} element_matrices;
void integrate_element(const point corner[CORNERS], element_matrices *out);

/* csr.c */
matrix make_pattern(const mesh *of);
double *entry(const matrix *of, int row, int column);
void multiply(const matrix *by, const double *restrict x, double *restrict y);
double greatest_asymmetry(const matrix *of);
void free_matrix(matrix *of);

/* assemble.c */
double solution_at(point at);
void assemble(const mesh *of, matrix *stiffness, double *load);
double greatest_row_sum(const mesh *of);

/* vector.c */
double dot(int n, const double *x, const double *y);
void add_multiple(int n, double factor, const double *x, double *y);
void multiple_and_add(int n, double factor, const double *x, double *y);
void fill(int n, double with, double *x);

/* solver.c */
typedef struct {
  int iterations;
  double residual; /* in parts of that of 0 */
} convergence;
convergence solve(const matrix *by, const double *right, double *x, double tolerance, int most);

#endif /* FEM_H */
