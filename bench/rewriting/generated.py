# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes programs of any length, for mapp-rewrite to read."""

# A part of a generated program, @ standing for its number: what programs of today are made of, with as many
# static arrays a line as cg, ft, lu and mg have or more.
MODULE = """
/* ---------------------------------------------------------------------------------------------
 * Module @: heat in a plate whose points are numbered by a table
 * ------------------------------------------------------------------------------------------- */
#define ROWS_@ (256 + 2)
#define COLUMNS_@ 320
#define POINTS_@ (ROWS_@ * COLUMNS_@)

typedef struct {
  int steps, first, last;
  double weight, limit;
  char name[32];
} setup_@;

static double plate_@[ROWS_@][COLUMNS_@], next_@[ROWS_@][COLUMNS_@];
static int number_@[POINTS_@];

static int read_setup_@(setup_@ *to, const char *line) {
  char key[32];
  double value;
  if (sscanf(line, "%31s %lf", key, &value) != 2) {
    fprintf(stderr, "module @: cannot read '%s'\\n", line);
    return -1;
  }
  switch (key[0]) {
  case 's':
    to->steps = (int)value;
    break;
  case 'w':
    to->weight = value;
    break;
  case 'l':
    to->limit = value > 0 ? value : 1e-6;
    break;
  default:
    snprintf(to->name, sizeof to->name, "%s", key);
    break;
  }
  return 0;
}

/* What the boundary holds: warm on two sides. */
static double boundary_@(int i, int j) {
  if (i == 0 || j == 0)
    return 1.0 + 0.5 * sin(0.01 * (i + j));
  return i == ROWS_@ - 1 || j == COLUMNS_@ - 1 ? 0.25 : 0.0;
}

static void initialise_@(const setup_@ *with) {
  for (int i = 0; i < ROWS_@; i++) {
    for (int j = 0; j < COLUMNS_@; j++) {
      plate_@[i][j] = boundary_@(i, j) * with->weight;
      next_@[i][j] = plate_@[i][j];
      number_@[i * COLUMNS_@ + j] = (i * 7919 + j * 104729) % POINTS_@;
    }
  }
}

static double sweep_@(const setup_@ *with) {
  double change = 0.0;
#pragma omp parallel for reduction(max : change) schedule(static)
  for (int i = 1; i < ROWS_@ - 1; i++) {
    for (int j = 1; j < COLUMNS_@ - 1; j++) {
      const double around = plate_@[i - 1][j] + plate_@[i + 1][j] + plate_@[i][j - 1] + plate_@[i][j + 1];
      const double value = (1.0 - with->weight) * plate_@[i][j] + 0.25 * with->weight * around;
      const double difference = fabs(value - plate_@[i][j]);
      if (difference > change)
        change = difference;
      next_@[i][j] = value;
    }
  }
  return change;
}

static void copy_back_@(double (*to)[COLUMNS_@], double (*from)[COLUMNS_@], int first, int last) {
#pragma omp for schedule(static) nowait
  for (int i = first; i < last; i++)
    for (int j = 1; j < COLUMNS_@ - 1; j++)
      to[i][j] = from[i][j];
}

static double gather_@(const double *values, const int *index, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 64)
  for (int k = 0; k < n; k++) {
    int at = index[k];
    if (at < 0 || at >= n)
      continue;
    sum += values[at] * (1.0 + 1e-3 * (double)(at & 15));
  }
  return sum;
}

int run_@(const char *line) {
  setup_@ setup = {.steps = 10, .first = 1, .last = ROWS_@ - 1, .weight = 0.9, .limit = 1e-4};
  double change = 0.0;
  if (read_setup_@(&setup, line) < 0)
    return EXIT_FAILURE;
  initialise_@(&setup);
  for (int step = 0; step < setup.steps; step++) {
    change = sweep_@(&setup);
#pragma omp parallel
    {
      copy_back_@(plate_@, next_@, setup.first, setup.last);
#pragma omp single
      if (step % 100 == 0)
        printf("module @: step %d of %d by %d threads, change %g\\n", step, setup.steps,
               omp_get_num_threads(), change);
    }
    if (change < setup.limit)
      break;
  }
  printf("%s: sum %.15e\\n", setup.name, gather_@(&plate_@[0][0], number_@, POINTS_@));
  return EXIT_SUCCESS;
}
"""


def generated(lines):
    """A program of about so many lines."""
    text = "".join(f"#include <{h}.h>\n" for h in ("math", "omp", "stdio", "stdlib"))
    modules = max(1, round(lines / (MODULE.count("\n") + 1)))
    text += "".join(MODULE.replace("@", str(k)) for k in range(modules))
    calls = "".join(f'  failed += run_{k}("steps 10");\n' for k in range(modules))
    return f"{text}\nint main(void) {{\n  int failed = 0;\n{calls}  return failed;\n}}\n"
