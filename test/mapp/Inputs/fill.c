static double a[9000];

void fill(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    a[i] = i;
}
