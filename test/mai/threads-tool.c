/* A tool of OMPT sees of a program that mai-run has started what it sees of the program alone: regions are
   opened at the program's own addresses, and frames are the program's and the run-time's, be there something
   to be done for a region or not, and however many variables it uses.

   RUN: %{clang} -fno-omit-frame-pointer -Wno-frame-address %s -o %t
   RUN: %t | FileCheck %s
   RUN: mai-run -q %t | FileCheck %s
   RUN: mai-run -q -m none %t | FileCheck %s
   RUN: mai-run -q -w %t | FileCheck %s
   CHECK: 10 regions, 10 opened by main(), 0 frames wrong
 */
#include <omp-tools.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

int main(void);

static ompt_get_task_info_t get_task_info;
static atomic_int regions, opened_by_main, wrong_frames;

static void open_region(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                        unsigned int size, int flags, const void *code) {
  (void)task, (void)frame, (void)parallel, (void)size, (void)flags;
  regions++;
  enum { MOST_BYTES = 4096 };
  opened_by_main +=
      (uintptr_t)code > (uintptr_t)main && (uintptr_t)code < (uintptr_t)main + MOST_BYTES;
}

static int begin(ompt_function_lookup_t look_up, int device, ompt_data_t *data) {
  (void)device, (void)data;
  get_task_info = (ompt_get_task_info_t)look_up("ompt_get_task_info");
  ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
  return set(ompt_callback_parallel_begin, (ompt_callback_t)open_region) == ompt_set_always;
}

static void end(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_start_tool_result_t result = {begin, end, {0}};
  (void)version, (void)runtime;
  return &result;
}

/* The run-time's frame is the one that called the region's function. */
static void check_frame(const void *caller) {
  ompt_frame_t *frame;
  int flags;
  get_task_info(0, &flags, NULL, &frame, NULL, NULL);
  wrong_frames += frame->exit_frame.ptr != caller;
}

int main(void) {
  int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, sum = 0;
  for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(2)
    check_frame(__builtin_frame_address(1));
#pragma omp parallel num_threads(2) reduction(+ : sum) shared(a, b, c, d, e, f, g, h)
    {
      sum += a + b + c + d + e + f + g + h;
      check_frame(__builtin_frame_address(1));
    }
  }
  printf("%d regions, %d opened by main(), %d frames wrong\n", regions, opened_by_main,
         wrong_frames);
  return sum != 10 * 36;
}
