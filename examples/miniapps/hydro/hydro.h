/*===-- hydro.h - gas dynamics in two dimensions -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The Euler equations of an ideal gas on a rectangle with reflecting walls, by finite volumes of
 * second order: linear reconstruction of the primitive variables with van Leer's limiter, the HLLC
 * flux, Heun's method in time.
 *
 * The state is held in static arrays, one for each variable; rows follow y.
 *
 * Sources: E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd ed., chapters
 * 4 (exact solution), 10 (HLLC) and 13 (slopes).
 */
#ifndef HYDRO_H
#define HYDRO_H

#ifndef CELLS_X
#define CELLS_X 256
#endif
#ifndef CELLS_Y
#define CELLS_Y 256
#endif

#define GHOSTS 2 /* cells beyond each wall, which reflect those inside */
#define ROWS (CELLS_Y + 2 * GHOSTS)
#define COLUMNS (CELLS_X + 2 * GHOSTS)
#define FIRST GHOSTS
#define LAST_X (GHOSTS + CELLS_X) /* one more than the last */
#define LAST_Y (GHOSTS + CELLS_Y)

#define GAMMA 1.4

/* What a cell holds: mass, momentum and energy in its volume. */
enum { MASS, MOMENTUM_X, MOMENTUM_Y, ENERGY, CONSERVED };

typedef double field[ROWS][COLUMNS];

/* What is easier to think in. */
struct primitive {
  double density, velocity_x, velocity_y, pressure;
};

struct grid {
  double dx, dy;
  double length_x, length_y;
};

struct totals {
  double mass, energy;
};

/* state.c */
extern field conserved[CONSERVED]; /* at the beginning of a step, then at its end */
extern field stage[CONSERVED];     /* in between */
extern field density, velocity_x, velocity_y, pressure;
void set_cell(int row, int column, struct primitive cell);
void find_primitives(field from[CONSERVED]);
struct totals find_totals(const struct grid *grid);
double asymmetry(void);

/* boundary.c */
void reflect(field state[CONSERVED]);

/* slopes.c */
extern field slope_x[CONSERVED], slope_y[CONSERVED];
void find_slopes(void);

/* riemann.c */
struct flux {
  double of[CONSERVED];
};
struct flux hllc(struct primitive left, struct primitive right);
struct primitive exact_riemann(struct primitive left, struct primitive right, double speed);

/* advance.c */
double time_step(const struct grid *grid, double courant);
void advance(const struct grid *grid, double dt);

/* problem.c */
struct problem {
  const char *name;
  double length_x, length_y;
  double until;
  int (*verify)(const struct grid *grid, double time);
  void (*start)(const struct grid *grid);
};
const struct problem *find_problem(const char *name);

static inline double square(double x) { return x * x; }

#endif /* HYDRO_H */
