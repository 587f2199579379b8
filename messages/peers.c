/*===-- peers.c - whom the ranks of a communicator are ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Communicators and windows have their peers as an attribute: MPI frees it with them.
 */
#include "peers.h"

#include "runtime/heap.h"
#include "runtime/lock.h"

/*===-- Groups -------------------------------------------------------------===*/

static mpi_handle group_of_world(void) {
  mpi_handle group = NULL;
  MPI_CALL(PMPI_Comm_group, (mpi_handle, void *), mpi_library()->world, &group);
  return group;
}

static void free_group(mpi_handle group) { MPI_CALL(PMPI_Group_free, (void *), &group); }

static struct peers *make_peers(mpi_handle group, bool is_remote) {
  int count = 0, own = 0;
  MPI_CALL(PMPI_Group_size, (mpi_handle, int *), group, &count);
  MPI_CALL(PMPI_Group_rank, (mpi_handle, int *), group, &own);
  struct peers *peers = minas_alloc(sizeof *peers + 2 * (size_t)count * sizeof(int));
  if (!peers)
    return NULL;
  int *all = (int *)(peers + 1), *here = all + count;
  for (int i = 0; i < count; i++)
    here[i] = i;
  mpi_handle world = group_of_world();
  MPI_CALL(PMPI_Group_translate_ranks, (mpi_handle, int, const int *, mpi_handle, int *), group,
           count, here, world, all);
  free_group(world);
  *peers = (struct peers){count, is_remote || own < 0 ? -1 : own, all};
  return peers;
}

static struct peers *peers_of_communicator(mpi_handle communicator) {
  int is_remote = 0;
  mpi_handle group = NULL;
  MPI_CALL(PMPI_Comm_test_inter, (mpi_handle, int *), communicator, &is_remote);
  if (is_remote)
    MPI_CALL(PMPI_Comm_remote_group, (mpi_handle, void *), communicator, &group);
  else
    MPI_CALL(PMPI_Comm_group, (mpi_handle, void *), communicator, &group);
  struct peers *peers = make_peers(group, is_remote != 0);
  free_group(group);
  return peers;
}

static struct peers *peers_in_window(mpi_handle window) {
  mpi_handle group = NULL;
  MPI_CALL(PMPI_Win_get_group, (mpi_handle, void *), window, &group);
  struct peers *peers = make_peers(group, false);
  free_group(group);
  return peers;
}

/*===-- Attributes ---------------------------------------------------------===*/

/* A copy of a communicator finds its own. */
static int copy_nothing(mpi_handle of, int key, void *extra, void *from, void *to, int *is_copied) {
  (void)of, (void)key, (void)extra, (void)from, (void)to;
  *is_copied = 0;
  return 0;
}

/* Two threads may set it at once: what the first has set may be in use then, and stays. */
static _Thread_local bool is_setting;

static int free_attribute(mpi_handle of, int key, void *peers, void *extra) {
  (void)of, (void)key, (void)extra;
  if (!is_setting)
    minas_free(peers);
  return 0;
}

typedef int copy_function(mpi_handle, int, void *, void *, void *, int *);
typedef int free_function(mpi_handle, int, void *, void *);

/* Made when they are first asked for, by one thread. */
static int make_key(_Atomic int *key, bool is_of_window) {
  static struct minas_lock lock = MINAS_LOCK_INITIALISER;
  int made = 0;
  if (*key)
    return *key;
  int failed =
      is_of_window
          ? MPI_CALL(PMPI_Win_create_keyval, (copy_function *, free_function *, int *, void *),
                     copy_nothing, free_attribute, &made, NULL)
          : MPI_CALL(PMPI_Comm_create_keyval, (copy_function *, free_function *, int *, void *),
                     copy_nothing, free_attribute, &made, NULL);
  if (failed)
    return 0;
  minas_lock(&lock);
  if (!*key)
    *key = made;
  minas_unlock(&lock);
  return *key;
}

const struct peers *peers_of(mpi_handle communicator) {
  static _Atomic int key;
  struct peers *peers = NULL;
  int is_there = 0, number = make_key(&key, false);
  if (!number)
    return NULL;
  MPI_CALL(PMPI_Comm_get_attr, (mpi_handle, int, void *, int *), communicator, number, &peers,
           &is_there);
  if (is_there)
    return peers;
  peers = peers_of_communicator(communicator);
  is_setting = true;
  if (peers)
    MPI_CALL(PMPI_Comm_set_attr, (mpi_handle, int, void *), communicator, number, peers);
  is_setting = false;
  return peers;
}

const struct peers *peers_of_window(mpi_handle window) {
  static _Atomic int key;
  struct peers *peers = NULL;
  int is_there = 0, number = make_key(&key, true);
  if (!number)
    return NULL;
  MPI_CALL(PMPI_Win_get_attr, (mpi_handle, int, void *, int *), window, number, &peers, &is_there);
  if (is_there)
    return peers;
  peers = peers_in_window(window);
  is_setting = true;
  if (peers)
    MPI_CALL(PMPI_Win_set_attr, (mpi_handle, int, void *), window, number, peers);
  is_setting = false;
  return peers;
}

/*===-- The world ----------------------------------------------------------===*/

int peers_own_rank(void) {
  int rank = 0;
  MPI_CALL(PMPI_Comm_rank, (mpi_handle, int *), mpi_library()->world, &rank);
  return rank;
}

int peers_world_size(void) {
  int size = 0;
  MPI_CALL(PMPI_Comm_size, (mpi_handle, int *), mpi_library()->world, &size);
  return size;
}

/*===-- Neighbours ---------------------------------------------------------===*/

typedef void visitor(int peer, int number, void *context);

static void visit_list(const int *list, int count, visitor *visit, void *context) {
  for (int i = 0; i < count; i++)
    visit(list[i], i, context);
}

/* In each dimension the one before, then the one behind. */
static void visit_cartesian(mpi_handle communicator, visitor *visit, void *context) {
  int dimensions = 0;
  MPI_CALL(PMPI_Cartdim_get, (mpi_handle, int *), communicator, &dimensions);
  for (int i = 0; i < dimensions; i++) {
    int beside[2];
    MPI_CALL(PMPI_Cart_shift, (mpi_handle, int, int, int *, int *), communicator, i, 1, &beside[0],
             &beside[1]);
    visit(beside[0], 2 * i, context);
    visit(beside[1], 2 * i + 1, context);
  }
}

static void visit_graph(mpi_handle communicator, visitor *visit, void *context) {
  int own = 0, count = 0;
  MPI_CALL(PMPI_Comm_rank, (mpi_handle, int *), communicator, &own);
  MPI_CALL(PMPI_Graph_neighbors_count, (mpi_handle, int, int *), communicator, own, &count);
  int *list = minas_alloc_list((size_t)count + 1, sizeof *list);
  if (list && MPI_CALL(PMPI_Graph_neighbors, (mpi_handle, int, int, int *), communicator, own,
                       count, list) == 0)
    visit_list(list, count, visit, context);
  minas_free(list);
}

static void visit_distributed_graph(mpi_handle communicator, visitor *visit, void *context) {
  int in = 0, out = 0, is_weighted = 0;
  MPI_CALL(PMPI_Dist_graph_neighbors_count, (mpi_handle, int *, int *, int *), communicator, &in,
           &out, &is_weighted);
  int *lists = minas_alloc_list(2 * ((size_t)in + (size_t)out) + 1, sizeof *lists);
  int *to = lists ? lists + 2 * (size_t)in : NULL;
  if (lists &&
      MPI_CALL(PMPI_Dist_graph_neighbors, (mpi_handle, int, int *, int *, int, int *, int *),
               communicator, in, lists, lists + in, out, to, to + out) == 0)
    visit_list(to, out, visit, context);
  minas_free(lists);
}

void peers_visit_neighbours(mpi_handle communicator, visitor *visit, void *context) {
  const struct mpi_library *library = mpi_library();
  int form = 0;
  MPI_CALL(PMPI_Topo_test, (mpi_handle, int *), communicator, &form);
  if (form == library->cartesian)
    visit_cartesian(communicator, visit, context);
  else if (form == library->graph)
    visit_graph(communicator, visit, context);
  else
    visit_distributed_graph(communicator, visit, context);
}
