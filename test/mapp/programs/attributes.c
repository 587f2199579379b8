/* Attributes that say where or under which name an array lies. Alignment, visibility, an assembler name do no harm;
   weak ones, aliases and sections are somebody else's plans.

   RUN: %{try} %{program}
   PLACE: MAPP001 behind: block
   PLACE: MAPP001 between: block
   PLACE: MAPP001 front: block
   PLACE: MAPP001 beside: block
   PLACE: MAPP001 standard: block
   PLACE: MAPP001 visible: block
   PLACE: MAPP001 common: block
   PLACE: MAPP001 uncommon: block
   PLACE: MAPP001 renamed: block
   HEAP: MAPP054 behind: left alone: its declaration has attributes
   HEAP: MAPP052 between: left alone: other files may declare it: it is not static
   HEAP: MAPP054 front: left alone: its declaration has attributes
   HEAP: MAPP054 beside: left alone: its declaration has attributes
   HEAP: MAPP054 standard: left alone: its declaration has attributes
   HEAP: MAPP052 visible: left alone: other files may declare it: it is not static
   HEAP: MAPP052 common: left alone: other files may declare it: it is not static
   HEAP: MAPP052 uncommon: left alone: other files may declare it: it is not static
   HEAP: MAPP054 renamed: left alone: its declaration has attributes
   CHECK: MAPP025 weak: left alone: weak: another definition may replace it
   CHECK: MAPP024 section: left alone: it lies in a section of its own
   PLACE: MAPP001 target: block
   HEAP: MAPP052 target: left alone: other files may declare it: it is not static
   CHECK: MAPP026 alias: left alone: an alias of another variable
*/
#include <stdio.h>
static double behind[5000] __attribute__((aligned(64)));
double __attribute__((aligned(4096))) between[5000];
__attribute__((unused)) static double front[5000], beside[5000];
_Alignas(128) static double standard[5000];
extern double visible[5000];
double visible[5000] __attribute__((visibility("hidden")));
double common[5000] __attribute__((common)), uncommon[5000] __attribute__((nocommon));
static double renamed[5000] __asm__("array_under_another_name");
double weak[5000] __attribute__((weak));
double section[5000] __attribute__((section(".special"))) = {1};
double target[5000] = {2};
extern double alias[5000] __attribute__((alias("target")));

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 5000; i++) {
    behind[i] = between[i] = front[i] = beside[i] = standard[i] = visible[i] = i;
    common[i] = uncommon[i] = renamed[i] = weak[i] = section[i] = i;
    alias[i] += target[i];
  }
  for (int i = 0; i < 5000; i++)
    sum += behind[i] + between[i] + front[i] + beside[i] + standard[i] + visible[i] + common[i] +
           uncommon[i] + renamed[i] + weak[i] + section[i];
  printf("%g\n", sum);
  return 0;
}
