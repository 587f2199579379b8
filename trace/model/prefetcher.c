/*===-- prefetcher.c - what a prefetcher would have predicted -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "prefetcher.h"

#include <stdbool.h>
#include <stddef.h>

enum { LINE_BYTES = 1 << MODEL_LINE_SHIFT };

/* @return whether the line was there; it is now */
static bool hits(struct model_prefetcher *prefetcher, uintptr_t line) {
  uintptr_t *set = prefetcher->lines[line % MODEL_FIRST_SETS];
  uintptr_t newer = line + 1;
  for (size_t way = 0; way < MODEL_FIRST_WAYS; way++) {
    uintptr_t older = set[way];
    set[way] = newer;
    if (older == line + 1)
      return true;
    newer = older;
  }
  return false;
}

static bool is_alike(intptr_t left, intptr_t right) {
  intptr_t difference = left - right;
  return difference > -LINE_BYTES && difference < LINE_BYTES;
}

static bool is_near(intptr_t distance) {
  return distance >= -MODEL_DISTANCE_MAX && distance <= MODEL_DISTANCE_MAX && distance != 0;
}

static bool is_predicted_by_distance(struct model_prefetcher *prefetcher, uintptr_t address,
                                     uintptr_t instruction) {
  size_t place = (size_t)((uint32_t)instruction * 0x9e3779b9U >> 24) % MODEL_INSTRUCTIONS;
  struct model_distance *known = &prefetcher->distances[place];
  if (known->instruction != instruction) {
    *known = (struct model_distance){.instruction = instruction, .last = address};
    return false;
  }
  intptr_t distance = (intptr_t)(address - known->last);
  bool alike = known->alike && is_near(distance) && is_alike(distance, known->distance);
  bool predicted = alike && known->alike >= MODEL_CONFIRMED;
  known->alike = alike ? known->alike + 1 : is_near(distance);
  known->distance = distance;
  known->last = address;
  return predicted;
}

/* The stream of a page, now the first; one that begins at a line where there was none. */
static struct model_stream *stream_of(struct model_prefetcher *prefetcher, uintptr_t page,
                                      uintptr_t line) {
  struct model_stream *streams = prefetcher->streams;
  struct model_stream found = {.page = page + 1, .line = line};
  size_t at = 0;
  while (at < MODEL_STREAMS - 1 && streams[at].page != page + 1)
    at++;
  if (streams[at].page == page + 1)
    found = streams[at];
  for (; at > 0; at--)
    streams[at] = streams[at - 1];
  streams[0] = found;
  return &streams[0];
}

static bool is_predicted_by_stream(struct model_prefetcher *prefetcher, uintptr_t address) {
  uintptr_t line = address >> MODEL_LINE_SHIFT;
  struct model_stream *stream = stream_of(prefetcher, address >> MODEL_STREAM_PAGE_SHIFT, line);
  intptr_t step = (intptr_t)(line - stream->line);
  intptr_t direction = step > 0 ? 1 : -1;
  if (step == 0)
    return false;
  bool near = step >= -MODEL_STREAM_REACH && step <= MODEL_STREAM_REACH;
  bool alike = near && stream->alike && direction == stream->direction;
  bool predicted = alike && stream->alike >= MODEL_CONFIRMED;
  stream->alike = alike ? stream->alike + 1 : near;
  stream->direction = direction;
  stream->line = line;
  return predicted;
}

enum model_prediction model_prefetcher_see(struct model_prefetcher *prefetcher, uintptr_t address,
                                           uintptr_t instruction) {
  if (hits(prefetcher, address >> MODEL_LINE_SHIFT))
    return MODEL_HIT;
  /* Both learn from each miss. */
  bool by_distance = is_predicted_by_distance(prefetcher, address, instruction);
  bool by_stream = is_predicted_by_stream(prefetcher, address);
  return by_distance || by_stream ? MODEL_PREDICTED : MODEL_MISSED;
}
