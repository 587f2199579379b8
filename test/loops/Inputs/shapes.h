/* Loops of many shapes under schedule(SCHEDULE), in a function NAME(n, chunk): each of them sees the
   numbers from 0 to n - 1, or as many as check() is told. */
static void NAME(int n, int chunk) {
  const unsigned long un = (unsigned long)n;
  (void)chunk;
#pragma omp parallel for schedule(SCHEDULE)
  for (int i = 0; i < n; i++)
    see((unsigned long)i);
  check("upwards", n);
#pragma omp parallel for schedule(SCHEDULE)
  for (int i = n - 1; i >= 0; i--)
    see((unsigned long)i);
  check("downwards", n);
#pragma omp parallel for schedule(SCHEDULE)
  for (int i = -3 * n; i < 0; i += 3)
    see((unsigned long)(-i / 3 - 1));
  check("below zero", n);
#pragma omp parallel for schedule(SCHEDULE)
  for (unsigned long i = 0; i < un; i++)
    see(i);
  check("unsigned", n);
#pragma omp parallel for schedule(SCHEDULE)
  for (unsigned long i = 7 * un; i > 0; i -= 7)
    see(i / 7 - 1);
  check("unsigned, downwards", n);
#pragma omp parallel for schedule(SCHEDULE)
  for (unsigned long i = ULONG_MAX - un; i < ULONG_MAX; i++)
    see(i - (ULONG_MAX - un));
  check("up to the largest unsigned number", n);
#pragma omp parallel for schedule(SCHEDULE)
  for (unsigned long i = ULONG_MAX / 2 - un / 2; i < ULONG_MAX / 2 - un / 2 + un; i++)
    see(i - (ULONG_MAX / 2 - un / 2));
  check("over the largest signed number", n);
#pragma omp parallel for schedule(SCHEDULE)
  for (long i = LONG_MAX - n; i < LONG_MAX; i++)
    see((unsigned long)(i - (LONG_MAX - n)));
  check("up to the largest signed number", n);
#pragma omp parallel for schedule(SCHEDULE)
  for (long i = LONG_MIN + n; i > LONG_MIN; i--)
    see((unsigned long)(i - LONG_MIN - 1));
  check("down to the smallest number", n);
#pragma omp parallel for collapse(2) schedule(SCHEDULE)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      see((unsigned long)(3 * i + j));
  check("of two loops", 3 * n);

#pragma omp parallel
  {
#pragma omp for schedule(SCHEDULE) nowait
    for (int i = 0; i < n; i++)
      see((unsigned long)i);
#pragma omp for schedule(SCHEDULE) nowait
    for (long i = n; i < 2 * n; i++)
      see((unsigned long)i);
#pragma omp for schedule(SCHEDULE) nowait
    for (unsigned long i = 3 * un; i > 2 * un; i--)
      see(i - 1);
#pragma omp for schedule(SCHEDULE)
    for (int i = 3 * n; i < 4 * n; i++)
      see((unsigned long)i);
  }
  check("nobody waits", 4 * n);
#pragma omp parallel
  {
    if (omp_get_thread_num() % 3 == 1)
      usleep(100);
#pragma omp for schedule(SCHEDULE) nowait
    for (int i = 0; i < n; i++)
      see((unsigned long)i);
    if (omp_get_thread_num() % 3 == 2)
      usleep(100);
#pragma omp for schedule(SCHEDULE)
    for (int i = n; i < 2 * n; i++)
      see((unsigned long)i);
  }
  check("late threads", 2 * n);
  long sum = 0;
#pragma omp parallel for schedule(SCHEDULE) reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    see((unsigned long)i);
    sum += i;
  }
  check("sum", sum == (long)n * (n - 1) / 2 ? n : -1);
#ifndef __clang__ /* LLVM's run-time itself has others where threads steal */
  int last = -1;
#pragma omp parallel for schedule(SCHEDULE) lastprivate(last)
  for (int i = 0; i < n; i++) {
    see((unsigned long)i);
    last = i;
  }
  check("last", n == 0 || last == n - 1 ? n : -1);
#endif
#pragma omp parallel for schedule(SCHEDULE) num_threads(3)
  for (int i = 0; i < n / 50; i++)
#pragma omp parallel for schedule(SCHEDULE) num_threads(2)
    for (int j = 0; j < 50; j++)
      see((unsigned long)(50 * i + j));
  check("inside each other", n / 50 * 50);
#pragma omp parallel for schedule(SCHEDULE) num_threads(1)
  for (int i = 0; i < n; i++)
    see((unsigned long)i);
  check("one thread", n);
#pragma omp for schedule(SCHEDULE)
  for (int i = 0; i < n; i++)
    see((unsigned long)i);
  check("no region", n);
}
#undef NAME
#undef SCHEDULE
