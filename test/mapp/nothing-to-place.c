/* About a program without static arrays there is nothing to say.

   RUN: mapp-rewrite %s 2>&1 | count 0
   RUN: mapp-rewrite -o %t.c %s 2>&1 | count 0
   RUN: cmp %s %t.c
*/

void scale(int n, double *a) {
  static int calls;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] *= 2;
  calls++;
}
