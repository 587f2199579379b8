/* Elements of every kind: booleans, enumerators, wide integers, long doubles, pointers to functions
   and to rows.

   RUN: %{try} %{program}
   CHECK: MAPP001 flags: block
   CHECK: MAPP001 colours: block
   CHECK: MAPP001 wide: block
   CHECK: MAPP001 precise: block
   PLACE: MAPP001 functions: block
   HEAP: MAPP056 functions: left alone: its declaration is not of the form `static type name[...]`
   CHECK: MAPP001 table: block
   PLACE: MAPP001 rows: block
   HEAP: MAPP056 rows: left alone: its declaration is not of the form `static type name[...]`
   CHECK: MAPP001 image: block
   CHECK: MAPP001 spelt: block
   CHECK: 1 array smaller than 4096 bytes left alone
*/
#include <stdint.h>
#include <stdio.h>
enum colour { RED, GREEN };
typedef double (*function)(double);
static _Bool flags[9000];
static enum colour colours[3000];
static __int128 wide[600];
static long double precise[1000];
static double (*functions[1000])(double);
static function table[1000];
static double (*rows[1000])[3];
static uint8_t image[48][640][3];
static unsigned long long int spelt[1000];
static double row[3];

static double same(double number) { return number; }

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    flags[i] = i % 3 == 0;
#pragma omp parallel for
  for (int i = 0; i < 3000; i++)
    colours[i] = GREEN;
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) {
    precise[i] = i;
    functions[i] = table[i] = same;
    rows[i] = &row;
    spelt[i] = (unsigned)i;
    if (i < 600)
      wide[i] = i;
  }
#pragma omp parallel for collapse(3)
  for (int y = 0; y < 48; y++)
    for (int x = 0; x < 640; x++)
      for (int c = 0; c < 3; c++)
        image[y][x][c] = (uint8_t)(x + y + c);
  for (int i = 0; i < 600; i++)
    sum += flags[i] + (int)colours[i] + (double)precise[i] + functions[i](i) + table[i](1) +
           (*rows[i])[0] + image[i % 48][i][2] + (double)spelt[i] + (double)wide[i];
  printf("%g\n", sum);
  return 0;
}
