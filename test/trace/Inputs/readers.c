/* Two threads read what neither has written. */
enum { N = 1000 };
_Alignas(64) double field[N];
_Alignas(64) double sum[2][8];

int main(void) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (int thread = 0; thread < 2; thread++)
    for (int i = 0; i < N; i++)
      sum[thread][0] += field[i];
  return sum[0][0] != 0;
}
