// The node that an element's page is on, as the kernel says.
#ifndef NODE_OF_H
#define NODE_OF_H

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

static int nodeOf(const double *element) {
  const uintptr_t page = reinterpret_cast<uintptr_t>(element) & -uintptr_t(sysconf(_SC_PAGESIZE));
  void *pages[] = {reinterpret_cast<void *>(page)};
  int status[] = {-1};
  syscall(SYS_move_pages, 0, 1UL, pages, nullptr, status, 0);
  return status[0];
}

#endif // NODE_OF_H
