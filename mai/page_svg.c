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
#include <unistd.h>

#include "describe.h"
#include "kernel.h"
#include "threads.h"

enum { MOST_CELLS = 4096, LEAST_CELLS = 16, CELLS_IN_ALL = 1 << 20 };
enum { CELL = 8, CELLS_A_ROW = 128, LOOK_BATCH = 4096 };
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

static void write_escaped_byte(FILE *stream, unsigned char byte) {
  switch (byte) {
  case '<':
    fputs("&lt;", stream);
    break;
  case '>':
    fputs("&gt;", stream);
    break;
  case '&':
    fputs("&amp;", stream);
    break;
  case '"':
    fputs("&quot;", stream);
    break;
  default:
    fputc(byte < ' ' || byte == 0x7f ? '?' : byte, stream);
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
static void write_text(FILE *stream, const char *text) {
  enum { MOST_CHARACTERS = 100 };
  for (int characters = 0; *text && characters < MOST_CHARACTERS; characters++) {
    int length = (unsigned char)*text < 0x80 ? 0 : character_length(text);
    if (length)
      fwrite(text, 1, (size_t)length, stream);
    else
      write_escaped_byte(stream, (unsigned char)*text < 0x80 ? (unsigned char)*text : '?');
    text += length ? length : 1;
  }
  if (*text)
    fputs("...", stream);
}

static void begin_line(FILE *stream, int x, size_t y) {
  fprintf(stream, "<text x=\"%d\" y=\"%zu\">", x, y);
}

static void end_line(FILE *stream) { fputs("</text>\n", stream); }

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
static void begin_state(FILE *stream, unsigned state) {
  if (state == STATE_UNTOUCHED)
    fputs("<path class=\"untouched\" d=\"", stream);
  else if (state == STATE_UNKNOWN)
    fputs("<path class=\"unknown\" d=\"", stream);
  else
    fprintf(stream, "<path class=\"node%u\" fill=\"#%06" PRIx32 "\" d=\"", state - STATE_NODE_0,
            colour_of_node(state - STATE_NODE_0));
}

static void write_style(FILE *stream) {
  fputs("<style>\n"
        "text { font: 12px sans-serif; fill: #222 }\n"
        ".title { font-weight: bold }\n"
        ".page { font-size: 9px; text-anchor: end; fill: #666 }\n"
        "path { stroke: #fff; stroke-width: 1 }\n"
        ".untouched { fill: #eee }\n"
        ".unknown { fill: #888 }\n"
        ".mixed { fill: #fff; stroke: none }\n"
        ".spilled { fill: #000; stroke: #fff; stroke-width: 0.5 }\n"
        "</style>\n",
        stream);
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

/* Where pages are, and whether they belong there.  The array may have been freed since it was
   listed. @return how many, or -1 */
static long look(const struct mai_summary *summary, size_t first, int *nodes, bool *right) {
  mai_registry_lock();
  const struct mai_array *array = mai_registry_find(summary->start);
  long count = -1;
  if (array && array->placement.pages > first) {
    const struct mai_placement *placement = &array->placement;
    size_t left = placement->pages - first;
    size_t wanted = left < LOOK_BATCH ? left : LOOK_BATCH;
    if (mai_kernel_where(placement->start + first * placement->page_size, placement->page_size,
                         wanted, nodes) == 0)
      count = (long)wanted;
    for (long i = 0; i < count; i++)
      right[i] =
          nodes[i] < 0 || mai_placement_accepts(placement, first + (size_t)i, (uint32_t)nodes[i]);
  }
  mai_registry_unlock();
  return count;
}

static int fill_cells(const struct mai_summary *summary, struct drawing *drawing) {
  int nodes[LOOK_BATCH];
  bool right[LOOK_BATCH];
  struct tally *tally = calloc(1, sizeof *tally);
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
  free(tally);
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

static void write_title(FILE *stream, const struct mai_summary *array,
                        const struct drawing *drawing, size_t y) {
  char bytes[32];
  char policy[96];
  mai_describe_bytes(array->bytes, bytes, sizeof bytes);
  mai_describe_policy(array, policy, sizeof policy);
  begin_line(stream, MARGIN, y);
  fputs("<tspan class=\"title\">", stream);
  write_text(stream, array->name);
  fprintf(stream, "</tspan>%s: %s, ", array->freed ? " (freed)" : "", bytes);
  write_text(stream, policy);
  if (array->look_error) {
    fputs(", pages not known: ", stream);
    write_text(stream, strerror(array->look_error));
  } else {
    fprintf(stream, ", pages: %zu placed, %zu spilled, %zu untouched", array->pages.placed,
            array->pages.spilled, array->pages.untouched);
    if (array->pages.failed)
      fprintf(stream, ", %zu not known", array->pages.failed);
  }
  if (array->error) {
    fputs(", not placed: ", stream);
    write_text(stream, strerror(array->error));
  }
  if (drawing->pages_a_cell > 1)
    fprintf(stream, " (a cell: %zu pages)", drawing->pages_a_cell);
  end_line(stream);
}

static size_t cell_x(size_t cell) { return MARGIN + LABEL + cell % CELLS_A_ROW * CELL; }

static void write_cells_of(FILE *stream, const struct drawing *drawing, unsigned state, size_t y) {
  begin_state(stream, state);
  for (size_t i = 0; i < drawing->cells; i++)
    if (drawing->list[i].state == state)
      fprintf(stream, "M%zu %zuh%dv%dh-%dz", cell_x(i), y + i / CELLS_A_ROW * CELL, CELL, CELL,
              CELL);
  fputs("\"/>\n", stream);
}

/* A corner of cells whose pages are not all in one state, a dot in those with spilled pages. */
static void write_marks(FILE *stream, const struct drawing *drawing, size_t y) {
  fputs("<path class=\"mixed\" d=\"", stream);
  for (size_t i = 0; i < drawing->cells; i++)
    if (drawing->list[i].mixed)
      fprintf(stream, "M%zu %zuh4l-4 4z", cell_x(i), y + i / CELLS_A_ROW * CELL);
  fputs("\"/>\n<path class=\"spilled\" d=\"", stream);
  for (size_t i = 0; i < drawing->cells; i++)
    if (drawing->list[i].spilled)
      fprintf(stream, "M%zu %zuh3v3h-3z", cell_x(i) + 3, y + i / CELLS_A_ROW * CELL + 3);
  fputs("\"/>\n", stream);
}

static void write_row_labels(FILE *stream, const struct drawing *drawing, size_t y) {
  enum { LABELLED = 4 };
  for (size_t row = 0; row < rows_of(drawing); row += LABELLED)
    fprintf(stream, "<text class=\"page\" x=\"%d\" y=\"%zu\">%zu</text>\n", MARGIN + LABEL - 4,
            y + (row + 1) * CELL, row * CELLS_A_ROW * drawing->pages_a_cell);
}

static void write_cells(FILE *stream, const struct drawing *drawing, size_t y) {
  bool used[STATES] = {false};
  for (size_t i = 0; i < drawing->cells; i++)
    used[drawing->list[i].state] = true;
  write_row_labels(stream, drawing, y);
  for (unsigned state = 0; state < STATES; state++)
    if (used[state])
      write_cells_of(stream, drawing, state, y);
  write_marks(stream, drawing, y);
}

/* @return 0, or -1 with errno ENOMEM */
static int write_array(FILE *stream, const struct mai_summary *array, struct drawing *drawing,
                       size_t y) {
  fputs("<g class=\"array\">\n", stream);
  write_title(stream, array, drawing, y + LINE - 6);
  if (drawing->cells) {
    drawing->list = calloc(drawing->cells, sizeof *drawing->list);
    if (!drawing->list || fill_cells(array, drawing) != 0) {
      free(drawing->list);
      return -1;
    }
    write_cells(stream, drawing, y + LINE);
    free(drawing->list);
    drawing->list = NULL;
  }
  fputs("</g>\n", stream);
  return 0;
}

/*===-- Legend and threads -------------------------------------------------===*/

enum { LEGEND_A_LINE = (WIDTH - 2 * MARGIN) / LEGEND_ENTRY };
enum { THREADS_A_LINE = (WIDTH - 2 * MARGIN - LABEL) / THREAD_ENTRY };

/* The nodes, and what else a cell may say. */
static size_t legend_lines(const struct mai_machine *machine) {
  return (machine->node_count + LEGEND_A_LINE - 1) / LEGEND_A_LINE + 1;
}

static void write_legend_entry(FILE *stream, const char *class, const char *text, int x, size_t y) {
  fprintf(stream, "<path class=\"%s\" d=\"M%d %zuh%dv%dh-%dz\"/>", class, x, y - CELL, CELL, CELL,
          CELL);
  begin_line(stream, x + CELL + 5, y);
  fputs(text, stream);
  end_line(stream);
}

static void write_legend_node(FILE *stream, uint32_t node, int x, size_t y) {
  fprintf(stream, "<path fill=\"#%06" PRIx32 "\" d=\"M%d %zuh%dv%dh-%dz\"/>", colour_of_node(node),
          x, y - CELL, CELL, CELL, CELL);
  begin_line(stream, x + CELL + 5, y);
  fprintf(stream, "node %" PRIu32, node);
  end_line(stream);
}

static void write_legend(FILE *stream, const struct mai_machine *machine, size_t y) {
  fputs("<g class=\"legend\">\n", stream);
  for (uint32_t i = 0; i < machine->node_count; i++)
    write_legend_node(stream, machine->nodes[i], MARGIN + (int)(i % LEGEND_A_LINE) * LEGEND_ENTRY,
                      y + (size_t)(i / LEGEND_A_LINE + 1) * LINE - 6);
  y += legend_lines(machine) * LINE - 6;
  write_legend_entry(stream, "untouched", "untouched", MARGIN, y);
  write_legend_entry(stream, "unknown", "not known", MARGIN + LEGEND_ENTRY, y);
  write_legend_entry(stream, "spilled", "a page here is not where its policy means it",
                     MARGIN + 2 * LEGEND_ENTRY, y);
  begin_line(stream, MARGIN + 6 * LEGEND_ENTRY - 40, y);
  fputs("a corner cut off: pages here are in several states, most as the colour says", stream);
  end_line(stream);
  fputs("</g>\n", stream);
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

static void write_thread(FILE *stream, unsigned thread, const struct mai_thread_state *state,
                         size_t number, size_t y) {
  begin_line(stream, MARGIN + LABEL + (int)(number % THREADS_A_LINE) * THREAD_ENTRY,
             y + number / THREADS_A_LINE * LINE);
  if (state->cpu == NUMARCH_NONE)
    fprintf(stream, "thread %u", thread);
  else
    fprintf(stream, "thread %u, CPU %" PRIu32, thread, state->cpu);
  end_line(stream);
}

/* @return y of the next line */
static size_t write_threads_of(FILE *stream, const numarch_t *topology, int64_t node, size_t y) {
  struct mai_thread_state state;
  size_t count = 0;
  for (unsigned thread = 0; mai_threads_state(thread, &state); thread++)
    if (node_of_thread(topology, &state) == node)
      write_thread(stream, thread, &state, count++, y);
  if (count == 0)
    return y;
  begin_line(stream, MARGIN, y);
  if (node < 0)
    fputs("node ?", stream);
  else
    fprintf(stream, "node %" PRId64, node);
  end_line(stream);
  return y + lines_of_threads(count) * LINE;
}

static void write_threads(FILE *stream, const numarch_t *topology, size_t y) {
  fputs("<g class=\"threads\">\n", stream);
  begin_line(stream, MARGIN, y + LINE - 6);
  fputs("<tspan class=\"title\">threads</tspan> (", stream);
  write_text(stream, mai_threads_origin());
  fputs(")", stream);
  end_line(stream);
  y += 2 * LINE - 6;
  for (uint32_t i = 0; i <= numarch_node_count(topology); i++)
    y = write_threads_of(stream, topology, thread_node_at(topology, i), y);
  fputs("</g>\n", stream);
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

static void begin_picture(FILE *stream, size_t height) {
  fprintf(stream,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
          "viewBox=\"0 0 %d %zu\">\n",
          WIDTH, height, WIDTH, height);
  write_style(stream);
  fprintf(stream, "<rect width=\"%d\" height=\"%zu\" fill=\"#fff\"/>\n", WIDTH, height);
}

static void write_heading(FILE *stream, const struct mai_machine *machine, size_t y) {
  begin_line(stream, MARGIN, y + LINE - 6);
  fputs("<tspan class=\"title\">MAi report</tspan>: ", stream);
  write_text(stream, program_invocation_name);
  fprintf(stream, ", process %ld, pages of %zu bytes", (long)getpid(), machine->page_size);
  end_line(stream);
}

/* @return 0, or -1 with errno ENOMEM */
static int write_arrays(FILE *stream, const struct mai_summaries *summaries, size_t y) {
  for (size_t i = 0; i < summaries->count; i++) {
    struct drawing drawing = plan(&summaries->list[i], most_cells(summaries));
    if (write_array(stream, &summaries->list[i], &drawing, y) != 0)
      return -1;
    y += height_of(&drawing);
  }
  if (summaries->forgotten) {
    begin_line(stream, MARGIN, y + LINE - 6);
    fprintf(stream, "and %zu freed arrays that are not listed", summaries->forgotten);
    end_line(stream);
  }
  return 0;
}

int mai_page_svg_write(FILE *stream, const struct mai_machine *machine,
                       const struct mai_summaries *summaries) {
  const numarch_t *topology = machine->topology;
  size_t legend = MARGIN + LINE;
  size_t arrays = legend + legend_lines(machine) * LINE + ARRAY_GAP;
  size_t threads = arrays + arrays_height(summaries);
  size_t height = threads + thread_lines(topology) * LINE + MARGIN;
  begin_picture(stream, height);
  write_heading(stream, machine, MARGIN);
  write_legend(stream, machine, legend);
  if (write_arrays(stream, summaries, arrays) != 0)
    return -1;
  write_threads(stream, topology, threads);
  fputs("</svg>\n", stream);
  return 0;
}
