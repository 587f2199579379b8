! Fortran: an allocatable array and one of a module, with OpenMP.
module state
  real(8) :: grid(4096)
end module state

program field
  use state
  implicit none
  real(8), allocatable :: values(:)
  integer :: i
  allocate(values(4096))
  !$omp parallel do num_threads(2) schedule(static)
  do i = 1, 4096
    grid(i) = i
    values(i) = 2 * i
  end do
  if (values(4096) /= 2 * grid(4096)) stop 1
end program field
