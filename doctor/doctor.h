/*===-- doctor.h - what stands in the way of placement ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * `minas doctor` looks at the machine, the kernel's settings, the rights of this process and its
 * environment.  Each of the functions below looks at one of these, tells what is there (a fact, a
 * line of the ten that are printed) and what is in the way (a finding), with what to do.
 */
#ifndef MINAS_DOCTOR_H
#define MINAS_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum { DOCTOR_TEXT = 320, DOCTOR_MOST_FACTS = 16, DOCTOR_MOST_FINDINGS = 32 };

struct fact {
  const char *subject;
  char text[DOCTOR_TEXT];
};

struct finding {
  const char *name; /* a word for programs */
  char what[DOCTOR_TEXT];
  const char *cure;
};

struct doctor {
  const char *root; /* the folder below which the kernel's files lie; "": they are this system's */
  bool verbose;     /* each file that is read is told */
  bool one_node;    /* known once the machine has been looked at */
  struct fact facts[DOCTOR_MOST_FACTS];
  size_t fact_count;
  struct finding findings[DOCTOR_MOST_FINDINGS];
  size_t finding_count;
};

__attribute__((format(printf, 3, 4))) void doctor_tell(struct doctor *doctor, const char *subject,
                                                       const char *format, ...);

__attribute__((format(printf, 4, 5))) void doctor_find(struct doctor *doctor, const char *name,
                                                       const char *cure, const char *format, ...);

/** The first line of a file of the kernel's. @return whether there is one */
bool doctor_read(const struct doctor *doctor, const char *path, char *line, size_t size);

/** Whether there is a file or folder. */
bool doctor_has(const struct doctor *doctor, const char *path);

/** Whether kernel.perf_event_paranoid forbids users to sample their own programs. */
bool doctor_is_paranoid(const struct doctor *doctor);

/** @return 0, or -1: the machine cannot be read, and errno says why */
int doctor_look_at_machine(struct doctor *doctor);
void doctor_look_at_kernel(struct doctor *doctor);
void doctor_look_at_rights(struct doctor *doctor);
void doctor_look_at_share(struct doctor *doctor);
void doctor_look_at_processor(struct doctor *doctor);
void doctor_look_at_environment(struct doctor *doctor);

/** @param only_findings without what is fine */
void doctor_print_text(const struct doctor *doctor, bool only_findings);
void doctor_print_json(const struct doctor *doctor);

/** The command. @return its exit status */
int doctor_main(int count, char **arguments);

#endif /* MINAS_DOCTOR_H */
