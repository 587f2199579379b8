/* A report is written of a program that has ThreadSanitizer in it, which replaces functions of the C library and is not ready when
   libraries begin.

   UNSUPPORTED: sanitizer
   RUN: %{clang} -g -O1 -fsanitize=thread %s -o %t
   RUN: setarch -R %{build}/bin/mai-run -q -r %t.json %t
   RUN: FileCheck %s <%t.json
   Files that are named from the folder where it begins, and lists of policies in files:
   RUN: rm -rf %t.folder && mkdir %t.folder && echo 'none: cyclic' > %t.folder/list
   RUN: cd %t.folder && env MAI_REPORT=here.json setarch -R %{build}/bin/mai-run -q -p @list %t
   RUN: FileCheck %s < %t.folder/here.json
   CHECK: "program": "{{.*}}report-sanitizer.c.tmp"
*/
int main(void) { return 0; }
