/*===-- machine.c - the machine, for the profile -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "machine.h"

#include <numarch.h>

static numarch_t *machine;

/* All of it: the process may be bound to a part and have pages outside. */
void trace_machine_read(void) { machine = numarch_open(NUMARCH_WHOLE_MACHINE); }

void trace_machine_write(struct trace_output *output) {
  uint32_t nodes = machine ? numarch_node_count(machine) : 0;
  uint32_t cpus = machine ? numarch_cpu_count(machine) : 0;
  trace_begin_section(output, "MACH");
  trace_put(output, nodes);
  for (uint32_t i = 0; i < nodes; i++) {
    trace_put(output, numarch_get_node(machine, i)->os_index);
    trace_put(output, numarch_get_node(machine, i)->memory_total);
  }
  for (uint32_t from = 0; from < nodes; from++)
    for (uint32_t to = 0; to < nodes; to++)
      trace_put(output, numarch_distance(machine, from, to));
  trace_put(output, cpus);
  for (uint32_t i = 0; i < cpus; i++) {
    const struct numarch_cpu *cpu = numarch_get_cpu(machine, i);
    trace_put(output, cpu->os_index);
    trace_put(output, cpu->node == NUMARCH_NONE ? 0 : cpu->node + 1);
  }
  trace_end_section(output);
}
