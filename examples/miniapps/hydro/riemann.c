/*===-- riemann.c - what happens between two states ----------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "hydro.h"

#include <math.h>

static double sound_speed(struct primitive at) { return sqrt(GAMMA * at.pressure / at.density); }

static double energy_of(struct primitive at) {
  return at.pressure / (GAMMA - 1) +
         0.5 * at.density * (square(at.velocity_x) + square(at.velocity_y));
}

/* The flux of a uniform state across a face normal to x. */
static struct flux flux_of(struct primitive at) {
  const double mass = at.density * at.velocity_x;
  return (struct flux){{mass, mass * at.velocity_x + at.pressure, mass * at.velocity_y,
                        (energy_of(at) + at.pressure) * at.velocity_x}};
}

/* The flux beside the contact, from one side of it (Toro, 10.4). */
static struct flux beside_contact(struct primitive at, double wave, double contact) {
  const double factor = at.density * (wave - at.velocity_x) / (wave - contact);
  const double energy = energy_of(at);
  const double inside[CONSERVED] = {
      factor, factor * contact, factor * at.velocity_y,
      factor * (energy / at.density +
                (contact - at.velocity_x) *
                    (contact + at.pressure / (at.density * (wave - at.velocity_x))))};
  const double outside[CONSERVED] = {at.density, at.density * at.velocity_x,
                                     at.density * at.velocity_y, energy};
  struct flux flux = flux_of(at);
  for (int variable = 0; variable < CONSERVED; variable++)
    flux.of[variable] += wave * (inside[variable] - outside[variable]);
  return flux;
}

/* The HLLC flux across a face normal to x. */
struct flux hllc(struct primitive left, struct primitive right) {
  const double c_left = sound_speed(left), c_right = sound_speed(right);
  const double slowest = fmin(left.velocity_x - c_left, right.velocity_x - c_right);
  const double fastest = fmax(left.velocity_x + c_left, right.velocity_x + c_right);
  if (slowest >= 0)
    return flux_of(left);
  if (fastest <= 0)
    return flux_of(right);
  const double from_left = left.density * (slowest - left.velocity_x);
  const double from_right = right.density * (fastest - right.velocity_x);
  const double contact = (right.pressure - left.pressure + from_left * left.velocity_x -
                          from_right * right.velocity_x) /
                         (from_left - from_right);
  return contact >= 0 ? beside_contact(left, slowest, contact)
                      : beside_contact(right, fastest, contact);
}

/* How much the velocity changes between a state and the pressure p in the middle, and how that
   changes with p (Toro, 4.2). */
static double velocity_change(struct primitive at, double p, double *derivative) {
  const double a = 2 / ((GAMMA + 1) * at.density);
  const double b = (GAMMA - 1) / (GAMMA + 1) * at.pressure;
  if (p > at.pressure) { /* a shock */
    const double root = sqrt(a / (p + b));
    *derivative = root * (1 - 0.5 * (p - at.pressure) / (p + b));
    return (p - at.pressure) * root;
  }
  const double ratio = p / at.pressure, c = sound_speed(at);
  *derivative = pow(ratio, -(GAMMA + 1) / (2 * GAMMA)) / (at.density * c);
  return 2 * c / (GAMMA - 1) * (pow(ratio, (GAMMA - 1) / (2 * GAMMA)) - 1);
}

/* The pressure in the middle, by Newton's method. */
static double middle_pressure(struct primitive left, struct primitive right) {
  double p = 0.5 * (left.pressure + right.pressure);
  for (int i = 0; i < 50; i++) {
    double slope_left, slope_right;
    const double f = velocity_change(left, p, &slope_left) +
                     velocity_change(right, p, &slope_right) + right.velocity_x - left.velocity_x;
    const double next = fmax(p - f / (slope_left + slope_right), 1e-8);
    if (fabs(next - p) < 1e-14 * p)
      break;
    p = next;
  }
  return p;
}

/* The state on a line of this speed left of the contact; the right is its mirror image. */
static struct primitive left_of_contact(struct primitive left, double p, double u, double speed) {
  const double c = sound_speed(left), ratio = p / left.pressure;
  const double g = (GAMMA - 1) / (GAMMA + 1);
  struct primitive found = {0, u, 0, p};
  if (p > left.pressure) {
    const double shock =
        left.velocity_x - c * sqrt((GAMMA + 1) / (2 * GAMMA) * ratio + (GAMMA - 1) / (2 * GAMMA));
    found.density = left.density * (ratio + g) / (g * ratio + 1);
    return speed < shock ? left : found;
  }
  found.density = left.density * pow(ratio, 1 / GAMMA);
  const double head = left.velocity_x - c, tail = u - c * pow(ratio, (GAMMA - 1) / (2 * GAMMA));
  if (speed < head)
    return left;
  if (speed > tail)
    return found;
  const double inside = 2 / (GAMMA + 1) + g / c * (left.velocity_x - speed);
  found.density = left.density * pow(inside, 2 / (GAMMA - 1));
  found.velocity_x = 2 / (GAMMA + 1) * (c + (GAMMA - 1) / 2 * left.velocity_x + speed);
  found.pressure = left.pressure * pow(inside, 2 * GAMMA / (GAMMA - 1));
  return found;
}

/* The exact solution on the line x / t = speed when two states meet at x = t = 0. */
struct primitive exact_riemann(struct primitive left, struct primitive right, double speed) {
  double ignored;
  const double p = middle_pressure(left, right);
  const double u = 0.5 * (left.velocity_x + right.velocity_x) +
                   0.5 * (velocity_change(right, p, &ignored) - velocity_change(left, p, &ignored));
  if (speed <= u)
    return left_of_contact(left, p, u, speed);
  right.velocity_x = -right.velocity_x;
  struct primitive found = left_of_contact(right, p, -u, -speed);
  found.velocity_x = -found.velocity_x;
  return found;
}
