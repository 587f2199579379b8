/* A function that is called for each of some objects allocates what is theirs. Where a loop over the objects is divided, each of
   these blocks goes to the node of its object, with all that it holds: they are rows, in the order in which they are allocated, whether
   the objects are numbered by one loop or by several. Blocks that hold the rows of one object, or all that is of some, are divided each.

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

struct level {
  int boxes, volume;
  double ***vector;
};

static void level_init(struct level *l, int boxes, int volume) {
  // CHECK-DAG: {{^\+}}  double *base = MAI_PLACED_NEW(base, malloc(MAI_BYTES(2 * (size_t)boxes * (size_t)volume * sizeof *base)), sizeof(double), "block" /* mapp: elements
  double *base = malloc(2 * (size_t)boxes * (size_t)volume * sizeof *base);
  l->boxes = boxes;
  l->volume = volume;
  l->vector = malloc((size_t)boxes * sizeof *l->vector);
  for (int b = 0; b < boxes; b++) {
    l->vector[b] = malloc(2 * sizeof **l->vector);
    for (int v = 0; v < 2; v++)
      l->vector[b][v] = base + ((size_t)v * (size_t)boxes + (size_t)b) * (size_t)volume;
  }
  for (int i = 0; i < 2 * boxes * volume; i++)
    base[i] = i % 11;
}

static void relax(struct level *l) {
#pragma omp parallel for
  for (int b = 0; b < l->boxes; b++)
    for (int i = 0; i < l->volume; i++)
      l->vector[b][1][i] += 0.5 * l->vector[b][0][i];
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
  struct level levels[2];
  for (int k = 0; k < 2; k++)
    level_init(&levels[k], 16 * argc, 8000 >> k);
  for (int step = 0; step < 20; step++) {
    for (int k = 0; k < 2; k++)
      relax(&levels[k]);
    smooth(d);
    push(cell, cells);
    for (int k = 0; k < 3; k++)
      scale(&m[k]);
  }
  printf("%g %g %g %g\n", levels[1].vector[3][1][5], d->boxes[3].next[77], cell[cells - 1]->position[3], m[1].row[7][3]);
  return 0;
}
