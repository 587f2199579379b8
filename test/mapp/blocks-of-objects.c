/* A function that is called for each of some objects allocates what is theirs. Where a loop over the objects is divided, each of
   these blocks goes to the node of its object, with all that it holds: they are rows, in the order in which they are allocated, whether
   the objects are numbered by one loop or by several. Blocks that hold the rows of one object are divided each.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

struct box {
  int size;
  double *data, *next;
};

struct domain {
  int count;
  struct box *boxes;
};

static void init(struct box *b, int size, int seed) {
  // CHECK-DAG: {{^\+}}  double *buffer = MAI_PLACED_NEXT_ROW(buffer, malloc(MAI_BYTES(2 * (size_t)size * sizeof(double))), sizeof(double), "block" /* mapp: elements that
  double *buffer = malloc(2 * (size_t)size * sizeof(double));
  b->size = size;
  b->data = buffer;
  b->next = buffer + size;
  for (int c = 0; c < size; c++)
    b->data[c] = b->next[c] = seed + c % 7;
}

static struct domain *create(int m) {
  struct domain *d = malloc(sizeof *d);
  d->count = m * m;
  d->boxes = malloc((size_t)d->count * sizeof(struct box));
  int id = 0;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++)
      init(&d->boxes[id++], 8192, i);
  return d;
}

static void smooth(struct domain *d) {
#pragma omp parallel for
  for (int i = 0; i < d->count; i++) {
    struct box *b = &d->boxes[i];
    for (int c = 1; c < b->size - 1; c++)
      b->next[c] = 0.5 * b->data[c] + 0.25 * (b->data[c - 1] + b->data[c + 1]);
  }
}

struct particles {
  int count;
  double *position;
};

static struct particles *particles_new(int count) {
  struct particles *p = malloc(sizeof *p);
  p->count = count;
  // CHECK-DAG: {{^\+}}  p->position = MAI_PLACED_NEXT_ROW(p->position, malloc(MAI_BYTES((size_t)count * sizeof(double))), sizeof(double), "block" /* mapp: elements
  p->position = malloc((size_t)count * sizeof(double));
  for (int k = 0; k < count; k++)
    p->position[k] = k;
  return p;
}

static void push(struct particles **cell, int cells) {
#pragma omp parallel for
  for (int c = 0; c < cells; c++)
    for (int k = 0; k < cell[c]->count; k++)
      cell[c]->position[k] += 1;
}

struct matrix {
  int rows, columns;
  double **row;
};

static void matrix_init(struct matrix *m, int rows, int columns) {
  // CHECK-DAG: {{^\+}}  double *data = MAI_PLACED_NEW(data, malloc(MAI_BYTES((size_t)rows * (size_t)columns * sizeof *data)), sizeof(double), "block" /* mapp: elements that row delimits
  double *data = malloc((size_t)rows * (size_t)columns * sizeof *data);
  m->rows = rows;
  m->columns = columns;
  m->row = malloc((size_t)rows * sizeof *m->row);
  for (int i = 0; i < rows; i++)
    m->row[i] = data + (size_t)i * (size_t)columns;
  for (int i = 0; i < rows * columns; i++)
    data[i] = i % 5;
}

static void scale(struct matrix *m) {
#pragma omp parallel for
  for (int i = 0; i < m->rows; i++)
    for (int j = 0; j < m->columns; j++)
      m->row[i][j] *= 2;
}

int main(int argc, char **argv) {
  (void)argv;
  struct domain *d = create(argc + 5);
  int cells = 32 * argc;
  struct particles **cell = malloc((size_t)cells * sizeof *cell);
  for (int c = 0; c < cells; c++)
    cell[c] = particles_new(16384);
  struct matrix m[3];
  for (int k = 0; k < 3; k++)
    matrix_init(&m[k], 200 * argc, 300 * argc);
  for (int step = 0; step < 20; step++) {
    smooth(d);
    push(cell, cells);
    for (int k = 0; k < 3; k++)
      scale(&m[k]);
  }
  printf("%g %g %g\n", d->boxes[3].next[77], cell[cells - 1]->position[3], m[1].row[7][3]);
  return 0;
}
