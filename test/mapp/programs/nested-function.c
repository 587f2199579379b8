/* gcc's functions inside of functions are none of Clang's: nothing is written.

   RUN: %{try} --fails %{program}
   CHECK: nested-function.c:[[#]]:{{[0-9]+}}: error: function definition is not allowed here
   CHECK: MAPP091 1 of 1 files cannot be analysed; nothing is written
*/
static double a[5000];
int main(void) {
  void fill(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      a[i] = i;
  }
  fill(5000);
  return a[3] > 4;
}
