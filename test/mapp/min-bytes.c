/* Arrays smaller than --min-bytes are only counted; the default is a page.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --min-bytes=4095 %s 2>&1 | FileCheck %s --check-prefix=LESS
   RUN: mapp-rewrite --min-bytes=4097 %s 2>&1 | FileCheck %s --check-prefix=MORE
*/

static char smaller[4095], page[4096];
// CHECK: {{^}}+MAI_STATIC(page,
// CHECK-NOT: {{^}}+
// CHECK: {{^}}1 array smaller than 4096 bytes left alone
// LESS: {{^}}+MAI_STATIC(smaller,
// LESS-NEXT: {{^}}+MAI_STATIC(page,
// LESS-NOT: {{^[0-9]+}} array
// MORE-NOT: {{^}}+
// MORE: {{^}}2 arrays smaller than 4097 bytes left alone

void fill(void) {
#pragma omp parallel for
  for (int i = 0; i < 4095; i++)
    page[i] = smaller[i]++;
}
