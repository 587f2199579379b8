/* Addresses of arrays, of rows and elements, in expressions and in static initialisers: of pointers, of
   tables, in members, by designators, in a function, as a number.

   RUN: %{try} %{program}
   PLACE: MAPP002 decays: block, 0, 4900
   PLACE: MAPP002 with_and: block, 0, 4900
   PLACE: MAPP002 first: block, 0, 4900
   PLACE: MAPP002 inside: block, 0, 4900
   PLACE: MAPP002 tabled: block, 0, 4900
   PLACE: MAPP002 designated: block, 0, 4900
   PLACE: MAPP002 in_member: block, 0, 4900
   PLACE: MAPP002 in_function: block, 0, 4900
   PLACE: MAPP002 compound: block, 0, 4900
   PLACE: MAPP002 numbered: block, 0, 4900
   PLACE: MAPP002 row: block, 0, 49
   PLACE: MAPP002 taken: block, 0, 4900
   HEAP: MAPP057 decays: left alone: its address is in the static initialiser of p1
   HEAP: MAPP057 with_and: left alone: its address is in the static initialiser of p2
   HEAP: MAPP057 first: left alone: its address is in the static initialiser of p3
   HEAP: MAPP057 inside: left alone: its address is in the static initialiser of p4
   HEAP: MAPP057 tabled: left alone: its address is in the static initialiser of table
   HEAP: MAPP057 designated: left alone: its address is in the static initialiser of by_place
   HEAP: MAPP057 in_member: left alone: its address is in the static initialiser of record
   HEAP: MAPP057 in_function: left alone: its address is in the static initialiser of inner
   HEAP: MAPP057 compound: left alone: its address is in the static initialiser of to_compound
   HEAP: MAPP057 numbered: left alone: its address is in the static initialiser of number
   HEAP: MAPP057 row: left alone: its address is in the static initialiser of rows
   HEAP: MAPP061 taken: left alone: its address is taken with &
   CHECK: MAPP002 elements: block, 1, 4900
   CHECK: MAPP002 compared: block, 0, 4900
   CHECK: 2 arrays smaller than 4096 bytes left alone
*/
#include <stdint.h>
#include <stdio.h>
static double decays[5000], with_and[5000], first[5000], inside[5000], tabled[5000], designated[5000];
static double in_member[5000], in_function[5000], compound[5000], numbered[5000], row[50][100];
static double taken[5000], elements[5000], compared[5000];
static double *p1 = decays, (*p2)[5000] = &with_and, *p3 = &first[0], *p4 = inside + 10;
static double *table[] = {tabled, tabled + 1}, *by_place[3] = {[2] = designated};
static struct {
  int n;
  double *values;
} record = {.n = 5000, .values = in_member};
static double **to_compound = (double *[]){compound, NULL};
static uintptr_t number = (uintptr_t)numbered;
static double (*rows)[100] = &row[1];

static double *get(void) {
  static double *const inner = &in_function[5];
  return inner;
}

int main(void) {
  double sum = 0, (*whole)[5000] = &taken, *element = &elements[1], *begin = &*elements;
#pragma omp parallel for
  for (int i = 0; i < 4900; i++) {
    decays[i] = with_and[i] = first[i] = inside[i] = tabled[i] = designated[i] = i;
    in_member[i] = in_function[i] = compound[i] = numbered[i] = row[i / 100][i % 100] = i;
    (*whole)[i] = element[i] = compared[i] = i;
  }
  for (double *p = compared; p < compared + 5000 && p != &compared[5000]; p++)
    sum += *p + begin[p - compared];
  printf("%g %g %g %g %g %g %g\n", sum, *p1, (*p2)[3], *p3, *p4, *table[1], by_place[2][7]);
  printf("%g %g %g %g %g\n", record.values[record.n - 200], to_compound[0][5],
         *((double *)number + 3), rows[1][2], *get());
  return 0;
}
