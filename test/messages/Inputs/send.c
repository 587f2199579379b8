/* Ranks that send in all ways, each by an amount of its own. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };
static char from[MOST], to[MOST];
static int rank, ranks;

static void one_way(int which, int bytes) {
  MPI_Request request;
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  switch (which) {
  case 0:
    MPI_Sendrecv(from, bytes, MPI_BYTE, next, 0, to, bytes, MPI_BYTE, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    break;
  case 1:
    MPI_Isend(from, bytes / 4, MPI_INT, next, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(to, bytes, MPI_BYTE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    break;
  case 2:
    MPI_Send_init(from, bytes, MPI_BYTE, next, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 3; i++) {
      MPI_Start(&request);
      MPI_Recv(to, bytes, MPI_BYTE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    break;
  }
}

/* Pairs of ranks, the last ones first. */
static void in_halves(void) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Bcast(from, 1000, MPI_BYTE, 0, half);
  MPI_Comm_free(&half);
}

static void collectives(void) {
  int counts[64], places[64];
  for (int i = 0; i < ranks; i++)
    counts[i] = i + 1, places[i] = 100 * i;
  MPI_Alltoallv(from, counts, places, MPI_BYTE, to,
                (int[64]){rank + 1, rank + 1, rank + 1, rank + 1}, places, MPI_BYTE,
                MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, to, 64, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Gather(rank == 1 ? MPI_IN_PLACE : from, 10, MPI_INT, to, 10, MPI_INT, 1, MPI_COMM_WORLD);
}

static void windows(void) {
  MPI_Win window;
  MPI_Win_create(to, MOST, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  if (rank == 0)
    MPI_Get(from, 4096, MPI_BYTE, 3, 0, 4096, MPI_BYTE, window);
  if (rank == 2)
    MPI_Put(from, 2048, MPI_BYTE, 0, 8192, 2048, MPI_BYTE, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

static void neighbours(void) {
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, (int[]){0}, 0, &ring);
  MPI_Neighbor_allgather(from, 16, MPI_BYTE, to, 16, MPI_BYTE, ring);
  MPI_Comm_free(&ring);
}

int main(int count, char **words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 1; i < count; i++)
    if (!strcmp(words[i], "halves"))
      in_halves();
    else if (!strcmp(words[i], "collectives"))
      collectives();
    else if (!strcmp(words[i], "windows"))
      windows();
    else if (!strcmp(words[i], "neighbours"))
      neighbours();
    else
      one_way(i - 1, atoi(words[i]));
  MPI_Finalize();
  return 0;
}
