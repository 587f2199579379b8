/*===-- measurement.h - what was measured, and its file ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * `numarch --measure` writes the file, numarch_open() reads it.  Its format is private: what reads
 * another version ignores it and says so.
 */
#ifndef NUMARCH_MEASUREMENT_H
#define NUMARCH_MEASUREMENT_H

#include "discover.h"
#include "machine.h"

enum {
  NUMARCH_IDENTITY_SIZE = 17,         /**< 16 hexadecimal digits and the end */
  NUMARCH_MEASURED_NODES = 1024,      /**< as many as Linux can have */
  NUMARCH_MEASUREMENT_BYTES = 1 << 26 /**< the greatest file: all values of so many nodes */
};

/** The values of all pairs of some nodes. */
struct numarch_measurement {
  uint64_t bytes;  /**< of memory that was walked through */
  bool quick;      /**< measured in a hurry */
  bool huge_pages; /**< in huge pages: no time went into address translation */
  uint32_t count;  /**< entries of `nodes` */
  uint32_t *nodes; /**< OS indices, ascending */
  /** From nodes[i] to nodes[j] at i × count + j; 0: not measured. */
  double *tables[NUMARCH_METRICS];
};

/** The name of a metric in the file, in JSON and in CSV. */
const char *numarch_metric_name(enum numarch_metric metric);

/** Make room for the values of `count` nodes, all 0. @return 0, or -1 with errno ENOMEM */
int numarch_measurement_init(struct numarch_measurement *measurement, uint32_t count);

/** Free it and make it empty. */
void numarch_measurement_free(struct numarch_measurement *measurement);

/** Add the values that `other` has of pairs of nodes that both have.
 *  @param keep leave the values that are there
 *  @return whether any value was added */
bool numarch_measurement_add(struct numarch_measurement *measurement,
                             const struct numarch_measurement *other, bool keep);

/** Read a file's text, which may be anything.
 *  @param identity of the machine that it has to be of
 *  @param problem where it is not accepted, what is wrong with it: to be freed; NULL: no memory
 *  @return 0, or -1 with `measurement` empty */
int numarch_measurement_parse(const char *text, size_t size, const char *identity,
                              struct numarch_measurement *measurement, char **problem);

/** The file's text, to be freed; NULL with errno ENOMEM. */
char *numarch_measurement_print(const struct numarch_measurement *measurement,
                                const char *identity);

/** Copy the values of the nodes that the machine has into its details, in place of those that it
 * had.
 *  @return 0, or -1 with errno ENOMEM */
int numarch_measurement_use(struct numarch_details *details, const struct numarch *machine,
                            const struct numarch_measurement *measurement);

/** The machine by its hardware: firmware settings that change nodes or CPUs change the identity,
 * what this process may use does not. @return 0, or -1 with errno ENOMEM */
int numarch_machine_identity(hwloc_topology_t topology, char identity[NUMARCH_IDENTITY_SIZE]);

/** The file of an identity, to be freed; NULL with errno ENOENT (neither XDG_CACHE_HOME nor HOME is
 * an absolute path) or ENOMEM. */
char *numarch_measurement_path(const char *identity);

/** Whether there is a file of any machine, or no saying. */
bool numarch_was_measured(void);

/** Read a file. Parameters and result as numarch_measurement_parse(); where there is no such file,
 *  -1 with `problem` NULL and errno ENOENT. */
int numarch_measurement_read(const char *path, const char *identity,
                             struct numarch_measurement *measurement, char **problem);

/** Fill in what was measured on this machine, if it is the running one and was measured.
 *  @return 0, or -1 with errno ENOMEM */
int numarch_build_measured(struct numarch_details *details, const struct numarch *machine,
                           hwloc_topology_t topology);

#endif /* NUMARCH_MEASUREMENT_H */
