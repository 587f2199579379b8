/*===-- svg_speeds.c - the tables of a picture ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A row of tables for each metric: the left one is what was measured, the right one what the
 * firmware tells.  Machines of very many nodes have no tables here: nobody could read them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "numarch/lib/machine.h"
#include "svg.h"

enum { MOST_NODES = 16 };

static const double CELL = 54;
static const double LEAST_WIDTH = 230; /* for the titles */
static const double GAP = 24;

struct table {
  const char *title;
  double (*value)(const numarch_t *machine, uint32_t from, uint32_t to);
};

static double measured_latency(const numarch_t *machine, uint32_t from, uint32_t to) {
  return numarch_performance(machine, NUMARCH_MEASURED, NUMARCH_LATENCY, from, to);
}

static double measured_bandwidth(const numarch_t *machine, uint32_t from, uint32_t to) {
  return numarch_performance(machine, NUMARCH_MEASURED, NUMARCH_READ_BANDWIDTH, from, to);
}

static double firmware_latency(const numarch_t *machine, uint32_t from, uint32_t to) {
  return numarch_performance(machine, NUMARCH_HMAT, NUMARCH_LATENCY, from, to);
}

static double firmware_bandwidth(const numarch_t *machine, uint32_t from, uint32_t to) {
  return numarch_performance(machine, NUMARCH_HMAT, NUMARCH_READ_BANDWIDTH, from, to);
}

/* Of one node there is none to tell. */
static double firmware_distance(const numarch_t *machine, uint32_t from, uint32_t to) {
  size_t pair = (size_t)from * machine->node_count + to;
  return machine->node_count > 1 && machine->distances_told[pair] ? machine->distances[pair] : 0;
}

static double nothing(const numarch_t *machine, uint32_t from, uint32_t to) {
  (void)machine;
  (void)from;
  (void)to;
  return 0;
}

/* The left and the right one of each row. */
static const struct table tables[][2] = {
    {{"Latency in ns, measured", measured_latency},
     {"Latency in ns, firmware (HMAT)", firmware_latency}},
    {{"Reading in MiB/s, measured", measured_bandwidth},
     {"Reading in MiB/s, firmware (HMAT)", firmware_bandwidth}},
    {{"", nothing}, {"Distances, firmware (SLIT)", firmware_distance}}};
enum { ROWS = sizeof tables / sizeof *tables };

static bool has_values(const struct table *table, const numarch_t *machine) {
  for (uint32_t from = 0; from < numarch_node_count(machine); from++)
    for (uint32_t to = 0; to < numarch_node_count(machine); to++)
      if (table->value(machine, from, to) > 0)
        return true;
  return false;
}

static bool is_row_drawn(size_t row, const numarch_t *machine) {
  return numarch_node_count(machine) <= MOST_NODES &&
         (has_values(&tables[row][0], machine) || has_values(&tables[row][1], machine));
}

static double table_width(const numarch_t *machine) {
  return fmax(LEAST_WIDTH, CELL * (1 + numarch_node_count(machine)));
}

/* A title, the columns' nodes, a line for each node, and some room. */
static double table_height(const numarch_t *machine) {
  return SVG_LINE * (3 + numarch_node_count(machine));
}

struct svg_size svg_speeds_size(const numarch_t *machine) {
  struct svg_size size = {0};
  for (size_t row = 0; row < ROWS; row++)
    if (is_row_drawn(row, machine)) {
      size.width = 2 * table_width(machine) + GAP;
      size.height += table_height(machine);
    }
  return size;
}

static void put_cell(double x, double y, uint32_t column, const char *text) {
  svg_text(x + CELL * column + CELL / 2, y, CELL, "end", text);
}

static void put_number(double x, double y, uint32_t column, double value) {
  char text[32] = "-";
  if (value > 0)
    snprintf(text, sizeof text, "%.0f", value);
  put_cell(x, y, column, text);
}

static void put_node(double x, double y, uint32_t column, const numarch_t *machine, uint32_t node) {
  char text[32];
  snprintf(text, sizeof text, "%" PRIu32, numarch_get_node(machine, node)->os_index);
  fputs("<g font-weight=\"bold\">", stdout);
  put_cell(x, y, column, text);
  puts("</g>");
}

static void draw_table(const struct table *table, const numarch_t *machine, double x, double y) {
  if (!has_values(table, machine))
    return;
  svg_text(x, y, table_width(machine), "start", table->title);
  for (uint32_t to = 0; to < numarch_node_count(machine); to++)
    put_node(x, y + SVG_LINE, to + 1, machine, to);
  for (uint32_t from = 0; from < numarch_node_count(machine); from++) {
    double line = y + SVG_LINE * (2 + from);
    put_node(x, line, 0, machine, from);
    for (uint32_t to = 0; to < numarch_node_count(machine); to++)
      put_number(x, line, to + 1, table->value(machine, from, to));
  }
}

void svg_speeds(const numarch_t *machine, double y) {
  for (size_t row = 0; row < ROWS; row++)
    if (is_row_drawn(row, machine)) {
      draw_table(&tables[row][0], machine, 0, y + SVG_LINE);
      draw_table(&tables[row][1], machine, table_width(machine) + GAP, y + SVG_LINE);
      y += table_height(machine);
    }
}
