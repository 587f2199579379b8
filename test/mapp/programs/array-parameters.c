/* Parameters of every form: pointers, arrays with and without extents, of variable length, static extents,
   pointers to rows; arguments with and without casts.

   RUN: %{try} %{program}
   CHECK: MAPP002 u: block, 1, (NX) - 2
   CHECK: MAPP002 next: block, 1, (NX) - 2
   CHECK: MAPP001 open: block
   CHECK: MAPP001 flat: block
   CHECK: MAPP002 cast: block, 70, (NX * NY) - 140
   PLACE: MAPP001 bytes_of: block
   PLACE: MAPP001 bytes: block
   HEAP: MAPP059 bytes_of: left alone: its size is taken with sizeof
   HEAP: MAPP059 bytes: left alone: its size is taken with sizeof
*/
#include <stdio.h>
#include <string.h>
#define NX 60
#define NY 70
static double u[NX][NY], next[NX][NY], open[NX][NY][2], flat[NX * NY], cast[NX * NY], bytes_of[NX][NY];
static unsigned char bytes[NX * NY * sizeof(double)];

static void init(int nx, int ny, double a[nx][ny]) {
#pragma omp parallel for
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      a[i][j] = i == 0 || j == 0;
}

static void sweep(int nx, int ny, double (*a)[ny], double b[static nx][ny]) {
#pragma omp parallel for
  for (int i = 1; i < nx - 1; i++)
    for (int j = 1; j < ny - 1; j++)
      b[i][j] = .25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

static void fixed(double a[][NY][2], int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < NY; j++)
      a[i][j][1] = i + j;
}

static double norm(int n, const double *restrict v) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += v[i];
  return sum;
}

static void set(void *target, size_t n) {
  unsigned char *b = target;
#pragma omp parallel for
  for (size_t i = 0; i < n; i++)
    b[i] = (unsigned char)i;
}

int main(void) {
  init(NX, NY, u);
  init(NX, NY, next);
  for (int step = 0; step < 4; step++) {
    sweep(NX, NY, u, next);
    sweep(NX, NY, next, u);
  }
  init(NX, NY, (double(*)[NY])flat);
  sweep(NX, NY, u, (void *)cast);
  fixed(open, NX);
  set(bytes_of, sizeof bytes_of);
  set(bytes, sizeof bytes);
  printf("%.10g %.10g %.10g %g %d\n", norm(NX * NY, (double *)u), norm(NX * NY, &flat[0]),
         norm(NX * NY, *next), open[3][4][1] + cast[100], memcmp(bytes, bytes_of, sizeof bytes));
  return 0;
}
