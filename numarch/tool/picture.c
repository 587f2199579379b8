/*===-- picture.c - where the parts of a machine are drawn ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * All objects are runs of CPUs, so that one is in another where its run is.  Only a node may have
 * several runs, and they may lie across those of other objects; then they are cut where these end.
 */
#include "picture.h"

#include <math.h>
#include <stdlib.h>

/* Wider than high, as screens and pages of a talk are. */
static const double ASPECT = 1.6;
static const double COST_OF_EMPTY = 1.5;
enum { MOST_COLUMNS = 128 };

/*===-- Boxes --------------------------------------------------------------===*/

static void add(struct picture *picture, enum box_kind kind, uint32_t index, uint32_t first,
                uint32_t end) {
  picture->boxes[picture->count++] =
      (struct box){.kind = kind, .index = index, .first = first, .end = end};
}

static uint32_t package_of(const numarch_t *machine, uint32_t cpu) {
  return numarch_get_cpu(machine, cpu)->package;
}

static uint32_t core_of(const numarch_t *machine, uint32_t cpu) {
  return numarch_get_cpu(machine, cpu)->core;
}

static void add_runs(struct picture *picture, const numarch_t *machine, enum box_kind kind,
                     uint32_t number_of(const numarch_t *machine, uint32_t cpu)) {
  uint32_t cpus = numarch_cpu_count(machine);
  uint32_t end = 0;
  for (uint32_t first = 0; first < cpus; first = end) {
    for (end = first + 1; end < cpus && number_of(machine, end) == number_of(machine, first);)
      end++;
    add(picture, kind, number_of(machine, first), first, end);
  }
}

static void add_caches(struct picture *picture, const numarch_t *machine) {
  for (uint32_t i = 0; i < numarch_cache_count(machine); i++) {
    const struct numarch_cache *cache = numarch_get_cache(machine, i);
    add(picture, BOX_CACHE, i, cache->cpus[0], cache->cpus[0] + cache->cpu_count);
  }
}

static void add_cpus(struct picture *picture, const numarch_t *machine) {
  for (uint32_t cpu = 0; cpu < numarch_cpu_count(machine); cpu++)
    add(picture, BOX_CPU, cpu, cpu, cpu + 1);
}

/* Where a run that starts at `first` has to end, at `end` at the latest, to lie across no box. */
static uint32_t cut(const struct picture *picture, uint32_t first, uint32_t end) {
  for (size_t i = 0; i < picture->count; i++) {
    const struct box *box = &picture->boxes[i];
    if (box->first < first && first < box->end && box->end < end)
      end = box->end;
    else if (first < box->first && box->first < end && end < box->end)
      end = box->first;
  }
  return end;
}

/* Boxes of the nodes that are there only count when they are of other objects. */
static void add_node(struct picture *picture, const struct picture *others,
                     const numarch_t *machine, uint32_t index) {
  const struct numarch_node *node = numarch_get_node(machine, index);
  uint32_t end = 0;
  for (uint32_t i = 0; i < node->cpu_count; i += end - node->cpus[i]) {
    uint32_t length = 1;
    while (i + length < node->cpu_count && node->cpus[i + length] == node->cpus[i] + length)
      length++;
    end = cut(others, node->cpus[i], node->cpus[i] + length);
    add(picture, BOX_NODE, index, node->cpus[i], end);
    picture->boxes[picture->count - 1].continued = i > 0;
  }
}

static void add_nodes(struct picture *picture, const numarch_t *machine) {
  struct picture others = *picture;
  for (uint32_t i = 0; i < numarch_node_count(machine); i++)
    add_node(picture, &others, machine, i);
}

/* Each node may have as many boxes as it has CPUs, or one without any. */
static size_t most_boxes(const numarch_t *machine) {
  return 1 + (size_t)numarch_cpu_count(machine) * 4 + numarch_cache_count(machine) +
         numarch_node_count(machine);
}

/*===-- The tree -----------------------------------------------------------===*/

/* qsort() hands on no argument. */
struct sorted_box {
  struct box box;
  uint32_t rank; /* of boxes with the same CPUs the least is the outermost */
};

/* Caches: the farthest from the core first, and data before instructions. */
static uint32_t rank_of(const numarch_t *machine, const struct box *box) {
  if (box->kind != BOX_CACHE)
    return (uint32_t)box->kind * 100;
  const struct numarch_cache *cache = numarch_get_cache(machine, box->index);
  uint32_t level = cache->level < 20 ? cache->level : 20;
  return BOX_CACHE * 100 + (20 - level) * 2 + (cache->kind == NUMARCH_CACHE_INSTRUCTION);
}

static int compare_boxes(const void *left, const void *right) {
  const struct sorted_box *a = left;
  const struct sorted_box *b = right;
  if (a->box.first != b->box.first)
    return a->box.first < b->box.first ? -1 : 1;
  if (a->box.end != b->box.end)
    return a->box.end > b->box.end ? -1 : 1;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

static int sort_boxes(struct picture *picture, const numarch_t *machine) {
  struct sorted_box *sorted = calloc(picture->count + 1, sizeof *sorted);
  if (!sorted)
    return -1;
  for (size_t i = 0; i < picture->count; i++)
    sorted[i] = (struct sorted_box){picture->boxes[i], rank_of(machine, &picture->boxes[i])};
  qsort(sorted, picture->count, sizeof *sorted, compare_boxes);
  for (size_t i = 0; i < picture->count; i++)
    picture->boxes[i] = sorted[i].box;
  free(sorted);
  return 0;
}

static void append_child(struct box *parent, struct box *child) {
  struct box **place = &parent->child;
  while (*place)
    place = &(*place)->next;
  *place = child;
}

/* Boxes come parents first.  Going back through those before it, the first that has all CPUs of a
   box is its parent. */
static void link_boxes(struct picture *picture) {
  for (size_t i = 1; i < picture->count; i++) {
    struct box *box = &picture->boxes[i];
    struct box *parent = box - 1;
    while (parent->end < box->end)
      parent--;
    append_child(parent, box);
  }
}

static struct box *find_box(struct picture *picture, enum box_kind kind, uint32_t index) {
  for (size_t i = 0; i < picture->count; i++)
    if (picture->boxes[i].kind == kind && picture->boxes[i].index == index)
      return &picture->boxes[i];
  return NULL;
}

/* The package of the node with CPUs that is nearest to a node without; NUMARCH_NONE where several
   are. */
static uint32_t nearest_package(const numarch_t *machine, uint32_t to) {
  uint32_t least = UINT32_MAX;
  uint32_t package = NUMARCH_NONE;
  for (uint32_t from = 0; from < numarch_node_count(machine); from++) {
    const struct numarch_node *node = numarch_get_node(machine, from);
    uint32_t distance = numarch_distance(machine, from, to);
    if (node->cpu_count == 0 || distance > least)
      continue;
    uint32_t found = package_of(machine, node->cpus[0]);
    package = distance < least || found == package ? found : NUMARCH_NONE;
    least = distance;
  }
  return package;
}

/* A node without CPUs stands beside those with CPUs, in the package that it is nearest to. */
static void place_memory(struct picture *picture, const numarch_t *machine) {
  size_t count = picture->count;
  for (uint32_t i = 0; i < numarch_node_count(machine); i++) {
    if (numarch_get_node(machine, i)->cpu_count > 0)
      continue;
    uint32_t package = nearest_package(machine, i);
    struct box *parent = package == NUMARCH_NONE ? NULL : find_box(picture, BOX_PACKAGE, package);
    add(picture, BOX_NODE, i, 0, 0);
    append_child(parent ? parent : picture->boxes, &picture->boxes[count++]);
  }
}

/*===-- The layout ---------------------------------------------------------===*/

/* The room inside a box: what is above, and on each side, of its children. */
static double header(const struct box *box, const struct picture_style *style) {
  switch (box->kind) {
  case BOX_CPU:
    return 0;
  case BOX_CACHE:
    return PICTURE_CACHE + 2;
  case BOX_NODE:
    return box->continued ? PICTURE_TITLE : style->node_header;
  default:
    return PICTURE_TITLE;
  }
}

/* A cache is a bar across what is below it, as lstopo draws it. */
static double padding(const struct box *box) { return box->kind == BOX_CACHE ? 0 : PICTURE_GAP; }

static uint32_t count_children(const struct box *box) {
  uint32_t count = 0;
  for (const struct box *child = box->child; child; child = child->next)
    count++;
  return count;
}

/* Children stand in rows of `columns`, each row as high as its highest, left-aligned. */
static void place_children(struct box *box, uint32_t columns, double *width, double *height) {
  double x = 0;
  double row_height = 0;
  uint32_t column = 0;
  *width = 0;
  *height = 0;
  for (struct box *child = box->child; child; child = child->next) {
    if (column == columns) {
      *height += row_height + PICTURE_GAP;
      x = row_height = column = 0;
    }
    child->x = x;
    child->y = *height;
    x += child->width + PICTURE_GAP;
    *width = fmax(*width, x - PICTURE_GAP);
    row_height = fmax(row_height, child->height);
    column++;
  }
  *height += row_height;
}

/* How far a shape is from the wanted one, in either direction. */
static double ugliness(double width, double height) {
  return fabs(log(fmax(width, 1) / fmax(height, 1) / ASPECT));
}

static uint32_t choose_columns(struct box *box) {
  uint32_t count = count_children(box);
  uint32_t best = 1;
  double least = INFINITY;
  for (uint32_t columns = 1; columns <= count && columns <= MOST_COLUMNS; columns++) {
    double width = 0;
    double height = 0;
    place_children(box, columns, &width, &height);
    /* Rows that are not full look as if something were missing. */
    uint32_t rows = (count + columns - 1) / columns;
    double empty = 1 - (double)count / ((double)rows * columns);
    double value = ugliness(width, height) + COST_OF_EMPTY * empty;
    if (value < least) {
      least = value;
      best = columns;
    }
  }
  return best;
}

static double least_width(const struct box *box, const struct picture_style *style) {
  switch (box->kind) {
  case BOX_CPU:
    return style->cpu_width;
  case BOX_NODE:
    return style->node_width;
  case BOX_CORE:
    return 52;
  case BOX_CACHE:
    return 64;
  default:
    return 120;
  }
}

/* A bar is as wide as what is below it, and what is alone in a box fills it. */
static void widen(struct box *box, double width) {
  box->width = width;
  if (box->child && !box->child->next)
    widen(box->child, width - 2 * padding(box));
}

/* Sizes from the leaves up; positions are those in the parent until translate(). */
static void arrange(struct box *box, const struct picture_style *style) {
  for (struct box *child = box->child; child; child = child->next)
    arrange(child, style);
  double width = 0;
  double height = 0;
  if (box->child)
    place_children(box, choose_columns(box), &width, &height);
  double bottom = box->kind == BOX_CPU || box->kind == BOX_CACHE ? 0 : PICTURE_GAP;
  box->height = box->kind == BOX_CPU ? style->cpu_height : header(box, style) + height + bottom;
  widen(box, fmax(width + 2 * padding(box), least_width(box, style)));
}

/* Positions in the parent become positions in the picture, from the root down. */
static void translate(struct box *box, const struct picture_style *style) {
  for (struct box *child = box->child; child; child = child->next) {
    child->x += box->x + padding(box);
    child->y += box->y + header(box, style);
    translate(child, style);
  }
}

int picture_make(struct picture *picture, const numarch_t *machine,
                 const struct picture_style *style) {
  *picture = (struct picture){.boxes = calloc(most_boxes(machine), sizeof *picture->boxes)};
  if (!picture->boxes)
    return -1;
  add(picture, BOX_MACHINE, 0, 0, numarch_cpu_count(machine));
  add_runs(picture, machine, BOX_PACKAGE, package_of);
  add_runs(picture, machine, BOX_CORE, core_of);
  add_caches(picture, machine);
  add_nodes(picture, machine);
  add_cpus(picture, machine);
  if (sort_boxes(picture, machine) != 0) {
    picture_free(picture);
    return -1;
  }
  link_boxes(picture);
  place_memory(picture, machine);
  arrange(picture->boxes, style);
  translate(picture->boxes, style);
  return 0;
}

void picture_free(struct picture *picture) {
  free(picture->boxes);
  *picture = (struct picture){0};
}
