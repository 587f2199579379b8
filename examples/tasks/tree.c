/*===-- tree.c - potentials of many bodies by a tree and tasks ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Bodies are sorted into a tree that halves them by their longest extent; what is far away counts
 * as one body (J. Barnes, P. Hut, "A hierarchical O(N log N) force-calculation algorithm", 1986).
 * Both the tree and the potentials are made by tasks that divide it.
 *
 *   gcc -O2 -fopenmp tree.c -o tree -lm
 *   ./tree --bodies 10000
 */
#include <math.h>

#include "common.h"

enum { AXES = 3 };

struct body {
  double at[AXES];
  double mass;
  double potential;
  double seen; /* mass that it was computed from */
};

/* Node i has the children 2 i + 1 and 2 i + 2, which have a half of its bodies each. */
struct node {
  double centre[AXES]; /* of mass */
  double mass;
  double extent; /* the longest */
};

static long body_count = 4000;
static long cutoff = 32; /* bodies of a leaf */

static const double opening = 0.5; /* extent by distance of what counts as one body */

static struct body *bodies;
static struct node *nodes;

static bool is_leaf(long begin, long end) { return end - begin <= cutoff; }

/*===-- The tree -----------------------------------------------------------===*/

static int longest_axis(long begin, long end, double *extent) {
  int longest = 0;
  *extent = -1;
  for (int axis = 0; axis < AXES; axis++) {
    double least = bodies[begin].at[axis];
    double most = least;
    for (long i = begin; i < end; i++) {
      least = fmin(least, bodies[i].at[axis]);
      most = fmax(most, bodies[i].at[axis]);
    }
    if (most - least > *extent) {
      *extent = most - least;
      longest = axis;
    }
  }
  return longest;
}

static void exchange(long left, long right) {
  struct body body = bodies[left];
  bodies[left] = bodies[right];
  bodies[right] = body;
}

/* Until no body before `middle` is behind one from there on (C. A. R. Hoare's FIND, 1961). */
static void divide(long begin, long end, long middle, int axis) {
  long last = end - 1;
  while (begin < last) {
    double pivot = bodies[middle].at[axis];
    long left = begin;
    long right = last;
    while (left <= right) {
      while (bodies[left].at[axis] < pivot)
        left++;
      while (pivot < bodies[right].at[axis])
        right--;
      if (left <= right)
        exchange(left++, right--);
    }
    if (right < middle)
      begin = left;
    if (middle < left)
      last = right;
  }
}

/* The first body is exactly the centre: no body sees itself from a little distance. */
static void add(struct node *node, const double *at, double mass) {
  double sum = node->mass + mass;
  for (int axis = 0; axis < AXES; axis++)
    node->centre[axis] += (at[axis] - node->centre[axis]) * (mass / sum);
  node->mass = sum;
}

static void build(struct node *node, long index, long begin, long end) {
  double extent;
  int axis = longest_axis(begin, end, &extent);
  *node = (struct node){.extent = extent};
  if (is_leaf(begin, end)) {
    for (long i = begin; i < end; i++)
      add(node, bodies[i].at, bodies[i].mass);
    return;
  }
  long middle = begin + (end - begin) / 2;
  struct node *left = &nodes[2 * index + 1];
  struct node *right = left + 1;
  divide(begin, end, middle, axis);
#pragma omp task
  build(left, 2 * index + 1, begin, middle);
#pragma omp task
  build(right, 2 * index + 2, middle, end);
#pragma omp taskwait
  add(node, left->centre, left->mass);
  add(node, right->centre, right->mass);
}

/*===-- Potentials ---------------------------------------------------------===*/

static double distance(const double *left, const double *right) {
  double sum = 0;
  for (int axis = 0; axis < AXES; axis++)
    sum += (left[axis] - right[axis]) * (left[axis] - right[axis]);
  return sqrt(sum);
}

static void see(struct body *body, const double *at, double mass) {
  body->potential += mass / distance(body->at, at);
  body->seen += mass;
}

static void see_node(struct body *body, long index, long begin, long end) {
  const struct node *node = &nodes[index];
  if (node->extent < opening * distance(body->at, node->centre)) {
    see(body, node->centre, node->mass);
  } else if (is_leaf(begin, end)) {
    for (long i = begin; i < end; i++)
      if (&bodies[i] != body)
        see(body, bodies[i].at, bodies[i].mass);
  } else {
    long middle = begin + (end - begin) / 2;
    see_node(body, 2 * index + 1, begin, middle);
    see_node(body, 2 * index + 2, middle, end);
  }
}

/* The task gets where its bodies are, not only their numbers. */
static void compute(struct body *first, long count) {
  if (count <= cutoff) {
    for (struct body *body = first; body < first + count; body++)
      see_node(body, 0, 0, body_count);
    return;
  }
  long half = count / 2;
#pragma omp task
  compute(first, half);
#pragma omp task
  compute(first + half, count - half);
#pragma omp taskwait
}

/*===-- Whether it is right ------------------------------------------------===*/

static double potential_by_all(const struct body *body) {
  double sum = 0;
  for (long i = 0; i < body_count; i++)
    if (&bodies[i] != body)
      sum += bodies[i].mass / distance(body->at, bodies[i].at);
  return sum;
}

/* Each body has seen the mass of all others, and some have nearly the potential that they make. */
static bool is_right(void) {
  enum { SAMPLES = 50 };
  double mass = 0;
  double worst_mass = 0;
  double worst = 0;
  for (long i = 0; i < body_count; i++)
    mass += bodies[i].mass;
  for (long i = 0; i < body_count; i++)
    worst_mass = fmax(worst_mass, fabs(bodies[i].seen + bodies[i].mass - mass) / mass);
  for (long i = 0; i < SAMPLES; i++) {
    const struct body *body = &bodies[i * body_count / SAMPLES];
    double right = potential_by_all(body);
    worst = fmax(worst, fabs(body->potential - right) / right);
  }
  printf("largest errors: mass %.1e, potential %.1e\n", worst_mass, worst);
  return worst_mass < 1e-10 && worst < 0.01;
}

static void make_bodies(void) {
#pragma omp parallel for schedule(static) if (!serial)
  for (long i = 0; i < body_count; i++) {
    for (int axis = 0; axis < AXES; axis++)
      bodies[i].at[axis] = random_fraction(AXES * i + axis);
    bodies[i].mass = 1 + random_fraction(-1 - i);
    bodies[i].potential = bodies[i].seen = 0;
  }
}

/* As many as a tree has whose levels are full. */
static long count_nodes(void) {
  long count = 1;
  for (long size = body_count; size > cutoff; size -= size / 2)
    count = 2 * count + 1;
  return count;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {
      {"--bodies", &body_count, 100000}, {"--cutoff", &cutoff, 32}, {NULL, NULL, 0}};
  (void)argument_count;
  read_options(arguments, options);
  body_count = body_count < 100 ? 100 : body_count;
  bodies = allocate(body_count, sizeof *bodies);
  nodes = allocate(count_nodes(), sizeof *nodes);
  make_bodies();
  double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  {
    build(nodes, 0, 0, body_count);
    compute(bodies, body_count);
  }
  double seconds = omp_get_wtime() - begin;
  printf("potentials of %ld bodies\n", body_count);
  int status = tell(is_right(), seconds);
  free(nodes);
  free(bodies);
  return status;
}
