/* A report is written of a program that has ThreadSanitizer in it, which replaces functions of the C library and is not ready when
   libraries begin.

   UNSUPPORTED: sanitizer
   RUN: %{clang} -g -O1 -fsanitize=thread %s -o %t
   RUN: setarch -R %{build}/bin/mai-run -q -r %t.json %t
   RUN: FileCheck %s <%t.json
   CHECK: "program": "{{.*}}report-sanitizer.c.tmp"
*/
int main(void) { return 0; }
