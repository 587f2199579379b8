#include <stdio.h>
#include <stdlib.h>

/* Boxes of their own, and as many of a halo behind them, which all threads read here and there. */
enum { PER_BOX = 32, NEIGHBOURS = 2 };

struct boxes {
  int own, all;
  int *neighbour;
};

static double *place, *force;

static struct boxes *new_boxes(int own) {
  struct boxes *boxes = malloc(sizeof *boxes);
  boxes->own = own;
  boxes->all = 2 * own;
  boxes->neighbour = malloc(sizeof(int) * own * NEIGHBOURS);
  for (int i = 0; i < own * NEIGHBOURS; i++)
    boxes->neighbour[i] = (int)(i * 2654435761u % (unsigned)boxes->all);
  return boxes;
}

static void new_atoms(struct boxes *boxes) {
  place = malloc((size_t)boxes->all * PER_BOX * sizeof(double));
  force = malloc((size_t)boxes->all * PER_BOX * sizeof(double));
  for (int i = 0; i < boxes->all * PER_BOX; i++) {
    place[i] = i % 17;
    force[i] = 0;
  }
}

static void forces(struct boxes *boxes) {
#pragma omp parallel for
  for (int box = 0; box < boxes->own; box++)
    for (int i = 0; i < PER_BOX; i++)
      for (int n = 0; n < NEIGHBOURS; n++)
        force[box * PER_BOX + i] +=
            place[boxes->neighbour[box * NEIGHBOURS + n] * PER_BOX + i] - place[box * PER_BOX + i];
}

static void move(struct boxes *boxes) {
#pragma omp parallel for
  for (int box = 0; box < boxes->own; box++)
    for (int i = 0; i < PER_BOX; i++)
      place[box * PER_BOX + i] += 0.125 * force[box * PER_BOX + i];
}

int main(void) {
  struct boxes *boxes = new_boxes(BOXES);
  double sum = 0;
  new_atoms(boxes);
  for (int round = 0; round < 4; round++) {
    forces(boxes);
    move(boxes);
  }
  for (int i = 0; i < boxes->own * PER_BOX; i++)
    sum += place[i];
  printf("%g\n", sum);
  return 0;
}
