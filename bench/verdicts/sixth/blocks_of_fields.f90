! The fields of a module are filled by the threads that compute with them, rows of blocks at a time.
!
! verdict: none
module state
  integer, parameter :: nx = 64, ny = 16, blocks = 64
  double precision :: density(nx, ny, blocks), energy(nx, ny, blocks)
end module

program fields
  use state
  double precision :: total
  integer :: i, j, b, step
  !$omp parallel do collapse(2) schedule(static)
  do b = 1, blocks
    do j = 1, ny
      do i = 1, nx
        density(i, j, b) = i + j
        energy(i, j, b) = b
      end do
    end do
  end do
  total = 0
  do step = 1, 8
    !$omp parallel do collapse(2) schedule(static) reduction(+ : total)
    do b = 1, blocks
      do j = 1, ny
        do i = 2, nx
          energy(i, j, b) = energy(i, j, b) + density(i, j, b) - density(i - 1, j, b)
          total = total + energy(i, j, b)
        end do
      end do
    end do
  end do
  if (total < 0) stop 1
end program
