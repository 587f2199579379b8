/* Arrays are zeroed, writable to the last byte, and at a page boundary, for odd sizes too; so are those
   that get the memory of an array that was freed with its copies.

   RUN: %{gcc} %s -o %t %{mai} && %t | FileCheck %s
*/
#include <mai.h>
#include <stdint.h>
#include <string.h>

static int is_sound(char *array, size_t bytes) {
  if (!array || (uintptr_t)array % 4096 != 0)
    return 0;
  for (size_t i = 0; i < bytes; i++)
    if (array[i])
      return 0;
  memset(array, 1, bytes);
  return mai_free(array) == 0;
}

static int free_with_copies(void) {
  const char *replicate = "replicate";
  char *array = mai_alloc_block(1, 5000);
  return mai_replace(array, replicate, NULL) == 0 && mai_replicate(array) == 0 &&
         mai_free(array) == 0 && is_sound(mai_alloc_block(1, 5000), 5000);
}

int main(void) {
  // CHECK: 1 1 1 1
  printf("%d %d %d %d\n", is_sound(mai_alloc_cyclic(1, 1), 1),
         is_sound(mai_alloc_block(3, 5000), 15000), is_sound(mai_alloc_bind(1, 4097, 0), 4097),
         is_sound(mai_alloc_cyclic(9, 1 << 20), 9 << 20));
  // CHECK-NEXT: with copies 1
  printf("with copies %d\n", free_with_copies());
}
