/*===-- policy.c - what a policy means on this machine ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "policy.h"

#include <errno.h>
#include <string.h>

#include "runtime/fail.h"
#include "mai/memory/kernel.h"
#include "mai/process/message.h"
#include "runtime/heap.h"
#include "mai/threads/threads.h"

/* @param explained receives what is wrong, MAI_POLICY_EXPLAINED bytes */
static int take(const char *text, mai_policy_t *policy, char *explained) {
  struct mai_policy_error error;
  *explained = '\0';
  if (mai_policy_read(text, policy, &error) == 0)
    return 0;
  mai_policy_explain(text, &error, explained, MAI_POLICY_EXPLAINED);
  return -1;
}

int mai_policy_take(const char *text, mai_policy_t *policy) {
  char explained[MAI_POLICY_EXPLAINED];
  int result = take(text, policy, explained);
  if (*explained)
    mai_message("policy: %s", explained);
  return result;
}

int mai_policy_take_entry(const char *text, size_t first, size_t count, const char *file,
                          unsigned line, mai_policy_t *policy) {
  char explained[MAI_POLICY_EXPLAINED];
  if (take(text, policy, explained) != 0) {
    if (*explained)
      mai_message("%s:%u: policy: %s", file, line, explained);
    return -1;
  }
  if (first || count) {
    policy->first = first;
    policy->count = count;
  }
  return 0;
}

/* Whether what a policy says of its lists can be true. */
static bool has_lists(const mai_policy_t *policy) {
  return policy->node_count <= MAI_MOST_NODES && policy->share_count <= MAI_MOST_NODES &&
         (!policy->node_count || policy->nodes) && (!policy->share_count || policy->shares);
}

static void *copy_list(const void *list, size_t bytes) {
  void *copy = minas_alloc(bytes);
  return copy ? memcpy(copy, list, bytes) : NULL;
}

int mai_policy_copy(const mai_policy_t *policy, mai_policy_t *copy) {
  memset(copy, 0, sizeof *copy);
  if (!has_lists(policy))
    return fail(EINVAL);
  *copy = *policy;
  copy->nodes = NULL;
  copy->shares = NULL;
  copy->along = NULL;
  if (policy->node_count)
    copy->nodes = copy_list(policy->nodes, policy->node_count * sizeof *policy->nodes);
  if (policy->share_count)
    copy->shares = copy_list(policy->shares, policy->share_count * sizeof *policy->shares);
  if (policy->along)
    copy->along = minas_copy_text(policy->along);
  if ((!policy->node_count || copy->nodes) && (!policy->share_count || copy->shares) &&
      (!policy->along || copy->along))
    return 0;
  mai_policy_free(copy);
  return fail(ENOMEM);
}

void mai_policy_free(mai_policy_t *copy) {
  minas_free((void *)(uintptr_t)copy->nodes);
  minas_free((void *)(uintptr_t)copy->shares);
  minas_free((void *)(uintptr_t)copy->along);
  memset(copy, 0, sizeof *copy);
}

enum { MOST_THREADS = 1 << 20 };
static const unsigned known_flags =
    MAI_STRICT | MAI_THREAD_NODES | MAI_POPULATE | MAI_FILLED | MAI_REVERSED;

static bool is_block_by_rows(const mai_policy_t *policy) {
  return policy->kind == MAI_POLICY_BLOCK &&
         (policy->unit == MAI_UNIT_DEFAULT ||
          (policy->unit == MAI_UNIT_DIMENSION && policy->dimension == 0));
}

/* Where its pages belong is found in what the program has written by then. */
static bool needs_contents(const mai_policy_t *policy) {
  return policy->flags & MAI_FILLED || policy->along;
}

bool mai_policy_goes_by_use(const mai_policy_t *policy) {
  return policy->kind == MAI_POLICY_FIRST_TOUCH || policy->kind == MAI_POLICY_LOCAL ||
         policy->kind == MAI_POLICY_NEXT_TOUCH || policy->kind == MAI_POLICY_REPLICATE ||
         policy->kind == MAI_POLICY_DYNAMIC || needs_contents(policy);
}

static bool can_wait_for_contents(const mai_policy_t *policy) {
  if (policy->kind == MAI_POLICY_LOCAL || mai_policy_has_unequal_slices(policy))
    return !policy->along;
  return is_block_by_rows(policy) && !policy->share_count;
}

static bool can_be_reversed(const mai_policy_t *policy) {
  return (policy->kind == MAI_POLICY_BLOCK || policy->kind == MAI_POLICY_BLOCK_CYCLIC) &&
         !policy->along;
}

static bool can_be_sliced(const mai_policy_t *policy) {
  if (mai_policy_has_unequal_slices(policy))
    return policy->kind == MAI_POLICY_BLOCK && policy->share_count;
  return policy->kind == MAI_POLICY_BLOCK || policy->kind == MAI_POLICY_BLOCK_CYCLIC;
}

static int check(const mai_policy_t *policy) {
  bool known = policy->kind <= MAI_POLICY_DYNAMIC && policy->unit <= MAI_UNIT_SLICES &&
               (policy->unit != MAI_UNIT_SLICES || can_be_sliced(policy)) &&
               !(policy->flags & ~known_flags) &&
               (!(policy->flags & MAI_REVERSED) || can_be_reversed(policy)) &&
               (!needs_contents(policy) || can_wait_for_contents(policy)) &&
               policy->threads <= MOST_THREADS && has_lists(policy);
  return known ? 0 : fail(EINVAL);
}

/*===-- The nodes to use ---------------------------------------------------===*/

/* A set of nodes in the order in which they get parts, and what is found out of them for that.  It
   is not kept on the stack: programs allocate on small ones, too. */
struct node_list {
  uint32_t count;
  uint32_t nodes[MAI_MOST_NODES];
  unsigned long weights[MAI_MOST_NODES]; /* of each */
  double merits[MAI_MOST_NODES];         /* of each */
  uint32_t hosts[MAI_MOST_NODES];        /* by OS index, for nodes that are not listed */
  uint32_t guests[MAI_MOST_NODES];       /* nodes that each one is the host of */
};

static bool list_has(const struct node_list *list, uint32_t node) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->nodes[i] == node)
      return true;
  return false;
}

static int add_node(const struct mai_machine *machine, struct node_list *list, uint32_t node) {
  if (!mai_machine_has_node(machine, node))
    return fail(ENODEV);
  if (list_has(list, node))
    return fail(EINVAL);
  list->nodes[list->count++] = node;
  return 0;
}

static void add_default_nodes(const struct mai_machine *machine, struct node_list *list) {
  memcpy(list->nodes, machine->nodes, machine->node_count * sizeof *machine->nodes);
  list->count = machine->node_count;
}

static int add_named_nodes(const struct mai_machine *machine, const mai_policy_t *policy,
                           struct node_list *list) {
  for (unsigned i = 0; i < policy->node_count; i++)
    if (add_node(machine, list, policy->nodes[i]) != 0)
      return -1;
  return 0;
}

static uint32_t index_of(const struct mai_machine *machine, uint32_t node) {
  return numarch_node_by_os_index(machine->topology, node);
}

/*===-- Tiers and weights --------------------------------------------------===*/

/* The bandwidth of a node's memory, at which the CPUs read it for which it is highest; 0: not
   known. */
static double bandwidth_of(const numarch_t *topology, uint32_t to) {
  double best = 0;
  for (uint32_t from = 0; from < numarch_node_count(topology); from++) {
    double bandwidth = numarch_bandwidth(topology, from, to);
    best = bandwidth > best ? bandwidth : best;
  }
  return best;
}

/* The mean latency of a node's memory for the program's threads, negative so that more is better;
   by the distances where nothing better is known. */
static double nearness_of(const struct mai_machine *machine, const struct mai_targets *targets,
                          uint32_t to) {
  double sum = 0;
  double distances = 0;
  for (uint32_t i = 0; i < targets->thread_count; i++) {
    uint32_t from = index_of(machine, targets->thread_nodes[i]);
    double latency = numarch_latency(machine->topology, from, to);
    distances += numarch_distance(machine->topology, from, to);
    sum = latency > 0 && sum >= 0 ? sum + latency : -1;
  }
  return sum > 0 ? -sum : -distances;
}

static double merit_of(const struct mai_machine *machine, const struct mai_targets *targets,
                       unsigned long tier, uint32_t node) {
  uint32_t index = index_of(machine, node);
  const struct numarch_node *described = numarch_get_node(machine->topology, index);
  double bandwidth = bandwidth_of(machine->topology, index);
  switch (tier) {
  case MAI_TIER_FASTEST: /* numArch ranks the tiers where it knows no bandwidth */
    return bandwidth > 0 ? bandwidth : -(double)described->memory_tier;
  case MAI_TIER_LARGEST:
    return (double)described->memory_total;
  default:
    return nearness_of(machine, targets, index);
  }
}

/* Keep the nodes that are as good as the best; those of one kind of memory differ by a little. */
static int keep_best(const struct mai_machine *machine, const struct mai_targets *targets,
                     unsigned long tier, struct node_list *list) {
  static const double tolerance = 0.05;
  double *merits = list->merits;
  double best = 0;
  uint32_t kept = 0;
  if (tier > MAI_TIER_LATENCY)
    return fail(EINVAL);
  for (uint32_t i = 0; i < list->count; i++) {
    merits[i] = merit_of(machine, targets, tier, list->nodes[i]);
    best = i == 0 || merits[i] > best ? merits[i] : best;
  }
  double least = best - tolerance * (best < 0 ? -best : best);
  for (uint32_t i = 0; i < list->count; i++)
    if (merits[i] >= least)
      list->nodes[kept++] = list->nodes[i];
  list->count = kept;
  return 0;
}

/* Weights in proportion to the bandwidths, small so that interleaving is fine; all alike where they
   are not known. */
static void weigh_by_bandwidth(const struct mai_machine *machine, struct node_list *list) {
  static const double greatest_weight = 16;
  double *bandwidths = list->merits;
  double best = 0;
  bool known = true;
  for (uint32_t i = 0; i < list->count; i++) {
    bandwidths[i] = bandwidth_of(machine->topology, index_of(machine, list->nodes[i]));
    best = bandwidths[i] > best ? bandwidths[i] : best;
    known = known && bandwidths[i] > 0;
  }
  for (uint32_t i = 0; i < list->count; i++) {
    double weight = known ? greatest_weight * bandwidths[i] / best + 0.5 : 1;
    list->weights[i] = weight < 1 ? 1 : (unsigned long)weight;
  }
}

static unsigned long common_divisor(unsigned long a, unsigned long b) {
  while (b) {
    unsigned long rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static void reduce(unsigned long *weights, uint32_t count) {
  unsigned long divisor = 0;
  for (uint32_t i = 0; i < count; i++)
    divisor = common_divisor(divisor, weights[i]);
  for (uint32_t i = 0; i < count && divisor; i++)
    weights[i] /= divisor;
}

static int set_weights(const struct mai_machine *machine, const mai_policy_t *policy,
                       struct node_list *list) {
  if (!policy->share_count) {
    weigh_by_bandwidth(machine, list);
    reduce(list->weights, list->count);
    return 0;
  }
  if (policy->share_count != list->count)
    return fail(EINVAL);
  for (uint32_t i = 0; i < list->count; i++) {
    if (policy->shares[i] > UINT32_MAX)
      return fail(EINVAL);
    list->weights[i] = policy->shares[i];
  }
  return 0;
}

/*===-- Threads ------------------------------------------------------------===*/

/* Threads that nothing pins are assumed to spread evenly over the CPUs, in order. */
static uint32_t likely_node(const struct mai_machine *machine, uint32_t thread, uint32_t threads) {
  uint32_t cpu = (uint32_t)((uint64_t)thread * numarch_cpu_count(machine->topology) / threads);
  return numarch_get_cpu(machine->topology, cpu)->node;
}

static uint32_t node_of_thread(const struct mai_machine *machine, uint32_t thread,
                               uint32_t threads) {
  uint32_t index = mai_threads_node(thread);
  if (index == NUMARCH_NONE)
    index = likely_node(machine, thread, threads);
  if (index != NUMARCH_NONE)
    return numarch_get_node(machine->topology, index)->os_index;
  return machine->nodes[(uint64_t)thread * machine->node_count / threads];
}

/* Index in the list of the node that is nearest; of several those with the fewest guests. */
static uint32_t nearest_of(const struct mai_machine *machine, const struct node_list *list,
                           uint32_t node) {
  const uint32_t *guests = list->guests;
  uint32_t nearest = 0;
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < list->count; i++) {
    uint32_t distance = numarch_distance(machine->topology, index_of(machine, node),
                                         index_of(machine, list->nodes[i]));
    if (distance < least || (distance == least && guests[i] < guests[nearest])) {
      least = distance;
      nearest = i;
    }
  }
  return nearest;
}

/* What belongs to threads of nodes that are not listed goes to the nearest that is, for all threads
   of a node to the same. */
static void lead_to_listed(const struct mai_machine *machine, struct node_list *list,
                           uint32_t *thread_nodes, uint32_t threads) {
  memset(list->hosts, 0xff, sizeof list->hosts);
  for (uint32_t i = 0; i < threads; i++) {
    uint32_t *host = &list->hosts[thread_nodes[i]];
    if (list_has(list, thread_nodes[i]))
      continue;
    if (*host == UINT32_MAX) {
      *host = nearest_of(machine, list, thread_nodes[i]);
      list->guests[*host]++;
    }
    thread_nodes[i] = list->nodes[*host];
  }
}

static uint32_t *list_thread_nodes(const struct mai_machine *machine, uint32_t threads) {
  uint32_t *nodes = minas_alloc_list(threads, sizeof *nodes);
  for (uint32_t i = 0; nodes && i < threads; i++)
    nodes[i] = node_of_thread(machine, i, threads);
  return nodes;
}

static bool has_allowed_cpu(const numarch_t *topology, uint32_t node) {
  const struct numarch_node *described = numarch_get_node(topology, node);
  for (uint32_t i = 0; i < described->cpu_count; i++)
    if (numarch_get_cpu(topology, described->cpus[i])->allowed)
      return true;
  return false;
}

/* Where no run-time divides loops among threads, each node on which the process may run counts as
   one; all nodes where that is none of them. */
static uint32_t *list_nodes_to_run_on(const struct mai_machine *machine, uint32_t *count) {
  uint32_t *nodes = minas_alloc_list(machine->node_count, sizeof *nodes);
  *count = 0;
  for (uint32_t i = 0; nodes && i < machine->node_count; i++)
    if (has_allowed_cpu(machine->topology, index_of(machine, machine->nodes[i])))
      nodes[(*count)++] = machine->nodes[i];
  if (nodes && *count == 0) {
    memcpy(nodes, machine->nodes, machine->node_count * sizeof *nodes);
    *count = machine->node_count;
  }
  return nodes;
}

/* The nodes of a policy's threads. */
static uint32_t *list_team(const struct mai_machine *machine, const mai_policy_t *policy,
                           uint32_t *threads) {
  *threads = policy->threads ? policy->threads : mai_threads_team_size();
  return policy->threads || mai_threads_have_runtime() ? list_thread_nodes(machine, *threads)
                                                       : list_nodes_to_run_on(machine, threads);
}

/* Keep the nodes on which threads run; all where no thread runs on any. */
static void keep_nodes_with_threads(const struct mai_targets *targets, struct node_list *list) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; i++)
    for (uint32_t thread = 0; thread < targets->thread_count; thread++)
      if (targets->thread_nodes[thread] == list->nodes[i]) {
        list->nodes[kept++] = list->nodes[i];
        break;
      }
  list->count = kept ? kept : list->count;
}

bool mai_policy_means_default_team(const mai_policy_t *policy) {
  bool by_threads = policy->kind == MAI_POLICY_BLOCK || policy->kind == MAI_POLICY_BLOCK_CYCLIC ||
                    (policy->kind == MAI_POLICY_TIER && policy->value == MAI_TIER_LATENCY);
  return policy->threads == 0 && (by_threads || (policy->flags & MAI_THREAD_NODES));
}

/*===-- All of it ----------------------------------------------------------===*/

static int select_nodes(const struct mai_machine *machine, const mai_policy_t *policy,
                        const struct mai_targets *targets, struct node_list *list) {
  list->count = 0;
  if (policy->node_count) {
    if (add_named_nodes(machine, policy, list) != 0)
      return -1;
  } else if (policy->kind == MAI_POLICY_BIND) {
    return add_node(machine, list, policy->node);
  } else {
    add_default_nodes(machine, list);
  }
  if (policy->flags & MAI_THREAD_NODES)
    keep_nodes_with_threads(targets, list);
  return policy->kind == MAI_POLICY_TIER ? keep_best(machine, targets, policy->value, list) : 0;
}

static int place_on(struct node_list *list, const struct mai_machine *machine,
                    const mai_policy_t *policy, const struct mai_shape *shape,
                    struct mai_targets targets, uint32_t *thread_nodes,
                    struct mai_placement *placement) {
  if (select_nodes(machine, policy, &targets, list) != 0)
    return -1;
  targets.node_count = list->count;
  targets.nodes = list->nodes;
  if (policy->node_count)
    lead_to_listed(machine, list, thread_nodes, targets.thread_count);
  if (policy->kind == MAI_POLICY_WEIGHTED) {
    if (set_weights(machine, policy, list) != 0)
      return -1;
    targets.weights = list->weights;
  }
  return mai_placement_compute(policy, shape, &targets, placement);
}

/* What holds as long as it is not known how to divide the array. */
static mai_policy_t until_known(const mai_policy_t *policy) {
  static const mai_policy_t local = MAI_LOCAL;
  mai_policy_t even = *policy;
  if (policy->flags & MAI_FILLED)
    return local;
  if (policy->along)
    even.first = even.count = 0; /* these are rows */
  return even;
}

/* The range of a loop is known before what it is divided by.  With `along` it is one of rows that
   are elsewhere. */
static int check_range(const mai_policy_t *policy, const struct mai_shape *shape) {
  size_t rows = mai_shape_extent(shape, 0);
  bool fits = !(policy->flags & MAI_FILLED) || policy->along ||
              (policy->first <= rows && policy->count <= rows - policy->first);
  return fits ? 0 : fail(EINVAL);
}

int mai_policy_place(const struct mai_machine *machine, const mai_policy_t *policy,
                     const struct mai_shape *shape, const struct mai_page_sizes *pages,
                     struct mai_placement *placement) {
  if (check(policy) != 0 || check_range(policy, shape) != 0)
    return -1;
  uint32_t threads;
  uint32_t *thread_nodes = list_team(machine, policy, &threads);
  struct node_list *list = minas_alloc(sizeof *list);
  struct mai_targets targets = {.page_size = pages->page,
                                .part_size = mai_memory_part_size(machine, shape->bytes, pages),
                                .part_mask = machine->interleave_mask,
                                .thread_count = threads,
                                .thread_nodes = thread_nodes};
  mai_policy_t in_force = until_known(policy);
  int result = thread_nodes && list
                   ? place_on(list, machine, &in_force, shape, targets, thread_nodes, placement)
                   : fail(ENOMEM);
  int error = errno;
  minas_free(list);
  minas_free(thread_nodes);
  errno = error;
  return result;
}
