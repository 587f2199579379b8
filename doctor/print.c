/*===-- print.c - for people and for programs ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "doctor.h"

#include <stdio.h>

#include "runtime/text.h"

static void print_facts(const struct doctor *doctor) {
  for (size_t i = 0; i < doctor->fact_count; i++)
    printf("%-12s%s\n", doctor->facts[i].subject, doctor->facts[i].text);
  if (doctor->finding_count == 0)
    puts("\nNothing stands in the way.");
  else
    printf("\n%zu thing%s to know:\n", doctor->finding_count,
           doctor->finding_count == 1 ? "" : "s");
}

void doctor_print_text(const struct doctor *doctor, bool only_findings) {
  if (!only_findings)
    print_facts(doctor);
  for (size_t i = 0; i < doctor->finding_count; i++)
    printf("%2zu %s\n   -> %s\n", i + 1, doctor->findings[i].what, doctor->findings[i].cure);
}

static void add_finding(struct minas_text *text, const struct finding *finding) {
  minas_text_add(text, "{\"name\": \"%s\", \"what\": ", finding->name);
  minas_text_add_json(text, finding->what);
  minas_text_add(text, ", \"do\": ");
  minas_text_add_json(text, finding->cure);
  minas_text_add(text, "}");
}

void doctor_print_json(const struct doctor *doctor) {
  struct minas_text text = {0};
  minas_text_add(&text, "{\"minas_doctor\": 1, \"version\": \"" MINAS_VERSION "\",\n \"facts\": {");
  for (size_t i = 0; i < doctor->fact_count; i++) {
    minas_text_add(&text, "%s\"%s\": ", i ? ",\n  " : "\n  ", doctor->facts[i].subject);
    minas_text_add_json(&text, doctor->facts[i].text);
  }
  minas_text_add(&text, "},\n \"findings\": [");
  for (size_t i = 0; i < doctor->finding_count; i++) {
    minas_text_add(&text, i ? ",\n  " : "\n  ");
    add_finding(&text, &doctor->findings[i]);
  }
  minas_text_add(&text, "]}\n");
  fputs(text.bytes ? text.bytes : "", stdout);
  minas_text_free(&text);
}
