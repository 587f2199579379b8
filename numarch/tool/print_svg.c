/*===-- print_svg.c - a picture of a machine ---------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * With a report, each node shows what share of each array lies on it, and each CPU the threads that
 * ran there.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "links.h"
#include "picture.h"
#include "report.h"
#include "svg.h"
#include "tool.h"

enum { MOST_BARS = 24 }; /* arrays in a node: of more nobody sees anything */

static const double MARGIN = 10;
static const double LEGEND_WIDTH = 640; /* at least, for the lines of the legend */
static const double BAR_NAME = 78;      /* the room for an array's name, and for its pages */
static const double BAR_NUMBER = 84;

static const char *const colours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                      "#66ccee", "#aa3377", "#ee8866", "#44bb99",
                                      "#9988cc", "#997700", "#77aadd", "#dd4488"};

struct drawing {
  const struct shown *shown;
  const numarch_t *machine;
  const struct report *report; /* NULL: none */
  size_t *bars;                /* the arrays that are drawn, the biggest first */
  size_t bar_count;
};

static const char *colour_of(size_t bar) {
  return colours[bar % (sizeof colours / sizeof *colours)];
}

/*===-- What the report says of a node and of a CPU -------------------------===*/

static uint64_t pages_on(const struct report_array *array, uint32_t os_node) {
  for (size_t i = 0; i < array->share_count; i++)
    if (array->shares[i].os_node == os_node)
      return array->shares[i].pages;
  return 0;
}

static uint64_t pages_of(const struct report_array *array) {
  uint64_t pages = 0;
  for (size_t i = 0; i < array->share_count; i++)
    pages += array->shares[i].pages;
  return pages;
}

/* The threads of a CPU, "t0 t4 +3", in as many letters as there is room for. */
static void list_threads(const struct report *report, uint32_t os_cpu, char *text, size_t size) {
  size_t length = 0;
  size_t left_out = 0;
  enum { ROOM_FOR_REST = 6 };
  text[0] = '\0';
  for (size_t i = 0; i < report->thread_count; i++) {
    if (report->threads[i].os_cpu != os_cpu)
      continue;
    char name[24];
    int needed =
        snprintf(name, sizeof name, "%st%" PRIu64, length ? " " : "", report->threads[i].number);
    if (left_out > 0 || length + (size_t)needed + ROOM_FOR_REST >= size)
      left_out++;
    else
      length += (size_t)snprintf(text + length, size - length, "%s", name);
  }
  if (left_out > 0)
    snprintf(text + length, size - length, " +%zu", left_out);
}

/*===-- Boxes --------------------------------------------------------------===*/

static void draw_frame(const struct box *box, const char *fill, bool allowed) {
  char style[128];
  snprintf(style, sizeof style, "rx=\"3\" fill=\"%s\" stroke=\"#555\"%s",
           allowed ? fill : "#f4f4f4", allowed ? "" : " stroke-dasharray=\"3 2\"");
  svg_rectangle(box->x, box->y, box->width, box->height, style);
}

static void draw_title(const struct box *box, const char *title) {
  svg_text(box->x + 6, box->y + 13, box->width - 8, "start", title);
}

static void draw_cpu(const struct drawing *drawing, const struct box *box) {
  const struct numarch_cpu *cpu = numarch_get_cpu(drawing->machine, box->index);
  char name[32];
  char threads[12] = "";
  snprintf(name, sizeof name, "CPU %" PRIu32, cpu->os_index);
  if (drawing->report)
    list_threads(drawing->report, cpu->os_index, threads, sizeof threads);
  draw_frame(box, *threads ? "#bde5a8" : "#ffffff", cpu->allowed);
  svg_text(box->x + box->width / 2, box->y + 13, box->width, "middle", name);
  if (*threads) {
    fputs("<g font-weight=\"bold\">", stdout);
    svg_text(box->x + box->width / 2, box->y + 27, box->width + 8, "middle", threads);
    puts("</g>");
  }
}

static void draw_cache(const struct drawing *drawing, const struct box *box) {
  const struct numarch_cache *cache = numarch_get_cache(drawing->machine, box->index);
  char name[CACHE_NAME_SIZE];
  char size[BYTES_TEXT_SIZE];
  char title[CACHE_NAME_SIZE + BYTES_TEXT_SIZE];
  snprintf(title, sizeof title, "%s %s", format_cache(cache, name),
           cache->size ? format_bytes(cache->size, size) : "");
  svg_rectangle(box->x, box->y, box->width, PICTURE_CACHE, "fill=\"#e8e8e8\" stroke=\"#888\"");
  svg_text(box->x + box->width / 2, box->y + 12, box->width, "middle", title);
}

/* A line: the array's name, a bar as long as the share of its pages that lies here, their number.
 */
static void draw_bar(const struct drawing *drawing, const struct box *box, size_t bar, double y) {
  const struct report_array *array = &drawing->report->arrays[drawing->bars[bar]];
  uint64_t here = pages_on(array, numarch_get_node(drawing->machine, box->index)->os_index);
  uint64_t all = pages_of(array);
  double share = all ? (double)here / (double)all : 0;
  double room = box->width - BAR_NAME - BAR_NUMBER - 12;
  char style[64];
  char number[48];
  snprintf(style, sizeof style, "fill=\"%s\"", colour_of(bar));
  snprintf(number, sizeof number, "%" PRIu64 " (%.0f %%)", here, share * 100);
  svg_text(box->x + 6, y + 10, BAR_NAME - 4, "start", array->name);
  svg_rectangle(box->x + 6 + BAR_NAME, y + 2, room, 9, "fill=\"#ffffff\" stroke=\"#aaa\"");
  if (here > 0)
    svg_rectangle(box->x + 6 + BAR_NAME, y + 2, room * share, 9, style);
  svg_text(box->x + box->width - 6, y + 10, BAR_NUMBER, "end", here ? number : "0");
}

static void draw_node_title(const struct drawing *drawing, const struct box *box,
                            const struct numarch_node *node) {
  char title[96];
  char total[BYTES_TEXT_SIZE];
  char rest[BYTES_TEXT_SIZE];
  int64_t available = numarch_memory_free(drawing->machine, box->index);
  snprintf(
      title, sizeof title, "Node %" PRIu32 ": %s%s%s%s%s", node->os_index,
      node->memory_total > 0 ? format_bytes(node->memory_total, total) : "no memory",
      node->memory_total > 0 ? " " : "", node->memory_total > 0 ? kind_name(node->memory_kind) : "",
      available > 0 ? ", free " : "", available > 0 ? format_bytes((uint64_t)available, rest) : "");
  draw_title(box, title);
}

static void draw_node(const struct drawing *drawing, const struct box *box) {
  static const char *const fills[] = {
      [NUMARCH_MEMORY_DRAM] = "#fdf3d5", [NUMARCH_MEMORY_HBM] = "#fbdcc4",
      [NUMARCH_MEMORY_CXL] = "#dcebf7",  [NUMARCH_MEMORY_NVM] = "#e6e0f3",
      [NUMARCH_MEMORY_GPU] = "#d9f2df",  [NUMARCH_MEMORY_SPECIAL] = "#f0e6d8"};
  const struct numarch_node *node = numarch_get_node(drawing->machine, box->index);
  draw_frame(box, fills[node->memory_kind], node->allowed);
  if (box->continued) {
    char title[48];
    snprintf(title, sizeof title, "Node %" PRIu32 " (continued)", node->os_index);
    draw_title(box, title);
    return;
  }
  draw_node_title(drawing, box, node);
  for (size_t bar = 0; bar < drawing->bar_count; bar++)
    draw_bar(drawing, box, bar, box->y + PICTURE_TITLE + (double)bar * SVG_LINE);
}

static void draw_numbered(const struct box *box, const char *name, const char *fill) {
  char title[48];
  snprintf(title, sizeof title, "%s %" PRIu32, name, box->index);
  draw_frame(box, fill, true);
  draw_title(box, title);
}

static void draw_machine(const struct drawing *drawing, const struct box *box) {
  char title[128];
  if (drawing->shown->variable)
    snprintf(title, sizeof title, "Machine described by %s", drawing->shown->variable);
  else
    snprintf(title, sizeof title, "%s", "Machine");
  draw_frame(box, "#ffffff", true);
  draw_title(box, title);
}

static void draw_box(const struct drawing *drawing, const struct box *box) {
  switch (box->kind) {
  case BOX_MACHINE:
    draw_machine(drawing, box);
    break;
  case BOX_PACKAGE:
    draw_numbered(box, "Package", "#f2f2f2");
    break;
  case BOX_NODE:
    draw_node(drawing, box);
    break;
  case BOX_CACHE:
    draw_cache(drawing, box);
    break;
  case BOX_CORE:
    draw_numbered(box, "Core", "#dcdcdc");
    break;
  case BOX_CPU:
    draw_cpu(drawing, box);
    break;
  }
  for (const struct box *child = box->child; child; child = child->next)
    draw_box(drawing, child);
}

/*===-- The legend ---------------------------------------------------------===*/

/* Lines of text below the machine. */
struct legend {
  double y;
  double width;
};

static void put_line(struct legend *legend, const char *text) {
  svg_text(0, legend->y + 11, legend->width, "start", text);
  legend->y += SVG_LINE;
}

static void put_array(struct legend *legend, const struct drawing *drawing, size_t bar) {
  const struct report_array *array = &drawing->report->arrays[drawing->bars[bar]];
  char style[64];
  char bytes[BYTES_TEXT_SIZE];
  char details[160];
  snprintf(style, sizeof style, "fill=\"%s\"", colour_of(bar));
  svg_rectangle(0, legend->y + 2, 10, 10, style);
  svg_text(16, legend->y + 11, 190, "start", array->name);
  svg_text(210, legend->y + 11, 170, "start", array->policy);
  snprintf(details, sizeof details, "%s, %" PRIu64 " pages on nodes%s",
           format_bytes(array->bytes, bytes), pages_of(array), array->freed ? ", freed" : "");
  svg_text(384, legend->y + 11, legend->width - 384, "start", details);
  legend->y += SVG_LINE;
}

/* Pages and threads that have no place in this picture. */
static uint64_t count_lost_pages(const struct drawing *drawing) {
  uint64_t lost = 0;
  for (size_t i = 0; i < drawing->report->array_count; i++) {
    const struct report_array *array = &drawing->report->arrays[i];
    for (size_t j = 0; j < array->share_count; j++)
      if (numarch_node_by_os_index(drawing->machine, array->shares[j].os_node) == NUMARCH_NONE)
        lost += array->shares[j].pages;
  }
  return lost;
}

static uint64_t count_lost_threads(const struct drawing *drawing) {
  uint64_t lost = 0;
  for (size_t i = 0; i < drawing->report->thread_count; i++)
    lost += numarch_cpu_by_os_index(drawing->machine, drawing->report->threads[i].os_cpu) ==
            NUMARCH_NONE;
  return lost;
}

static void put_meaning(struct legend *legend, const struct report *report) {
  char page[BYTES_TEXT_SIZE];
  char text[160];
  if (report->pair_count > 0)
    snprintf(text, sizeof text, "%s",
             "t0, t1, ...: threads on their CPUs. Lines: the pairs that share most, the wider the "
             "more.");
  else
    snprintf(text, sizeof text,
             "Bars: the share of an array's pages (of %s) on the node. t0, t1, ...: threads on the "
             "CPUs where they ran.",
             format_bytes(report->page_size, page));
  put_line(legend, text);
}

static void put_program(struct legend *legend, const struct drawing *drawing) {
  fputs("<g font-weight=\"bold\">", stdout);
  put_line(legend, drawing->report->program);
  puts("</g>");
  put_meaning(legend, drawing->report);
}

static void put_lost(struct legend *legend, const struct drawing *drawing) {
  uint64_t pages = count_lost_pages(drawing);
  uint64_t threads = count_lost_threads(drawing);
  char text[160];
  if (drawing->report->array_count > drawing->bar_count) {
    snprintf(text, sizeof text, "and %zu smaller arrays that are not drawn",
             drawing->report->array_count - drawing->bar_count);
    put_line(legend, text);
  }
  if (pages + threads == 0)
    return;
  snprintf(text, sizeof text,
           "Not drawn: %" PRIu64 " pages and %" PRIu64
           " threads on nodes and CPUs that are not in this picture",
           pages, threads);
  put_line(legend, text);
}

static void draw_legend(const struct drawing *drawing, struct legend *legend) {
  if (!is_all_allowed(drawing->machine))
    put_line(legend, "Dashed: not for this process");
  if (!drawing->report)
    return;
  put_program(legend, drawing);
  for (size_t bar = 0; bar < drawing->bar_count; bar++)
    put_array(legend, drawing, bar);
  put_lost(legend, drawing);
}

/* As many lines as draw_legend() writes at most. */
static double legend_height(const struct drawing *drawing) {
  return (double)(drawing->report ? drawing->bar_count + 5 : 1) * SVG_LINE;
}

/*===-- The whole ----------------------------------------------------------===*/

static int draw(const struct drawing *drawing) {
  struct picture_style style = {
      .node_width = drawing->report ? 300 : 170,
      .node_header = PICTURE_TITLE + (double)drawing->bar_count * SVG_LINE + 4,
      .cpu_width = drawing->report ? 64 : 50,
      .cpu_height = drawing->report ? 32 : 18,
  };
  struct picture picture;
  if (picture_make(&picture, drawing->machine, &style) != 0)
    return -1;
  const struct box *machine = picture.boxes;
  const struct svg_size speeds = svg_speeds_size(drawing->machine);
  double least = fmax(speeds.width, drawing->report ? LEGEND_WIDTH : 200);
  double width = fmax(machine->width, least) + 2 * MARGIN;
  double height = machine->height + legend_height(drawing) + speeds.height + 3 * MARGIN;
  puts("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
  printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
         "viewBox=\"%.0f %.0f %.0f %.0f\" font-family=\"sans-serif\" font-size=\"%.0f\">\n",
         width, height, -MARGIN, -MARGIN, width, height, SVG_FONT);
  svg_rectangle(-MARGIN, -MARGIN, width, height, "fill=\"#ffffff\"");
  draw_box(drawing, machine);
  if (drawing->report)
    draw_links(&picture, drawing->machine, drawing->report);
  struct legend legend = {.y = machine->height + MARGIN, .width = width - 2 * MARGIN};
  draw_legend(drawing, &legend);
  svg_speeds(drawing->machine, legend.y);
  puts("</svg>");
  picture_free(&picture);
  return 0;
}

/* qsort() hands on no argument. */
struct candidate {
  size_t index;
  uint64_t bytes;
};

static int compare_sizes(const void *left, const void *right) {
  const struct candidate *a = left;
  const struct candidate *b = right;
  if (a->bytes != b->bytes)
    return a->bytes > b->bytes ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static int choose_bars(struct drawing *drawing) {
  size_t count = drawing->report->array_count;
  struct candidate *candidates = calloc(count + 1, sizeof *candidates);
  drawing->bars = calloc(count + 1, sizeof *drawing->bars);
  if (!candidates || !drawing->bars) {
    free(candidates);
    return -1;
  }
  for (size_t i = 0; i < count; i++)
    candidates[i] = (struct candidate){i, drawing->report->arrays[i].bytes};
  qsort(candidates, count, sizeof *candidates, compare_sizes);
  drawing->bar_count = count < MOST_BARS ? count : MOST_BARS;
  for (size_t i = 0; i < drawing->bar_count; i++)
    drawing->bars[i] = candidates[i].index;
  free(candidates);
  return 0;
}

static int draw_with_report(struct drawing *drawing) {
  struct report report;
  if (report_read(drawing->shown->report, &report) != 0) {
    errno = 0;
    return -1;
  }
  drawing->report = &report;
  int result = choose_bars(drawing);
  if (result == 0)
    result = draw(drawing);
  free(drawing->bars);
  report_free(&report);
  drawing->report = NULL;
  return result;
}

int print_svg(const struct shown *shown) {
  struct drawing drawing = {.shown = shown, .machine = shown->machine};
  return shown->report ? draw_with_report(&drawing) : draw(&drawing);
}
