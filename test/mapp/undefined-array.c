/* An array that is defined in none of the files given is only spoken of.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s --implicit-check-not=+
*/

// CHECK: c:[[#]]: elsewhere: left alone: only declared here; no definition among the files given
extern double elsewhere[9000];

void fill(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; ++i)
    elsewhere[i] = i;
}
