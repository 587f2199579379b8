/* A pragma at the declaration overrides the choice; one that is not understood is named.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{gcc} -Wno-unknown-pragmas -fsyntax-only %s
   RUN: mapp-rewrite -q -o %t.c %s && mapp-rewrite %t.c -q | count 0
   RUN: %{clang} -Wno-unknown-pragmas %t.c -o %t.exe %{mai} && %t.exe
*/

// CHECK: {{^}}+MAI_STATIC(skewed, "skew"
// CHECK: {{^}}+MAI_STATIC_2D(columns, "block by columns for 8 threads");
// CHECK: {{^}}+MAI_STATIC(list, "block");
// CHECK: skewed: skew: a pragma says so ({{.*}}c:[[#]]) [MAPP007]
#pragma mapp place(skewed: skew)
static double skewed[9000];
// CHECK: columns: block by columns for 8 threads: a pragma says so
static double columns[90][100];
#pragma mapp place(columns : block by columns for 8 threads)
// CHECK: kept: left alone: a pragma says so ({{.*}}) [MAPP013]
#pragma mapp keep(kept, kept_too)
static double kept[9000], kept_too[9000];
// CHECK: list: block: elements
static double list[9000];
#pragma mapp off
// CHECK: off: left alone: a pragma says so
static double off[9000];
#pragma mapp plaice(off: block)
#pragma mapp place(nothing: block)
#pragma mapp place(list: blok)

// CHECK: c:[[#]]: warning: expected place(name: policy), keep(name) or off [MAPP081]
// CHECK: c:[[#]]: warning: no static array nothing [MAPP082]
// CHECK: c:[[#]]: warning: list: column 1: expected {{.*}}, found 'blok' [MAPP081]
// CHECK-NEXT: {{^}}  blok
// CHECK-NEXT: {{^}}  ^

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    skewed[i] = columns[i / 100][i % 100] = kept[i] = kept_too[i] = list[i] = off[i] = i;
  return skewed[3] > 4;
}
