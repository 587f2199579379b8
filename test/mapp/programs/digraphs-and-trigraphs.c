/* Brackets, braces and number signs in their other spellings; a line that goes on.

   RUN: %{try} %{program} -std=c11 -Wno-trigraphs -Wno-comment
   CHECK: MAPP001 digraph: block
   CHECK: MAPP001 trigraph: block
   PLACE: MAPP001 splitted: block
   HEAP: MAPP056 splitted: left alone: its declaration is not of the form `static type name[...]`
*/
%:include <stdio.h>
static double digraph<:9000:>;
static double trigraph??(9000??); // goes on ??/
still a comment;
static double split\
ted[9\
000];
??=define N 9000

int main(void) <%
  double sum = 0;
%:pragma omp parallel for
  for (int i = 0; i < N; i++)
    digraph<:i:> = trigraph??(i??) = splitted[i] = i;
  for (int i = 0; i < N; i++)
    sum += digraph[i] + trigraph[i] + splitted[i];
  printf("%g\n", sum);
  return 0;
%>
