! The same from Fortran: by the module mpi, mpi_f08, or mpif.h.
program send
#if defined(F08)
  use mpi_f08
#elif defined(HEADER)
  implicit none
  include 'mpif.h'
#else
  use mpi
#endif
  integer :: rank, ranks, next, before, got(100), status
  double precision :: values(8)
  call mpi_init(status)
  call mpi_comm_rank(mpi_comm_world, rank, status)
  call mpi_comm_size(mpi_comm_world, ranks, status)
  next = mod(rank + 1, ranks)
  before = mod(rank + ranks - 1, ranks)
  got = rank
  if (mod(rank, 2) == 0) then
    call mpi_send(got, 100, mpi_integer, next, 0, mpi_comm_world, status)
    call mpi_recv(got, 100, mpi_integer, before, 0, mpi_comm_world, mpi_status_ignore, status)
  else
    call mpi_recv(got, 100, mpi_integer, before, 0, mpi_comm_world, mpi_status_ignore, status)
    call mpi_send(got, 100, mpi_integer, next, 0, mpi_comm_world, status)
  end if
  values = rank
  call mpi_bcast(values, 8, mpi_double_precision, 0, mpi_comm_world, status)
  call mpi_allreduce(mpi_in_place, values, 8, mpi_double_precision, mpi_sum, mpi_comm_world, status)
  call mpi_finalize(status)
end program
