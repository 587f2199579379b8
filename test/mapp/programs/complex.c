/* Complex elements, and their parts.

   RUN: %{try} %{program}
   PLACE: MAPP001 signal: block
   HEAP: MAPP059 signal: left alone: its size is taken with sizeof
   CHECK: MAPP001 spectrum: block
   CHECK: MAPP001 plane: block
*/
#include <complex.h>
#include <stdio.h>
#include <string.h>
static double complex signal[2048], spectrum[2048];
static float _Complex plane[64][64];

static void butterfly(int n, double complex *restrict from, double complex to[n]) {
#pragma omp parallel for
  for (int i = 0; i < n / 2; i++) {
    to[i] = from[i] + from[i + n / 2];
    to[i + n / 2] = from[i] - from[i + n / 2];
  }
}

int main(void) {
  for (int i = 0; i < 2048; i++)
    signal[i] = i + 2 * I;
  butterfly(2048, signal, spectrum);
  memcpy(signal, spectrum, sizeof signal);
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) {
      __real__ plane[i][j] = (float)i;
      __imag__ plane[i][j] = (float)j;
    }
  printf("%g %g %g\n", creal(signal[5]), cimag(signal[1030]), (double)crealf(plane[3][4]));
  return 0;
}
