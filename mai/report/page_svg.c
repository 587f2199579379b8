/*===-- page_svg.c - draws where the pages of arrays are --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The cells of one array and of one state (a node, or none) are one path, a square each: a picture
 * of many pages stays small.  Rows are numbered by their first page.
 */
#include "page_svg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "mai/arrays/lifetime.h"
#include "mai/memory/kernel.h"
#include "mai/threads/threads.h"
#include "runtime/heap.h"
#include "runtime/system.h"

enum { MOST_CELLS = 4096, LEAST_CELLS = 16, CELLS_IN_ALL = 1 << 20 };
enum { CELL = 8, CELLS_A_ROW = 128, LOOK_BATCH = 1024 };
enum { MARGIN = 16, LABEL = 72, LINE = 18, ARRAY_GAP = 14, LEGEND_ENTRY = 90, THREAD_ENTRY = 120 };
enum { WIDTH = MARGIN + LABEL + CELLS_A_ROW * CELL + MARGIN };

/* States of a page: unknown, untouched, on node 0, on node 1, ... */
enum {
  STATE_UNKNOWN = 0,
  STATE_UNTOUCHED = 1,
  STATE_NODE_0 = 2,
  STATES = STATE_NODE_0 + MAI_MOST_NODES
};

struct cell {
  uint16_t state; /* that of most of its pages */
  bool mixed;     /* its pages are not all in one state */
  bool spilled;   /* one of them is not where it belongs */
};

/* How an array is drawn. */
struct drawing {
  size_t pages;
  size_t pages_a_cell;
  size_t cells;
  struct cell *list;
};

/*===-- Text ---------------------------------------------------------------===*/

static void write_escaped_byte(struct minas_text *out, unsigned char byte) {
  switch (byte) {
  case '<':
    minas_text_add(out, "%s", "&lt;");
    break;
  case '>':
    minas_text_add(out, "%s", "&gt;");
    break;
  case '&':
    minas_text_add(out, "%s", "&amp;");
    break;
  case '"':
    minas_text_add(out, "%s", "&quot;");
    break;
  default:
    minas_text_add_char(out, (char)(byte < ' ' || byte == 0x7f ? '?' : byte));
  }
}

static bool is_continuation(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

/* Whether XML allows this character. */
static bool is_xml_character(uint32_t code, int length) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) &&
         code != 0xfffe && code != 0xffff;
}

/* Bytes of the character of several bytes at `text`; 0 when it is not one that XML allows. */
static int character_length(const char *text) {
  unsigned char lead = (unsigned char)*text;
  int length = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  if (length == 0 || lead >= 0xf8)
    return 0;
  uint32_t code = lead & (0x7fU >> length);
  for (int i = 1; i < length; i++) {
    if (!is_continuation(text[i]))
      return 0;
    code = code << 6 | ((unsigned char)text[i] & 0x3f);
  }
  return is_xml_character(code, length) ? length : 0;
}

/* Names come from programs and symbol tables: they may be anything, and of any length. */
static void write_text(struct minas_text *out, const char *text) {
  enum { MOST_CHARACTERS = 100 };
  for (int characters = 0; *text && characters < MOST_CHARACTERS; characters++) {
    int length = (unsigned char)*text < 0x80 ? 0 : character_length(text);
    if (length)
      minas_text_add(out, "%.*s", length, text);
    else
      write_escaped_byte(out, (unsigned char)*text < 0x80 ? (unsigned char)*text : '?');
    text += length ? length : 1;
  }
  if (*text)
    minas_text_add(out, "%s", "...");
}

static void begin_line(struct minas_text *out, int x, size_t y) {
  minas_text_add(out, "<text x=\"%d\" y=\"%zu\">", x, y);
}

static void end_line(struct minas_text *out) { minas_text_add(out, "%s", "</text>\n"); }

/*===-- Colours ------------------------------------------------------------===*/

/* Colours that are told apart also by the colour-blind: M. Okabe, K. Ito, "Color Universal Design",
   2008.  Further nodes have the same, darker and then lighter; after that they repeat. */
static const uint32_t colours[] = {0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442,
                                   0x0072b2, 0xd55e00, 0xcc79a7};
enum { COLOURS = sizeof colours / sizeof *colours, SHADES = 3 };

static uint32_t mix(uint32_t colour, uint32_t with, uint32_t percent) {
  uint32_t mixed = 0;
  for (unsigned shift = 0; shift < 24; shift += 8) {
    uint32_t a = colour >> shift & 0xff;
    uint32_t b = with >> shift & 0xff;
    mixed |= (a * (100 - percent) + b * percent) / 100 << shift;
  }
  return mixed;
}

static uint32_t colour_of_node(uint32_t node) {
  uint32_t colour = colours[node % COLOURS];
  switch (node / COLOURS % SHADES) {
  case 1:
    return mix(colour, 0x000000, 50);
  case 2:
    return mix(colour, 0xffffff, 60);
  default:
    return colour;
  }
}

/* What begins the path of all cells of a state. */
static void begin_state(struct minas_text *out, unsigned state) {
  if (state == STATE_UNTOUCHED)
    minas_text_add(out, "%s", "<path class=\"untouched\" d=\"");
  else if (state == STATE_UNKNOWN)
    minas_text_add(out, "%s", "<path class=\"unknown\" d=\"");
  else
    minas_text_add(out, "<path class=\"node%u\" fill=\"#%06" PRIx32 "\" d=\"", state - STATE_NODE_0,
                   colour_of_node(state - STATE_NODE_0));
}

static void write_style(struct minas_text *out) {
  minas_text_add(out, "%s",
                 "<style>\n"
                 "text { font: 12px sans-serif; fill: #222 }\n"
                 ".title { font-weight: bold }\n"
                 ".page { font-size: 9px; text-anchor: end; fill: #666 }\n"
                 "path { stroke: #fff; stroke-width: 1 }\n"
                 ".untouched { fill: #eee }\n"
                 ".unknown { fill: #888 }\n"
                 ".mixed { fill: #fff; stroke: none }\n"
                 ".spilled { fill: #000; stroke: #fff; stroke-width: 0.5 }\n"
                 "</style>\n");
}

/*===-- From pages to cells ------------------------------------------------===*/

/* How many pages of a cell are in each state. */
struct tally {
  uint32_t counts[STATES];
  unsigned lowest; /* state that was seen */
  unsigned highest;
  bool spilled;
};

static void tally_begin(struct tally *tally) {
  tally->lowest = STATES;
  tally->highest = 0;
  tally->spilled = false;
}

static void tally_add(struct tally *tally, int node, bool right) {
  unsigned state = (unsigned)(node - MAI_PAGE_UNKNOWN);
  if (node < MAI_PAGE_UNKNOWN || state >= STATES)
    state = STATE_UNKNOWN;
  tally->counts[state]++;
  tally->lowest = state < tally->lowest ? state : tally->lowest;
  tally->highest = state > tally->highest ? state : tally->highest;
  tally->spilled |= !right;
}
_Static_assert(MAI_PAGE_UNKNOWN + STATE_UNTOUCHED == MAI_PAGE_UNTOUCHED &&
                   MAI_PAGE_UNKNOWN + STATE_NODE_0 == 0,
               "states follow the nodes that mai_kernel_where() gives");

static struct cell tally_end(struct tally *tally) {
  struct cell cell = {.mixed = tally->lowest < tally->highest, .spilled = tally->spilled};
  uint32_t most = 0;
  for (unsigned state = tally->lowest; state <= tally->highest && state < STATES; state++) {
    if (tally->counts[state] > most) {
      most = tally->counts[state];
      cell.state = (uint16_t)state;
    }
    tally->counts[state] = 0;
  }
  return cell;
}

static long look_at(const struct mai_placement *placement, size_t first, int *nodes, bool *right) {
  size_t left = placement->pages - first;
  size_t count = left < LOOK_BATCH ? left : LOOK_BATCH;
  if (mai_kernel_where(placement->start + first * placement->page_size, placement->page_size, count,
                       nodes) != 0)
    return -1;
  for (size_t i = 0; i < count; i++)
    right[i] = nodes[i] < 0 || mai_placement_accepts(placement, first + i, (uint32_t)nodes[i]);
  return (long)count;
}

/* Where pages are, and whether they belong there.  The array may have been freed since it was
   listed. @return how many, or -1 */
static long look(const struct mai_summary *summary, size_t first, int *nodes, bool *right) {
  struct mai_array *array = mai_lifetime_hold(summary->start, MAI_TO_LOOK);
  if (!array)
    return -1;
  long count = -1;
  if (array->placement.pages > first)
    count = look_at(&array->placement, first, nodes, right);
  mai_registry_release(array);
  return count;
}

static int fill_cells(const struct mai_summary *summary, struct drawing *drawing) {
  int nodes[LOOK_BATCH];
  bool right[LOOK_BATCH];
  struct tally *tally = minas_alloc_list(1, sizeof *tally);
  if (!tally)
    return -1;
  tally_begin(tally);
  size_t cell = 0;
  long got = 1;
  for (size_t page = 0; page < drawing->pages && got > 0; page += (size_t)got) {
    got = look(summary, page, nodes, right);
    for (long i = 0; i < got && cell < drawing->cells; i++) {
      tally_add(tally, nodes[i], right[i]);
      size_t next = page + (size_t)i + 1;
      if (next % drawing->pages_a_cell == 0 || next == drawing->pages) {
        drawing->list[cell++] = tally_end(tally);
        tally_begin(tally);
      }
    }
  }
  minas_free(tally);
  return 0; /* cells of which nothing was heard are unknown */
}

/*===-- Arrays -------------------------------------------------------------===*/

static size_t rows_of(const struct drawing *drawing) {
  return (drawing->cells + CELLS_A_ROW - 1) / CELLS_A_ROW;
}

static size_t most_cells(const struct mai_summaries *summaries) {
  size_t most = CELLS_IN_ALL / (summaries->count ? summaries->count : 1);
  return most > MOST_CELLS ? MOST_CELLS : most < LEAST_CELLS ? LEAST_CELLS : most;
}

static struct drawing plan(const struct mai_summary *array, size_t most) {
  struct drawing drawing = {.pages = array->freed ? 0 : array->own_pages};
  drawing.pages_a_cell = drawing.pages > most ? (drawing.pages + most - 1) / most : 1;
  drawing.cells = (drawing.pages + drawing.pages_a_cell - 1) / drawing.pages_a_cell;
  return drawing;
}

static size_t height_of(const struct drawing *drawing) {
  return LINE + ARRAY_GAP + rows_of(drawing) * CELL;
}

static void write_title(struct minas_text *out, const struct mai_summary *array,
                        const struct drawing *drawing, size_t y) {
  char bytes[32];
  char policy[96];
  mai_describe_bytes(array->bytes, bytes, sizeof bytes);
  mai_describe_policy(array, policy, sizeof policy);
  begin_line(out, MARGIN, y);
  minas_text_add(out, "%s", "<tspan class=\"title\">");
  write_text(out, array->name);
  minas_text_add(out, "</tspan>%s: %s, ", array->freed ? " (freed)" : "", bytes);
  write_text(out, policy);
  if (array->look_error) {
    minas_text_add(out, "%s", ", pages not known: ");
    write_text(out, strerrordesc_np(array->look_error));
  } else {
    minas_text_add(out, ", pages: %zu placed, %zu spilled, %zu untouched", array->pages.placed,
                   array->pages.spilled, array->pages.untouched);
    if (array->pages.failed)
      minas_text_add(out, ", %zu not known", array->pages.failed);
  }
  if (array->error) {
    minas_text_add(out, "%s", ", not placed: ");
    write_text(out, strerrordesc_np(array->error));
  }
  if (drawing->pages_a_cell > 1)
    minas_text_add(out, " (a cell: %zu pages)", drawing->pages_a_cell);
  end_line(out);
}

static size_t cell_x(size_t cell) { return MARGIN + LABEL + cell % CELLS_A_ROW * CELL; }

static void write_cells_of(struct minas_text *out, const struct drawing *drawing, unsigned state,
                           size_t y) {
  begin_state(out, state);
  for (size_t i = 0; i < drawing->cells; i++)
    if (drawing->list[i].state == state)
      minas_text_add(out, "M%zu %zuh%dv%dh-%dz", cell_x(i), y + i / CELLS_A_ROW * CELL, CELL, CELL,
                     CELL);
  minas_text_add(out, "%s", "\"/>\n");
}

/* A corner of cells whose pages are not all in one state, a dot in those with spilled pages. */
static void write_marks(struct minas_text *out, const struct drawing *drawing, size_t y) {
  minas_text_add(out, "%s", "<path class=\"mixed\" d=\"");
  for (size_t i = 0; i < drawing->cells; i++)
    if (drawing->list[i].mixed)
      minas_text_add(out, "M%zu %zuh4l-4 4z", cell_x(i), y + i / CELLS_A_ROW * CELL);
  minas_text_add(out, "%s", "\"/>\n<path class=\"spilled\" d=\"");
  for (size_t i = 0; i < drawing->cells; i++)
    if (drawing->list[i].spilled)
      minas_text_add(out, "M%zu %zuh3v3h-3z", cell_x(i) + 3, y + i / CELLS_A_ROW * CELL + 3);
  minas_text_add(out, "%s", "\"/>\n");
}

static void write_row_labels(struct minas_text *out, const struct drawing *drawing, size_t y) {
  enum { LABELLED = 4 };
  for (size_t row = 0; row < rows_of(drawing); row += LABELLED)
    minas_text_add(out, "<text class=\"page\" x=\"%d\" y=\"%zu\">%zu</text>\n", MARGIN + LABEL - 4,
                   y + (row + 1) * CELL, row * CELLS_A_ROW * drawing->pages_a_cell);
}

static void write_cells(struct minas_text *out, const struct drawing *drawing, size_t y) {
  bool used[STATES] = {false};
  for (size_t i = 0; i < drawing->cells; i++)
    used[drawing->list[i].state] = true;
  write_row_labels(out, drawing, y);
  for (unsigned state = 0; state < STATES; state++)
    if (used[state])
      write_cells_of(out, drawing, state, y);
  write_marks(out, drawing, y);
}

/* @return 0, or -1 with errno ENOMEM */
static int write_array(struct minas_text *out, const struct mai_summary *array,
                       struct drawing *drawing, size_t y) {
  minas_text_add(out, "%s", "<g class=\"array\">\n");
  write_title(out, array, drawing, y + LINE - 6);
  if (drawing->cells) {
    drawing->list = minas_alloc_list(drawing->cells, sizeof *drawing->list);
    if (!drawing->list || fill_cells(array, drawing) != 0) {
      minas_free(drawing->list);
      return -1;
    }
    write_cells(out, drawing, y + LINE);
    minas_free(drawing->list);
    drawing->list = NULL;
  }
  minas_text_add(out, "%s", "</g>\n");
  return 0;
}

/*===-- Legend and threads -------------------------------------------------===*/

enum { LEGEND_A_LINE = (WIDTH - 2 * MARGIN) / LEGEND_ENTRY };
enum { THREADS_A_LINE = (WIDTH - 2 * MARGIN - LABEL) / THREAD_ENTRY };

/* The nodes, and what else a cell may say. */
static size_t legend_lines(const struct mai_machine *machine) {
  return (machine->node_count + LEGEND_A_LINE - 1) / LEGEND_A_LINE + 1;
}

static void write_legend_entry(struct minas_text *out, const char *class, const char *text, int x,
                               size_t y) {
  minas_text_add(out, "<path class=\"%s\" d=\"M%d %zuh%dv%dh-%dz\"/>", class, x, y - CELL, CELL,
                 CELL, CELL);
  begin_line(out, x + CELL + 5, y);
  minas_text_add(out, "%s", text);
  end_line(out);
}

static void write_legend_node(struct minas_text *out, uint32_t node, int x, size_t y) {
  minas_text_add(out, "<path fill=\"#%06" PRIx32 "\" d=\"M%d %zuh%dv%dh-%dz\"/>",
                 colour_of_node(node), x, y - CELL, CELL, CELL, CELL);
  begin_line(out, x + CELL + 5, y);
  minas_text_add(out, "node %" PRIu32, node);
  end_line(out);
}

static void write_legend(struct minas_text *out, const struct mai_machine *machine, size_t y) {
  minas_text_add(out, "%s", "<g class=\"legend\">\n");
  for (uint32_t i = 0; i < machine->node_count; i++)
    write_legend_node(out, machine->nodes[i], MARGIN + (int)(i % LEGEND_A_LINE) * LEGEND_ENTRY,
                      y + (size_t)(i / LEGEND_A_LINE + 1) * LINE - 6);
  y += legend_lines(machine) * LINE - 6;
  write_legend_entry(out, "untouched", "untouched", MARGIN, y);
  write_legend_entry(out, "unknown", "not known", MARGIN + LEGEND_ENTRY, y);
  write_legend_entry(out, "spilled", "a page here is not where its policy means it",
                     MARGIN + 2 * LEGEND_ENTRY, y);
  begin_line(out, MARGIN + 6 * LEGEND_ENTRY - 40, y);
  minas_text_add(out, "%s",
                 "a corner cut off: pages here are in several states, most as the colour says");
  end_line(out);
  minas_text_add(out, "%s", "</g>\n");
}

static int64_t node_of_thread(const numarch_t *topology, const struct mai_thread_state *state) {
  return state->cpu == NUMARCH_NONE ? -1 : mai_node_of_cpu(topology, state->cpu);
}

static size_t count_threads_of(const numarch_t *topology, int64_t node) {
  struct mai_thread_state state;
  size_t count = 0;
  for (unsigned thread = 0; mai_threads_state(thread, &state); thread++)
    count += node_of_thread(topology, &state) == node;
  return count;
}

/* The nodes on which threads may run, and -1 for where one cannot tell. */
static int64_t thread_node_at(const numarch_t *topology, uint32_t index) {
  return index < numarch_node_count(topology) ? (int64_t)numarch_get_node(topology, index)->os_index
                                              : -1;
}

static size_t lines_of_threads(size_t threads) {
  return (threads + THREADS_A_LINE - 1) / THREADS_A_LINE;
}

static size_t thread_lines(const numarch_t *topology) {
  size_t lines = 1;
  for (uint32_t i = 0; i <= numarch_node_count(topology); i++)
    lines += lines_of_threads(count_threads_of(topology, thread_node_at(topology, i)));
  return lines;
}

static void write_thread(struct minas_text *out, unsigned thread,
                         const struct mai_thread_state *state, size_t number, size_t y) {
  begin_line(out, MARGIN + LABEL + (int)(number % THREADS_A_LINE) * THREAD_ENTRY,
             y + number / THREADS_A_LINE * LINE);
  if (state->cpu == NUMARCH_NONE)
    minas_text_add(out, "thread %u", thread);
  else
    minas_text_add(out, "thread %u, CPU %" PRIu32, thread, state->cpu);
  end_line(out);
}

/* @return y of the next line */
static size_t write_threads_of(struct minas_text *out, const numarch_t *topology, int64_t node,
                               size_t y) {
  struct mai_thread_state state;
  size_t count = 0;
  for (unsigned thread = 0; mai_threads_state(thread, &state); thread++)
    if (node_of_thread(topology, &state) == node)
      write_thread(out, thread, &state, count++, y);
  if (count == 0)
    return y;
  begin_line(out, MARGIN, y);
  if (node < 0)
    minas_text_add(out, "%s", "node ?");
  else
    minas_text_add(out, "node %" PRId64, node);
  end_line(out);
  return y + lines_of_threads(count) * LINE;
}

static void write_threads(struct minas_text *out, const numarch_t *topology, size_t y) {
  minas_text_add(out, "%s", "<g class=\"threads\">\n");
  begin_line(out, MARGIN, y + LINE - 6);
  minas_text_add(out, "%s", "<tspan class=\"title\">threads</tspan> (");
  write_text(out, mai_threads_origin());
  minas_text_add(out, "%s", ")");
  end_line(out);
  y += 2 * LINE - 6;
  for (uint32_t i = 0; i <= numarch_node_count(topology); i++)
    y = write_threads_of(out, topology, thread_node_at(topology, i), y);
  minas_text_add(out, "%s", "</g>\n");
}

/*===-- The picture --------------------------------------------------------===*/

static size_t arrays_height(const struct mai_summaries *summaries) {
  size_t height = 0;
  for (size_t i = 0; i < summaries->count; i++) {
    struct drawing drawing = plan(&summaries->list[i], most_cells(summaries));
    height += height_of(&drawing);
  }
  return height + (summaries->forgotten ? LINE : 0);
}

static void begin_picture(struct minas_text *out, size_t height) {
  minas_text_add(out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
                 "viewBox=\"0 0 %d %zu\">\n",
                 WIDTH, height, WIDTH, height);
  write_style(out);
  minas_text_add(out, "<rect width=\"%d\" height=\"%zu\" fill=\"#fff\"/>\n", WIDTH, height);
}

static void write_heading(struct minas_text *out, const struct mai_machine *machine, size_t y) {
  begin_line(out, MARGIN, y + LINE - 6);
  minas_text_add(out, "%s", "<tspan class=\"title\">MAi report</tspan>: ");
  write_text(out, program_invocation_name);
  minas_text_add(out, ", process %ld, pages of %zu bytes", (long)minas_process(),
                 machine->page_size);
  end_line(out);
}

/* @return 0, or -1 with errno ENOMEM */
static int write_arrays(struct minas_text *out, const struct mai_summaries *summaries, size_t y) {
  for (size_t i = 0; i < summaries->count; i++) {
    struct drawing drawing = plan(&summaries->list[i], most_cells(summaries));
    if (write_array(out, &summaries->list[i], &drawing, y) != 0)
      return -1;
    y += height_of(&drawing);
  }
  if (summaries->forgotten) {
    begin_line(out, MARGIN, y + LINE - 6);
    minas_text_add(out, "and %zu freed arrays that are not listed", summaries->forgotten);
    end_line(out);
  }
  return 0;
}

int mai_page_svg_write(struct minas_text *out, const struct mai_machine *machine,
                       const struct mai_summaries *summaries) {
  const numarch_t *topology = machine->topology;
  size_t legend = MARGIN + LINE;
  size_t arrays = legend + legend_lines(machine) * LINE + ARRAY_GAP;
  size_t threads = arrays + arrays_height(summaries);
  size_t height = threads + thread_lines(topology) * LINE + MARGIN;
  begin_picture(out, height);
  write_heading(out, machine, MARGIN);
  write_legend(out, machine, legend);
  if (write_arrays(out, summaries, arrays) != 0)
    return -1;
  write_threads(out, topology, threads);
  minas_text_add(out, "%s", "</svg>\n");
  return 0;
}
