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
  *frame = (struct mai_frame){.below = below, .home = home, .depth = below->depth + 1};
  own.now = frame;
}

void mai_frame_begin_work(struct mai_frame *frame, struct mai_work *work) {
  mai_frame_begin(frame, work->is_guessed ? MAI_NO_HOME : work->home);
  frame->work = work;
}

/* What is lost stays lost: nobody knows who used it. */
static void close_queues(struct mai_frame *frame) {
  if (frame->queues && !mai_task_queues_are_lost(frame->queues))
    mai_task_queues_drop(frame->queues);
  frame->queues = NULL;
}

void mai_frame_end(struct mai_frame *frame) {
  close_queues(frame);
  own.now = frame->below;
}

void mai_frame_begin_group(struct mai_frame *frame) {
  close_queues(frame);
  frame->is_apart = true;
}

void mai_frame_reduce(struct mai_frame *frame) {
  close_queues(frame);
  frame->reduces = true;
}

/* What tasks inherit when they are made: of tasks with one ticket it is the same. */
static unsigned settings_of(const struct mai_openmp *openmp) {
  unsigned threads = (unsigned)openmp->get_max_threads();
  unsigned levels = (unsigned)openmp->get_max_active_levels();
  return threads << 8 ^ levels << 1 ^ (openmp->get_dynamic() != 0);
}

static bool may_go_on(const struct mai_task_queues *queues, const struct mai_runtime *runtime,
                      unsigned settings) {
  return !mai_task_queues_are_lost(queues) && queues->maker.run_time == runtime &&
         queues->settings == settings;
}

/* Those from which the task comes, where its tasks inherit the same and find what they reduce. */
static struct mai_task_queues *above(const struct mai_frame *frame,
                                     const struct mai_runtime *runtime, unsigned settings) {
  struct mai_task_queues *from = frame->work && !frame->reduces ? frame->work->from : NULL;
  return from && may_go_on(from, runtime, settings) ? from : NULL;
}

struct mai_task_queues *mai_frame_queues(struct mai_frame *frame,
                                         const struct mai_task_maker *maker) {
  unsigned settings = settings_of(&maker->run_time->openmp);
  if (frame->queues && !may_go_on(frame->queues, maker->run_time, settings))
    close_queues(frame);
  if (!frame->queues)
    frame->queues = mai_task_queues_new(maker, settings, above(frame, maker->run_time, settings),
                                        frame->is_apart);
  else if (mai_task_queues_are_unused(frame->queues))
    frame->queues->maker = *maker;
  return frame->queues;
}
