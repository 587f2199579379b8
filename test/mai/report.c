/* The report names every array, also the freed ones, with its policy, pages and statistics, as
   text and as JSON.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: env MAI_REPORT=1 OMP_NUM_THREADS=1 %t 2>&1 | FileCheck %s
   RUN: env MAI_REPORT=%t.json OMP_NUM_THREADS=1 %t
   RUN: python3 -m json.tool %t.json | FileCheck --check-prefix=JSON %s
   A report that cannot be written is said, and the program ends as it would have:
   RUN: env MAI_REPORT=/nonexistent/report %t 2>&1 | FileCheck --check-prefix=NOWHERE %s
   Without being asked, nothing is printed:
   RUN: %t 2>&1 | count 0
*/
#include <mai.h>
#include <mai_static.h>
#include <string.h>

static char grid[10][8192];
MAI_STATIC(grid, "block", 1, 8);

int main(void) {
  memset(grid, 1, sizeof grid);
  const char *cyclic = "cyclic";
  char *kept = mai_alloc(2, 4096, cyclic, "kept \"array\"");
  kept[0] = 1;
  const char *bind = "bind 0";
  mai_alloc(1, 1, cyclic, "<&>\x01\xff");
  char *freed = mai_alloc(3, 4096, bind, "gone");
  memset(freed, 1, 3 * 4096);
  return mai_free(freed);
}

/* CHECK: MAi report: {{.*}}, process {{[0-9]+}}, pages of 4096 bytes
   CHECK-NEXT: array size policy node 0
   CHECK-SAME: untouched placed spilled failed mappings moved placing/s
   CHECK-DAG: gone (freed) 12.0 KiB bind 0 {{ *}}3 {{.*}}0 3 0 0 1 0 {{[0-9.]+$}}
   CHECK-DAG: grid 80.0 KiB block 1..8
   CHECK-DAG: kept "array" 8.0 KiB cyclic {{.*}}1 1 0 0 1 0 {{[0-9.]+$}}
   CHECK: threads (

   JSON: "mai_report": 1
   JSON-DAG: "pages_a_cell": 1
   JSON-DAG: "cells": "0 -"
   JSON-DAG: "name": "gone"
   JSON-DAG: "name": "kept \"array\""
   JSON-DAG: "name": "grid"
   JSON-DAG: "policy": "block 1..8"
   JSON-DAG: "mappings": 1
   JSON-DAG: "moved_pages": 0
   JSON-DAG: "placing_seconds": {{[0-9.e-]+}}
   JSON: "threads_mapped_by":

   NOWHERE: mai: no report: /nonexistent/report: No such file or directory
*/
