/* A handler of messages may call the library, also when what it is told of happened while the library
   started or placed an array: it is called when the library's own work is done.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: env MAI_MAP_FILE=/nonexistent MAI_POLICY=refused:wrong timeout 60 %t | FileCheck %s
*/
#include <mai.h>
#include <stdlib.h>
#include <string.h>

static char *kept;

static void handle(const char *message, void *count) {
  static int depth;
  struct mai_pages pages;
  int works = 1;
  if (depth++ == 0) {
    char *array = mai_alloc_cyclic(100, 4096);
    memset(array, 1, 100 * 4096);
    works = mai_verify(array, &pages, NULL, 0) == 0 && mai_replace_all(NULL) == 0 &&
            mai_free(array) == 0;
    if (kept) /* of which the message may be */
      mai_replace(kept, NULL, NULL);
  }
  depth--;
  printf("%d: %s: %d\n", ++*(int *)count, message, works);
}

int main(void) {
  int count = 0;
  mai_set_message_handler(handle, &count);
  // CHECK-DAG: MAI_POLICY: column 9: {{.*}}: it is left out
  // CHECK-DAG: /nonexistent {{.*}}: 1
  mai_init();
  const char *bind = "bind 0";
  kept = mai_alloc(10, 4096, bind, "refused");
  // CHECK: handled: 1
  printf("handled: %d\n", count > 0 && kept);
}
