/* Options of gcc that Clang does not know, and options that write files or read profiles, are no
   hindrance and have no effect.

   RUN: rm -rf %t && mkdir %t && cd %t
   RUN: mapp-rewrite %s -- -O3 -fipa-pta -specs=some.specs -mpreferred-stack-boundary=4 \
   RUN:   -fno-such-option --param max-inline-insns-single=100 -fprofile-use=none.profile -flto=auto \
   RUN:   -Wl,-z,now -MD -MF out.d -o out.o -c -std=gnu89 -Werror -DLENGTH=9000 2>&1 | FileCheck %s
   RUN: ls %t | count 0
*/

// CHECK: {{^\+}}MAI_STATIC(array, "block");
static double array[LENGTH];

fill() {
  int i;
#pragma omp parallel for
  for (i = 0; i < LENGTH; i++)
    array[i] = i;
}
