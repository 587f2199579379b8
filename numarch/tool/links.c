/*===-- links.c - lines between threads that share most ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "links.h"

#include <stdio.h>

static const double WIDEST = 3.5;   /* pixels */
static const double NARROWEST = .5; /* what would be less is left out: it is not seen */
static const double BEND = .18;     /* of a line's length, so that it passes by what lies between */

/* @param cpu its logical index */
static const struct box *box_of_cpu(const struct picture *picture, uint32_t cpu) {
  for (size_t i = 0; i < picture->count; i++)
    if (picture->boxes[i].kind == BOX_CPU && picture->boxes[i].index == cpu)
      return &picture->boxes[i];
  return NULL;
}

static const struct box *box_of_thread(const struct picture *picture, const numarch_t *machine,
                                       const struct report *report, uint64_t number) {
  for (size_t i = 0; i < report->thread_count; i++)
    if (report->threads[i].number == number) {
      uint32_t cpu = numarch_cpu_by_os_index(machine, report->threads[i].os_cpu);
      return cpu == NUMARCH_NONE ? NULL : box_of_cpu(picture, cpu);
    }
  return NULL;
}

static void draw_link(const struct box *from, const struct box *to, double width) {
  double x = from->x + from->width / 2;
  double y = from->y + from->height / 2;
  double along = to->x + to->width / 2 - x;
  double down = to->y + to->height / 2 - y;
  printf("<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" stroke-width=\"%.1f\"/>\n", x, y,
         x + along / 2 + down * BEND, y + down / 2 - along * BEND, x + along, y + down, width);
}

static double most_volume(const struct report *report) {
  double most = 0;
  for (size_t i = 0; i < report->pair_count; i++)
    if (report->pairs[i].volume > most)
      most = report->pairs[i].volume;
  return most;
}

void draw_links(const struct picture *picture, const numarch_t *machine,
                const struct report *report) {
  double most = most_volume(report);
  if (most <= 0)
    return;
  puts("<g fill=\"none\" stroke=\"#aa3377\" stroke-opacity=\".5\" stroke-linecap=\"round\">");
  for (size_t i = 0; i < report->pair_count; i++) {
    const struct report_pair *pair = &report->pairs[i];
    double width = WIDEST * pair->volume / most;
    const struct box *from = box_of_thread(picture, machine, report, pair->threads[0]);
    const struct box *to = box_of_thread(picture, machine, report, pair->threads[1]);
    if (width >= NARROWEST && from && to && from != to)
      draw_link(from, to, width);
  }
  puts("</g>");
}
