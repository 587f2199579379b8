#include <stdio.h>
#include <stdlib.h>

/* Each box has a block of its own, which a function allocates for it, and threads share out boxes. */
enum { PER_BOX = 4096 };

struct box {
  double *cells;
};

static void make_box(struct box *box) {
  box->cells = malloc(PER_BOX * sizeof(double));
  for (int i = 0; i < PER_BOX; i++)
    box->cells[i] = i % 13;
}

static void smooth(struct box *boxes, int count) {
#pragma omp parallel for
  for (int b = 0; b < count; b++)
    for (int i = 1; i < PER_BOX - 1; i++)
      boxes[b].cells[i] = (boxes[b].cells[i - 1] + boxes[b].cells[i + 1]) / 2;
}

int main(void) {
  struct box *boxes = malloc(BOXES * sizeof *boxes);
  double sum = 0;
  for (int b = 0; b < BOXES; b++)
    make_box(&boxes[b]);
  for (int round = 0; round < 8; round++)
    smooth(boxes, BOXES);
  for (int b = 0; b < BOXES; b++)
    sum += boxes[b].cells[PER_BOX / 2];
  printf("%g\n", sum);
  return 0;
}
