/*===-- memory.c - maps memory for arrays ----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/fail.h"
#include "kernel.h"
#include "mai/process/message.h"
#include "runtime/heap.h"
#include "runtime/maps.h"

size_t mai_memory_part_size(const struct mai_machine *machine, size_t bytes,
                            const struct mai_page_sizes *pages) {
  enum { HUGE_PAGES_A_NODE = 8 };
  bool enough = pages->huge > pages->page &&
                bytes / pages->huge >= (size_t)HUGE_PAGES_A_NODE * machine->node_count;
  return enough ? pages->huge : pages->page;
}

/* Arrays of this size and more get different places in their first page. */
enum { LEAST_ALIGNMENT = 64, SKEW_STEP = 256, SKEW_STEPS = 16, SKEWED_BYTES = 64 << 10 };

static size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

/*===-- New memory ---------------------------------------------------------===*/

static int check_options(const mai_options_t *options) {
  bool power_of_2 = (options->alignment & (options->alignment - 1)) == 0;
  return power_of_2 && options->huge_pages <= MAI_HUGE_EXPLICIT ? 0 : fail(EINVAL);
}

static int choose_pages(const struct mai_machine *machine, const mai_options_t *options,
                        struct mai_page_sizes *pages) {
  *pages = (struct mai_page_sizes){machine->page_size, machine->huge_page_size};
  if (options->huge_pages == MAI_HUGE_OFF)
    pages->huge = 0;
  if (options->huge_pages == MAI_HUGE_TRANSPARENT)
    pages->huge = machine->huge_page_size_on_request;
  if (options->huge_pages != MAI_HUGE_EXPLICIT)
    return 0;
  *pages = (struct mai_page_sizes){mai_machine_explicit_huge_page_size(), 0};
  return pages->page ? 0 : fail(ENOMEM);
}

/* Where in its first page an array begins. */
static size_t skew(const struct mai_memory_request *request, size_t page) {
  static _Atomic unsigned arrays;
  if (request->options.alignment || request->bytes < SKEWED_BYTES)
    return 0;
  size_t offset =
      atomic_fetch_add_explicit(&arrays, 1, memory_order_relaxed) % SKEW_STEPS * SKEW_STEP;
  /* Explicit huge pages are too few to spend one on this. */
  bool one_more = (request->bytes - 1) % page + offset >= page;
  return one_more && request->options.huge_pages == MAI_HUGE_EXPLICIT ? 0 : offset;
}

/* The first address from `start` on, at a multiple of `align`, at which a cycle of parts begins. */
static uintptr_t first_part(const struct mai_machine *machine, size_t part, size_t cycle,
                            uintptr_t start, size_t align) {
  uintptr_t begin = round_up(start, align);
  for (size_t i = 0; i < cycle; i++, begin += align)
    if ((begin / part & machine->interleave_mask) % cycle == 0)
      return begin;
  return round_up(start, align);
}

/* Map memory at `address`, in place of what is there; NULL: anywhere. */
static void *map(void *address, size_t bytes, bool explicit_huge) {
  int flags =
      MAP_PRIVATE | MAP_ANONYMOUS | (explicit_huge ? MAP_HUGETLB : 0) | (address ? MAP_FIXED : 0);
  void *all = mmap(address, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (all != MAP_FAILED)
    return all;
  if (!explicit_huge) /* of which there are often none */
    MAI_REFUSED("mmap");
  errno = ENOMEM;
  return NULL;
}

/* Addresses that nothing else gets. */
static void *reserve(size_t bytes) {
  void *all = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all != MAP_FAILED)
    return all;
  MAI_REFUSED("mmap");
  errno = ENOMEM;
  return NULL;
}

/* Whole huge pages are worth their alignment. */
static size_t mapping_alignment(const struct mai_memory_request *request,
                                const struct mai_page_sizes *pages) {
  size_t align = pages->huge && request->bytes >= pages->huge ? pages->huge : pages->page;
  return request->options.alignment > align ? request->options.alignment : align;
}

/* Map `bytes` bytes at `start` within the `all` bytes that are reserved, and give both ends back.
 */
static int map_within(char *reserved, size_t all, char *start, size_t bytes, bool explicit_huge) {
  size_t head = (size_t)(start - reserved);
  size_t tail = all - head - bytes;
  if (!map(start, bytes, explicit_huge)) {
    munmap(reserved, all);
    return fail(ENOMEM);
  }
  if (head)
    munmap(reserved, head);
  if (tail)
    munmap(start + bytes, tail);
  return 0;
}

/* More addresses are reserved than are needed, but no more memory. */
static int map_aligned(const struct mai_machine *machine, const struct mai_memory_request *request,
                       struct mai_memory *memory) {
  bool explicit_huge = request->options.huge_pages == MAI_HUGE_EXPLICIT;
  size_t align = mapping_alignment(request, &memory->pages);
  size_t bytes = memory->mapping_bytes;
  size_t slack;
  if (__builtin_mul_overflow(align, request->cycle, &slack))
    return fail(ENOMEM);
  slack -= machine->page_size;
  if (bytes > SIZE_MAX - slack)
    return fail(ENOMEM);
  if (slack == 0) {
    memory->mapping = map(NULL, bytes, explicit_huge);
    return memory->mapping ? 0 : -1;
  }
  char *all = reserve(bytes + slack);
  if (!all)
    return -1;
  size_t part = mai_memory_part_size(machine, request->bytes, &memory->pages);
  memory->mapping = (char *)first_part(machine, part, request->cycle, (uintptr_t)all, align);
  return map_within(all, bytes + slack, memory->mapping, bytes, explicit_huge);
}

void mai_memory_advise(void *start, size_t bytes, unsigned huge_pages) {
  if (huge_pages == MAI_HUGE_OFF)
    madvise(start, bytes, MADV_NOHUGEPAGE);
  if (huge_pages == MAI_HUGE_TRANSPARENT)
    madvise(start, bytes, MADV_HUGEPAGE);
}

static void (*listener)(uintptr_t begin, uintptr_t end);

void mai_memory_listen(void (*mapped)(uintptr_t begin, uintptr_t end)) { listener = mapped; }

void mai_memory_tell_mapped(const void *start, size_t bytes) {
  if (listener)
    listener((uintptr_t)start, (uintptr_t)start + bytes);
}

int mai_memory_map(const struct mai_machine *machine, const struct mai_memory_request *request,
                   struct mai_memory *memory) {
  if (check_options(&request->options) != 0 ||
      choose_pages(machine, &request->options, &memory->pages) != 0)
    return -1;
  size_t page = memory->pages.page;
  size_t offset = skew(request, page);
  if (request->bytes > SIZE_MAX - offset - page)
    return fail(ENOMEM);
  memory->mapping_bytes = round_up(request->bytes + offset, page);
  if (map_aligned(machine, request, memory) != 0)
    return -1;
  memory->start = memory->mapping + offset;
  mai_memory_tell_mapped(memory->mapping, memory->mapping_bytes);
  mai_memory_advise(memory->mapping, memory->mapping_bytes, request->options.huge_pages);
  return 0;
}

/*===-- Memory that is there -----------------------------------------------===*/

/* Where the heap that brk() makes begins, which is private memory of no file. */
static uintptr_t heap_start;

__attribute__((constructor)) static void find_heap(void) { heap_start = (uintptr_t)sbrk(0); }

static bool lies_in_heap(uintptr_t begin, uintptr_t end) {
  return begin >= heap_start && end <= (uintptr_t)sbrk(0);
}

struct mai_memory_kind mai_memory_kind(uintptr_t begin, uintptr_t end) {
  struct mai_memory_kind kind = {.replaceable = lies_in_heap(begin, end)};
  struct minas_maps maps;
  struct minas_mapping mapping;
  uintptr_t covered = begin;
  if (kind.replaceable || minas_maps_open_from(&maps, begin) != 0)
    return kind;
  while (covered < end && minas_maps_next(&maps, &mapping)) {
    if (mapping.begin > covered || !mapping.writable || mapping.executable || mapping.shared)
      break;
    kind.from_file |= mapping.inode != 0;
    covered = mapping.end;
  }
  minas_maps_close(&maps);
  kind.replaceable = covered >= end;
  return kind;
}

static bool begins_with_any(const char *path, const char *const *starts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(path, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

/* Drivers of accelerators and network cards may be writing to any page of the process, and so may
   the kernel for io_uring and asynchronous input; it does not tell to which. */
static bool is_of_writer(const struct minas_mapping *mapping) {
  static const char *const writers[] = {"/dev/", "anon_inode:[io_uring]", "/[aio]"};
  static const char *const harmless[] = {"/dev/shm/", "/dev/zero", "/dev/hugepages/"};
  return begins_with_any(mapping->path, writers, sizeof writers / sizeof *writers) &&
         !begins_with_any(mapping->path, harmless, sizeof harmless / sizeof *harmless);
}

static bool has_writer(void) {
  struct minas_maps maps;
  struct minas_mapping mapping;
  bool found = false;
  if (minas_maps_open(&maps) != 0)
    return true;
  while (!found && minas_maps_next(&maps, &mapping))
    found = is_of_writer(&mapping);
  minas_maps_close(&maps);
  return found;
}

/* Memory with policies that the library has set is still what it was; other memory is the
   program's, which says that it is there. */
static bool has_policies(uintptr_t begin, uintptr_t end) {
  struct minas_maps maps;
  struct minas_mapping mapping;
  bool all = true;
  if (minas_maps_open_from(&maps, begin) != 0)
    return false;
  while (all && minas_maps_next(&maps, &mapping) && mapping.begin < end)
    all = mai_kernel_has_policy(mapping.begin > begin ? mapping.begin : begin);
  minas_maps_close(&maps);
  return all;
}

/* Readable and writable, accounted for or not, of a running program's file or of none.  What is
   left out: locked (lo), kept from children (dc, wf) or dumps (dd), watched by userfaultfd (um, uw,
   ui), a device's (io, pf), a stack (gd), merged with others' (mg), under protection keys. */
#define PLAIN "rd wr mr mw me dw ac nr sd"

bool mai_memory_is_plain(const struct mai_range *range) {
  const char *plain = range->own ? PLAIN " nh hg" : PLAIN " nh";
  return minas_maps_status("VmPin") == 0 && !has_writer() &&
         minas_maps_have_only(range->begin, range->end, plain) &&
         (!range->governed || has_policies(range->begin, range->end));
}

bool mai_memory_forbids_huge_pages(uintptr_t begin, uintptr_t end) {
  return !minas_maps_have_only(begin, end, PLAIN);
}

size_t mai_memory_mappings(uintptr_t begin, uintptr_t end) {
  struct minas_maps maps;
  struct minas_mapping mapping;
  size_t count = 0;
  if (begin >= end || minas_maps_open_from(&maps, begin) != 0)
    return 0;
  while (minas_maps_next(&maps, &mapping) && mapping.begin < end)
    count++;
  minas_maps_close(&maps);
  return count;
}

static int append_end(struct mai_mapping_list *list, size_t *capacity, uintptr_t end) {
  if (list->count == *capacity) {
    size_t larger = *capacity ? 2 * *capacity : 256;
    uintptr_t *ends = minas_resize(list->ends, larger * sizeof *ends);
    if (!ends)
      return -1;
    list->ends = ends;
    *capacity = larger;
  }
  list->ends[list->count++] = end;
  return 0;
}

int mai_memory_list_mappings(struct mai_mapping_list *list) {
  struct minas_maps maps;
  struct minas_mapping mapping;
  size_t capacity = 0;
  int result = 0;
  *list = (struct mai_mapping_list){0};
  if (minas_maps_open(&maps) != 0)
    return -1;
  while (result == 0 && minas_maps_next(&maps, &mapping))
    result = append_end(list, &capacity, mapping.end);
  minas_maps_close(&maps);
  return result;
}

/* How many mappings end at `address` or before it. */
static size_t count_ends(const struct mai_mapping_list *list, uintptr_t address) {
  size_t low = 0;
  size_t high = list->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (list->ends[middle] <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

size_t mai_memory_count_mappings(const struct mai_mapping_list *list, uintptr_t begin,
                                 uintptr_t end) {
  return begin < end ? count_ends(list, end - 1) - count_ends(list, begin) + 1 : 0;
}
