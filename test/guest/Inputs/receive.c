// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits in a saved guest until it goes on, then prints the archive that the host has put into the memory of a
// device: receive <the device's file> <bytes>.  The archive's length stands in front of it, in a page of its own.
#include <fcntl.h>
#include <linux/random.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, POLL_MICROSECONDS = 5000 };

static int print(const char *data, size_t length) {
  while (length > 0) {
    ssize_t written = write(STDOUT_FILENO, data, length);
    if (written <= 0)
      return -1;
    data += written;
    length -= (size_t)written;
  }
  return 0;
}

// All guests that go on from one saved state would have the same random numbers.
static int renew_random_numbers(void) {
  int random = open("/dev/urandom", O_WRONLY);
  return random < 0 ? -1 : ioctl(random, RNDRESEEDCRNG);
}

int main(int count, char **words) {
  if (count != 3)
    return EXIT_FAILURE;
  int device = open(words[1], O_RDWR);
  void *memory = mmap(NULL, strtoul(words[2], NULL, 10), PROT_READ, MAP_SHARED, device, 0);
  if (memory == MAP_FAILED) {
    perror(words[1]);
    return EXIT_FAILURE;
  }
  const volatile uint64_t *length = memory;
  while (*length == 0)
    usleep(POLL_MICROSECONDS);
  if (renew_random_numbers() != 0)
    perror("/dev/urandom");
  return print((const char *)memory + PAGE, *length) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
