/*===-- frames.c - the task that the calling thread runs ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "frames.h"

static _Thread_local struct {
  struct mai_frame lowest;
  struct mai_frame *now; /* NULL: the lowest */
} own __attribute__((tls_model("initial-exec"))) = {.lowest = {.home = MAI_NO_HOME}};

struct mai_frame *mai_frame_now(void) { return own.now ? own.now : &own.lowest; }

void mai_frame_begin(struct mai_frame *frame, unsigned home) {
  struct mai_frame *below = mai_frame_now();
  *frame = (struct mai_frame){below, NULL, NULL, home, below->depth + 1};
  own.now = frame;
}

void mai_frame_begin_work(struct mai_frame *frame, struct mai_work *work) {
  mai_frame_begin(frame, work->home);
  frame->work = work;
}

void mai_frame_end(struct mai_frame *frame) {
  mai_frame_close(frame);
  own.now = frame->below;
}

/* What is lost stays lost: nobody knows who used it. */
void mai_frame_close(struct mai_frame *frame) {
  if (frame->queues && !mai_queues_are_lost(frame->queues))
    mai_queues_drop(frame->queues);
  frame->queues = NULL;
}

/* What tasks inherit when they are made: of tasks with one ticket it is the same. */
static unsigned settings_of(const struct mai_openmp *openmp) {
  unsigned threads = (unsigned)openmp->get_max_threads();
  unsigned levels = (unsigned)openmp->get_max_active_levels();
  return threads << 8 ^ levels << 1 ^ (openmp->get_dynamic() != 0);
}

/* Those that no ticket uses are as good as new. */
static bool may_go_on(const struct mai_queues *queues, const struct mai_runtime *runtime,
                      unsigned settings) {
  return !mai_queues_are_lost(queues) &&
         (mai_queues_are_unused(queues) ||
          (queues->maker.run_time == runtime && queues->settings == settings));
}

struct mai_queues *mai_frame_queues(struct mai_frame *frame, const struct mai_task_maker *maker) {
  unsigned settings = settings_of(&maker->run_time->openmp);
  if (frame->queues && !may_go_on(frame->queues, maker->run_time, settings))
    mai_frame_close(frame);
  if (!frame->queues)
    frame->queues = mai_queues_new();
  if (frame->queues && mai_queues_are_unused(frame->queues)) {
    frame->queues->maker = *maker;
    frame->queues->settings = settings;
  }
  return frame->queues;
}
