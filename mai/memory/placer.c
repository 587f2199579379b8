/*===-- placer.c - brings a placement about, in new or used memory *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "placer.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/fail.h"
#include "fill.h"
#include "kernel.h"
#include "mai/process/message.h"
#include "memory.h"
#include "runtime/heap.h"

static uintptr_t page_address(const struct mai_placement *placement, size_t page) {
  return placement->start + page * placement->page_size;
}

static bool is_explicit_huge(const struct mai_placing *placing) {
  return placing->huge_pages == MAI_HUGE_EXPLICIT;
}

static size_t placement_bytes(const struct mai_placement *placement) {
  return placement->pages * placement->page_size;
}

static enum mai_mode mode_of(const struct mai_placing *placing) {
  return placing->strict ? MAI_MODE_BIND : MAI_MODE_PREFER;
}

/*===-- Policies of ranges -------------------------------------------------===*/

static bool nodes_ascend(const struct mai_placement *placement) {
  for (uint32_t i = 1; i < placement->count; i++)
    if (placement->nodes[i] <= placement->nodes[i - 1])
      return false;
  return true;
}

/* Whether the kernel's weights of the nodes are those of the placement. */
static bool kernel_weighs_alike(const struct mai_placement *placement) {
  uint64_t before = 0;
  for (uint32_t i = 0; i < placement->count; i++) {
    if (mai_kernel_weight(placement->nodes[i]) != placement->bounds[i] - before)
      return false;
    before = placement->bounds[i];
  }
  return true;
}

/* How the kernel itself can distribute all of the placement's pages; MAI_MODE_LOCAL: it cannot, not
   strictly in particular. */
static enum mai_mode interleave_mode(const struct mai_placement *placement,
                                     const struct mai_placing *placing) {
  if (placement->moved || placement->view.by != MAI_BY_PAGES || !placement->view.by_kernel ||
      placing->strict || !nodes_ascend(placement))
    return MAI_MODE_LOCAL;
  if (placement->rule == MAI_RULE_CYCLIC)
    return MAI_MODE_INTERLEAVE;
  if (placement->rule == MAI_RULE_WEIGHTED && kernel_weighs_alike(placement))
    return MAI_MODE_WEIGHTED;
  return MAI_MODE_LOCAL;
}

static bool fits_in_ranges(const struct mai_placement *placement,
                           const struct mai_placing *placing) {
  size_t most = placing->most_pieces;
  if (placing->has_policy)
    return mai_placement_count_runs(placement, 1) == 1;
  return most && (interleave_mode(placement, placing) != MAI_MODE_LOCAL ||
                  mai_placement_count_runs(placement, most) <= most);
}

size_t mai_placer_pieces(const struct mai_placement *placement, const struct mai_placing *placing) {
  if (placing->most_pieces == 0 || placing->has_policy)
    return 0;
  bool by_runs =
      fits_in_ranges(placement, placing) && interleave_mode(placement, placing) == MAI_MODE_LOCAL;
  return by_runs ? mai_placement_count_runs(placement, placing->most_pieces) : 1;
}

/* Whether pages may be left to come at first touch. */
static bool is_lazy(const struct mai_placement *placement, const struct mai_placing *placing) {
  return fits_in_ranges(placement, placing) && !placing->populate;
}

/* Without the right to it (or in a kernel without huge pages) there is nothing to forbid. */
static void forbid_huge_pages(const struct mai_placement *placement, char *start, size_t first,
                              size_t pages) {
  if (pages)
    madvise(start + first * placement->page_size, pages * placement->page_size, MADV_NOHUGEPAGE);
}

/* What the program forbids for its own memory, or an earlier placement did, holds for the copy. */
static void forbid_what_was_forbidden(const struct mai_placement *placement,
                                      const struct mai_placing *placing, char *copy) {
  uintptr_t end = page_address(placement, placement->pages);
  if (!placing->own && mai_memory_forbids_huge_pages(placement->start, end))
    forbid_huge_pages(placement, copy, 0, placement->pages);
}

/* Pages before the first whole unit of those that are distributed by pages. */
static size_t head_of(const struct mai_placement *placement) {
  size_t part = placement->view.part;
  size_t first = placement->start / placement->page_size;
  size_t head = (part - first % part) % part;
  return head < placement->pages ? head : placement->pages;
}

/* Pages in which huge pages may be allowed, though neighbours belong on other nodes. */
struct extent {
  size_t first;
  size_t count;
};

/* Where pages are distributed that are smaller than a huge page, and in the incomplete huge pages
   at both ends, a huge page would bring neighbours along. */
static struct extent huge_extent(const struct mai_placement *placement,
                                 const struct mai_placing *placing) {
  struct extent extent = {0, placement->pages};
  if (!placing->huge_page_size || is_explicit_huge(placing) ||
      mai_placement_count_runs(placement, 1) == 1)
    return extent;
  if (placement->view.by != MAI_BY_PAGES || placement->moved ||
      placement->view.part * placement->page_size != placing->huge_page_size) {
    extent.count = 0;
    return extent;
  }
  extent.first = head_of(placement);
  extent.count = (placement->pages - extent.first) / placement->view.part * placement->view.part;
  return extent;
}

/* `start` is where page 0 is. */
static void forbid_mixed_huge_pages(const struct mai_placement *placement,
                                    const struct mai_placing *placing, char *start) {
  struct extent extent = huge_extent(placement, placing);
  size_t end = extent.first + extent.count;
  forbid_huge_pages(placement, start, 0, extent.first);
  forbid_huge_pages(placement, start, end, placement->pages - end);
}

/* Until fresh memory has a policy of its own, or huge pages are forbidden in it, it may be one
   mapping with its neighbours.  If the kernel (khugepaged) makes a huge page of their end and its
   beginning, those pages are here before anybody said where they belong. */
static void discard_early_pages(const struct mai_placement *placement,
                                const struct mai_placing *placing, char *start) {
  if (!is_explicit_huge(placing))
    madvise(start, placement_bytes(placement), MADV_DONTNEED);
}

/* The first of `pages` pages says on which node all belong. */
static int set_run(const struct mai_placement *placement, const struct mai_placing *placing,
                   size_t first, size_t pages) {
  uint32_t node = pages ? mai_placement_node(placement, first) : MAI_ANY_NODE;
  if (pages == 0)
    return 0;
  uintptr_t start = page_address(placement, first);
  size_t bytes = pages * placement->page_size;
  if (node != MAI_ANY_NODE)
    return mai_kernel_set_range(start, bytes, mode_of(placing), &node, 1);
  if (placement->rule == MAI_RULE_ANY_OF)
    return mai_kernel_set_range(start, bytes, mode_of(placing), placement->nodes, placement->count);
  return placing->local ? mai_kernel_set_range(start, bytes, MAI_MODE_LOCAL, NULL, 0) : 0;
}

static int set_runs(const struct mai_placement *placement, const struct mai_placing *placing) {
  for (size_t page = 0; page < placement->pages;) {
    size_t end = mai_placement_run_end(placement, page);
    if (set_run(placement, placing, page, end - page) != 0)
      return -1;
    page = end;
  }
  return 0;
}

/* The kernel distributes huge pages only where a whole one fits: the incomplete ones at both ends
   are bound by themselves. */
static int set_interleaving(const struct mai_placement *placement,
                            const struct mai_placing *placing, enum mai_mode mode) {
  size_t head = head_of(placement);
  size_t tail = (placement->pages - head) % placement->view.part;
  size_t middle = placement->pages - head - tail;
  if (placing->huge_page_size && placement->view.part == 1)
    forbid_mixed_huge_pages(placement, placing, (char *)placement->start);
  if (set_run(placement, placing, 0, head) != 0 ||
      set_run(placement, placing, head + middle, tail) != 0)
    return -1;
  return middle == 0
             ? 0
             : mai_kernel_set_range(page_address(placement, head), middle * placement->page_size,
                                    mode, placement->nodes, placement->count);
}

static int set_local(const struct mai_placement *placement) {
  return mai_kernel_set_range(placement->start, placement_bytes(placement), MAI_MODE_LOCAL, NULL,
                              0);
}

/* Set the policies of the ranges, where the kernel can hold them; else an explicit local policy:
   it moves nothing, leaves one mapping, and keeps automatic balancing away. */
static int set_ranges(const struct mai_placement *placement, const struct mai_placing *placing) {
  if (placing->most_pieces == 0)
    return 0;
  if (!fits_in_ranges(placement, placing))
    return set_local(placement);
  if (placing->has_policy)
    return 0;
  if (placing->by_page)
    forbid_huge_pages(placement, (char *)placement->start, 0, placement->pages);
  enum mai_mode mode = interleave_mode(placement, placing);
  return mode == MAI_MODE_LOCAL ? set_runs(placement, placing)
                                : set_interleaving(placement, placing, mode);
}

/*===-- New memory ---------------------------------------------------------===*/

/* Explicit huge pages are reserved when they are mapped.  To ask takes as long as to populate a
   small array, which does no harm. */
static int check_free_memory(const struct mai_placing *placing, size_t bytes) {
  enum { SMALL = 1 << 20 };
  if (is_explicit_huge(placing) || bytes <= SMALL ||
      bytes <= mai_kernel_free_memory(placing->nodes, placing->node_count))
    return 0;
  errno = ENOMEM;
  return -1;
}

static struct mai_filling describe_filling(const struct mai_placement *placement,
                                           const struct mai_placing *placing) {
  return (struct mai_filling){.placement = placement,
                              .target = (char *)placement->start,
                              .mode = mode_of(placing),
                              .topology = placing->topology,
                              .most_workers = placing->workers};
}

int mai_placer_populate(const struct mai_placement *placement, const struct mai_placing *placing) {
  struct mai_filling filling = describe_filling(placement, placing);
  filling.by_range = true;
  return check_free_memory(placing, placement_bytes(placement)) == 0 ? mai_fill(&filling) : -1;
}

static int fill_by_nodes(const struct mai_placement *placement, const struct mai_placing *placing) {
  struct mai_filling filling = describe_filling(placement, placing);
  if (check_free_memory(placing, placement_bytes(placement)) != 0)
    return -1;
  forbid_mixed_huge_pages(placement, placing, (char *)placement->start);
  if (placing->fresh)
    discard_early_pages(placement, placing, (char *)placement->start);
  return mai_fill(&filling);
}

static int apply(const struct mai_placement *placement, const struct mai_placing *placing) {
  bool in_ranges = fits_in_ranges(placement, placing);
  if (!in_ranges && fill_by_nodes(placement, placing) != 0)
    return -1;
  if (set_ranges(placement, placing) != 0)
    return -1;
  if (in_ranges && placing->fresh)
    discard_early_pages(placement, placing, (char *)placement->start);
  return in_ranges && placing->populate ? mai_placer_populate(placement, placing) : 0;
}

/* Let the policies of threads decide where the pages of the range come to be. */
static int give_way_to_threads(const struct mai_placement *placement) {
  return mai_kernel_set_range(placement->start, placement_bytes(placement), MAI_MODE_DEFAULT, NULL,
                              0);
}

/* The range must not be left without a policy: it would look like another's. */
static int fail_with_policy(const struct mai_placement *placement) {
  int error = errno;
  set_local(placement);
  return fail(error);
}

static int apply_anew(const struct mai_placement *placement, const struct mai_placing *placing) {
  if (give_way_to_threads(placement) != 0)
    return -1;
  return apply(placement, placing) == 0 ? 0 : fail_with_policy(placement);
}

int mai_placer_apply(const struct mai_placement *placement, const struct mai_placing *placing) {
  if (placement->pages == 0)
    return 0;
  return placing->has_policy && !fits_in_ranges(placement, placing) ? apply_anew(placement, placing)
                                                                    : apply(placement, placing);
}

/*===-- Memory with contents -----------------------------------------------===*/

/* Where each page is; to be freed. */
static int *look_at_pages(const struct mai_placement *placement) {
  int *nodes = minas_alloc_list(placement->pages, sizeof *nodes);
  if (nodes && mai_kernel_where(placement->start, placement->page_size, placement->pages, nodes)) {
    minas_free(nodes);
    return NULL;
  }
  return nodes;
}

static bool is_right(const struct mai_placement *placement, size_t page, int node) {
  return node >= 0 && mai_placement_accepts(placement, page, (uint32_t)node);
}

/* What became of a page that was on node `before`. */
static void count_move(const struct mai_placement *placement, size_t page, int before, int after,
                       struct mai_moves *moves) {
  if (after == MAI_PAGE_UNTOUCHED)
    moves->untouched++;
  else if (!is_right(placement, page, after))
    moves->full++;
  else if (is_right(placement, page, before))
    moves->right++;
  else
    moves->moved++;
}

static int count_moves(const struct mai_placement *placement, const int *before,
                       struct mai_moves *moves) {
  int *after = look_at_pages(placement);
  if (!after)
    return -1;
  for (size_t page = 0; page < placement->pages; page++)
    count_move(placement, page, before[page], after[page], moves);
  minas_free(after);
  return 0;
}

/* Of memory that is not yet the process's own, nothing is right. */
static void take_as_foreign(int *nodes, size_t count) {
  for (size_t page = 0; page < count; page++)
    nodes[page] = MAI_PAGE_UNKNOWN;
}

struct contents {
  bool *touched;
  size_t pages;     /* touched */
  size_t misplaced; /* touched, and not where they belong */
};

static int find_contents(const struct mai_placement *placement, const int *nodes,
                         struct contents *contents) {
  *contents =
      (struct contents){.touched = minas_alloc_list(placement->pages, sizeof *contents->touched)};
  if (!contents->touched)
    return -1;
  for (size_t page = 0; page < placement->pages; page++) {
    contents->touched[page] = nodes[page] != MAI_PAGE_UNTOUCHED;
    contents->pages += contents->touched[page];
    contents->misplaced += contents->touched[page] && !is_right(placement, page, nodes[page]);
  }
  return 0;
}

/* How many units the kernel distributes before it begins again. */
static size_t interleave_cycle(const struct mai_placement *placement,
                               const struct mai_placing *placing) {
  switch (interleave_mode(placement, placing)) {
  case MAI_MODE_INTERLEAVE:
    return placement->count;
  case MAI_MODE_WEIGHTED:
    return placement->bounds[placement->count - 1];
  default:
    return 1;
  }
}

static size_t place_in_cycle(const struct mai_placement *placement, uintptr_t address,
                             size_t cycle) {
  size_t part = placement->view.by == MAI_BY_PAGES ? placement->view.part : 1;
  return (address / (part * placement->page_size) & placement->view.part_mask) % cycle;
}

/* Memory for a copy, at an address that has the same place in the kernel's interleaving, so that
   what is touched later goes on in step, and in a huge page. */
static char *map_copy(const struct mai_placement *placement, const struct mai_placing *placing,
                      size_t *mapped, char **all) {
  size_t step = placing->huge_page_size ? placing->huge_page_size : placement->page_size;
  size_t cycle = interleave_cycle(placement, placing);
  *mapped = placement_bytes(placement) + (cycle + 1) * step;
  *all = mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
              -1, 0);
  if (*all == MAP_FAILED)
    return NULL;
  uintptr_t begin = (uintptr_t)*all + (placement->start - (uintptr_t)*all) % step;
  for (size_t i = 0; i + 1 < cycle; i++, begin += step)
    if (place_in_cycle(placement, begin, cycle) ==
        place_in_cycle(placement, placement->start, cycle))
      break;
  mai_memory_advise((void *)begin, placement_bytes(placement), placing->huge_pages);
  return (char *)begin;
}

static void unmap_around(char *all, size_t mapped, const char *kept, size_t bytes) {
  size_t head = (size_t)(kept - all);
  size_t tail = mapped - head - bytes;
  if (head)
    munmap(all, head);
  if (tail)
    munmap((char *)(uintptr_t)kept + bytes, tail);
}

/* Let pages of the copy take the place of the array's. */
static int move_in(const struct mai_placement *placement, char *copy, size_t first, size_t count) {
  size_t offset = first * placement->page_size;
  size_t bytes = count * placement->page_size;
  if (count == 0)
    return 0;
  void *target = (void *)(placement->start + offset);
  if (mremap(copy + offset, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, target) != MAP_FAILED)
    return 0;
  MAI_REFUSED("mremap");
  return -1;
}

/* The kernel moves one mapping at a time; where huge pages are forbidden another one begins. */
static int move_all_in(const struct mai_placement *placement, const struct mai_placing *placing,
                       char *copy) {
  struct extent extent = huge_extent(placement, placing);
  size_t end = extent.first + extent.count;
  return move_in(placement, copy, 0, extent.first) != 0 ||
                 move_in(placement, copy, extent.first, extent.count) != 0 ||
                 move_in(placement, copy, end, placement->pages - end) != 0
             ? -1
             : 0;
}

/* Put placed copies of the pages in their place. */
static int replace_by_copy(const struct mai_placement *placement, const struct mai_placing *placing,
                           const struct contents *contents) {
  size_t bytes = placement_bytes(placement);
  bool lazily = is_lazy(placement, placing);
  if (check_free_memory(placing, lazily ? contents->pages * placement->page_size : bytes) != 0)
    return -1;
  size_t mapped;
  char *all;
  char *copy = map_copy(placement, placing, &mapped, &all);
  if (!copy)
    return -1;
  unmap_around(all, mapped, copy, bytes);
  forbid_mixed_huge_pages(placement, placing, copy);
  forbid_what_was_forbidden(placement, placing, copy);
  discard_early_pages(placement, placing, copy);
  struct mai_filling filling = describe_filling(placement, placing);
  filling.target = copy;
  filling.source = (const char *)placement->start;
  filling.touched = contents->touched;
  filling.only_touched = lazily;
  if (mai_fill(&filling) == 0 && move_all_in(placement, placing, copy) == 0)
    return 0;
  int error = errno;
  munmap(copy, bytes);
  errno = error;
  return -1;
}

/* Whether each node has room for copies of the pages that belong there: what spills now would have
   been better off where it was. */
static bool has_room(const struct mai_placement *placement, const struct mai_placing *placing,
                     const struct contents *contents) {
  size_t *pages = minas_alloc_list(MAI_MOST_NODES, sizeof *pages);
  bool lazily = is_lazy(placement, placing);
  bool fits = pages;
  for (size_t page = 0; fits && page < placement->pages; page++) {
    uint32_t node = mai_placement_node(placement, page);
    if (node < MAI_MOST_NODES && (contents->touched[page] || !lazily))
      pages[node]++;
  }
  for (uint32_t node = 0; fits && node < MAI_MOST_NODES; node++)
    fits = !pages[node] || pages[node] * placement->page_size <= mai_kernel_free_on(node);
  minas_free(pages);
  return fits;
}

/* Populate the pages that nobody has touched, in memory that has contents. */
static int populate_rest(const struct mai_placement *placement, const struct mai_placing *placing) {
  struct mai_filling filling = describe_filling(placement, placing);
  if (give_way_to_threads(placement) != 0)
    return -1;
  return mai_fill(&filling) == 0 ? 0 : fail_with_policy(placement);
}

static bool is_plain(const struct mai_placement *placement, const struct mai_placing *placing) {
  struct mai_range range = {.begin = placement->start,
                            .end = page_address(placement, placement->pages),
                            .own = placing->own,
                            .governed = placing->governed};
  return mai_memory_is_plain(&range);
}

/* How pages with contents come to their nodes. */
enum way {
  COPY,    /* placed copies take their place */
  FILL_UP, /* those that are missing are populated, the others moved */
  MOVE,    /* by the kernel, one by one */
  NO_WAY   /* errno says why */
};

static enum way no_way(int error) {
  errno = error;
  return NO_WAY;
}

static bool are_few(const struct mai_placement *placement, const struct mai_placing *placing) {
  return !placing->own && placement_bytes(placement) <= MAI_FEW_BYTES;
}

/* To copy is faster, and exact where there are huge pages. */
static enum way choose_way(const struct mai_placement *placement, const struct mai_placing *placing,
                           const struct contents *contents, bool must_copy) {
  bool missing = contents->pages < placement->pages && !is_lazy(placement, placing);
  if (!contents->misplaced && !missing)
    return MOVE;
  if (!must_copy && (is_explicit_huge(placing) || are_few(placement, placing)))
    return missing ? FILL_UP : MOVE;
  if (!is_plain(placement, placing))
    return must_copy || missing ? no_way(EBUSY) : MOVE;
  if (has_room(placement, placing, contents))
    return COPY;
  if (!must_copy && !missing)
    return MOVE;
  return placing->strict ? no_way(ENOMEM) : COPY;
}

/* @return 1 when copies have taken the place of the pages, 0 when pages are to be moved */
static int place_pages(const struct mai_placement *placement, const struct mai_placing *placing,
                       const struct contents *contents, bool must_copy) {
  enum way way = choose_way(placement, placing, contents, must_copy);
  if (way == NO_WAY)
    return -1;
  if (way == COPY && replace_by_copy(placement, placing, contents) == 0)
    return 1;
  bool missing = contents->pages < placement->pages && !is_lazy(placement, placing);
  if (way == COPY && (must_copy || missing))
    return -1;
  return way == FILL_UP ? populate_rest(placement, placing) : 0;
}

/* The kernel can hold it, or new pages may be populated. */
static bool can_apply_anew(const struct mai_placement *placement,
                           const struct mai_placing *placing) {
  return placing->own || is_lazy(placement, placing) || are_few(placement, placing) ||
         is_plain(placement, placing);
}

/* @return as place_pages() */
static int place_untouched(const struct mai_placement *placement,
                           const struct mai_placing *placing) {
  if (!can_apply_anew(placement, placing))
    return fail(EBUSY);
  return apply_anew(placement, placing) == 0 ? 1 : -1;
}

static int place_contents(const struct mai_placement *placement, const struct mai_placing *placing,
                          bool from_file, int *nodes, struct mai_moves *moves) {
  struct contents contents;
  if (from_file)
    take_as_foreign(nodes, placement->pages);
  if (find_contents(placement, nodes, &contents) != 0)
    return -1;
  int copied = contents.pages == 0 ? place_untouched(placement, placing)
                                   : place_pages(placement, placing, &contents, from_file);
  minas_free(contents.touched);
  if (copied < 0 || set_ranges(placement, placing) != 0)
    return -1;
  return copied ? count_moves(placement, nodes, moves)
                : mai_placer_move(placement, placing, 0, placement->pages, moves);
}

int mai_placer_replace(const struct mai_placement *placement, const struct mai_placing *placing,
                       bool from_file, struct mai_moves *moves) {
  if (placement->pages == 0)
    return 0;
  int *nodes = look_at_pages(placement);
  if (!nodes)
    return -1;
  int result = place_contents(placement, placing, from_file, nodes, moves);
  int error = errno;
  minas_free(nodes);
  errno = error;
  return result;
}

/*===-- Moving pages that may be in use ------------------------------------===*/

enum { MOVE_BATCH = 4096 };

/* Pages that follow each other, of which some are to be moved. */
struct batch {
  size_t first;
  size_t count;
  int before[MOVE_BATCH];
  int after[MOVE_BATCH];
  size_t misplaced; /* entries of what follows */
  size_t offsets[MOVE_BATCH];
  void *addresses[MOVE_BATCH];
  int nodes[MOVE_BATCH];
  int status[MOVE_BATCH];
};

/* Whether the pages of the huge page around `page` all belong on one node. */
static bool huge_page_is_uniform(const struct mai_placement *placement, size_t huge, size_t page) {
  uintptr_t begin = page_address(placement, page) / huge * huge;
  size_t first = begin > placement->start ? (begin - placement->start) / placement->page_size : 0;
  if (begin < placement->start)
    return false;
  size_t end = first + huge / placement->page_size;
  return end <= placement->pages && mai_placement_run_end(placement, first) >= end;
}

/* The kernel moves huge pages whole.  To age one page of them (MADV_COLD) makes it split them. */
static void split_mixed_huge_pages(const struct mai_placement *placement,
                                   const struct mai_placing *placing, size_t first, size_t count) {
  size_t huge = placing->huge_page_size;
  if (!huge || is_explicit_huge(placing))
    return;
  size_t step = huge / placement->page_size;
  for (size_t page = first; page < first + count;) {
    if (!huge_page_is_uniform(placement, huge, page))
      madvise((void *)page_address(placement, page), placement->page_size, MADV_COLD);
    page += step - page_address(placement, page) / placement->page_size % step;
  }
}

static void count_status(int status, struct mai_moves *moves) {
  switch (status) {
  case -ENOMEM:
    moves->full++;
    break;
  case -EACCES:
    moves->shared++;
    break;
  case -EBUSY:
    moves->busy++;
    break;
  default:
    moves->failed++;
  }
}

/* Pages that may be on several nodes but are on none of them go to the first. */
static void list_misplaced(const struct mai_placement *placement, struct batch *batch,
                           struct mai_moves *moves) {
  batch->misplaced = 0;
  for (size_t i = 0; i < batch->count; i++) {
    size_t page = batch->first + i;
    uint32_t node = mai_placement_node(placement, page);
    if (batch->before[i] == MAI_PAGE_UNTOUCHED) {
      moves->untouched++;
    } else if (is_right(placement, page, batch->before[i])) {
      moves->right++;
    } else {
      batch->offsets[batch->misplaced] = i;
      batch->addresses[batch->misplaced] = (void *)page_address(placement, page);
      batch->nodes[batch->misplaced++] = (int)(node == MAI_ANY_NODE ? placement->nodes[0] : node);
    }
  }
}

static int ask_batch(const struct mai_placement *placement, const struct batch *batch, int *nodes) {
  return mai_kernel_where(page_address(placement, batch->first), placement->page_size, batch->count,
                          nodes);
}

static int move_batch(const struct mai_placement *placement, const struct mai_placing *placing,
                      struct batch *batch, struct mai_moves *moves) {
  if (ask_batch(placement, batch, batch->before) != 0)
    return -1;
  list_misplaced(placement, batch, moves);
  if (batch->misplaced == 0)
    return 0;
  split_mixed_huge_pages(placement, placing, batch->first, batch->count);
  /* Another error of the call is that of one page: what became of each is asked below. */
  if (mai_kernel_move(batch->addresses, batch->nodes, batch->status, batch->misplaced) != 0 &&
      (errno == EPERM || errno == ENOSYS))
    return -1;
  if (ask_batch(placement, batch, batch->after) != 0)
    return -1;
  for (size_t i = 0; i < batch->misplaced; i++) {
    if (is_right(placement, batch->first + batch->offsets[i], batch->after[batch->offsets[i]]))
      moves->moved++;
    else
      count_status(batch->status[i], moves);
  }
  return 0;
}

int mai_placer_move(const struct mai_placement *placement, const struct mai_placing *placing,
                    size_t first, size_t count, struct mai_moves *moves) {
  struct batch *batch = minas_alloc(sizeof *batch);
  if (!batch)
    return -1;
  int result = 0;
  for (size_t done = 0; done < count && result == 0; done += MOVE_BATCH) {
    batch->first = first + done;
    batch->count = count - done < MOVE_BATCH ? count - done : MOVE_BATCH;
    result = move_batch(placement, placing, batch, moves);
  }
  int error = errno;
  minas_free(batch);
  errno = error;
  return result;
}
