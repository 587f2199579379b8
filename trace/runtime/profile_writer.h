/*===-- profile_writer.h - the profile of this process -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_TRACE_PROFILE_WRITER_H
#define MAI_TRACE_PROFILE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/system/settings.h"

/** What the profile tells of the process's end. */
struct trace_end {
  const char *path;
  int64_t started; /**< seconds since 1970 */
  int signal;      /**< that ended it; 0: none */
  bool is_running; /**< it has not ended */
};

/** Write what was counted. The program may still run. @return 0, or an errno */
int trace_write_profile(const struct trace_settings *settings, const struct trace_end *end);

#endif /* MAI_TRACE_PROFILE_WRITER_H */
