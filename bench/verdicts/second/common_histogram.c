/* All threads count in one large histogram, at random.

   verdict: scattered histogram
   cure: static|sort
 */
enum { BINS = 1 << 15, N = 1 << 17, ROUNDS = 4 };
static long histogram[BINS];

int main(void) {
#pragma omp parallel for schedule(static)
  for (int bin = 0; bin < BINS; bin++)
    histogram[bin] = 0;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++) {
#pragma omp atomic
      histogram[((unsigned)(i + round) * 2654435761U) >> 17]++;
    }
  return histogram[1] < 0;
}
