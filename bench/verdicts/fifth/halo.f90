! Threads have filled the columns that they compute, and read their neighbours' outermost.
!
! verdict: none
program halo
  integer, parameter :: n = 256, m = 512
  double precision, allocatable :: u(:, :), v(:, :)
  integer :: i, j, round
  allocate (u(n, m), v(n, m))
  !$omp parallel do schedule(static)
  do j = 1, m
    do i = 1, n
      u(i, j) = i + j
      v(i, j) = 0
    end do
  end do
  do round = 1, 6
    !$omp parallel do schedule(static)
    do j = 2, m - 1
      do i = 1, n
        v(i, j) = 0.25d0 * (u(i, j - 1) + 2 * u(i, j) + u(i, j + 1))
      end do
    end do
    !$omp parallel do schedule(static)
    do j = 2, m - 1
      do i = 1, n
        u(i, j) = v(i, j)
      end do
    end do
  end do
  if (u(1, 1) < 0) stop 1
end program
