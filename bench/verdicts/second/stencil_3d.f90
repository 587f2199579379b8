! A stencil in three dimensions; threads have filled their own planes.
!
! verdict: none
program stencil
  double precision, allocatable :: a(:, :, :), b(:, :, :)
  integer :: i, j, k, round
  allocate (a(32, 32, 160), b(32, 32, 160))
  !$omp parallel do schedule(static)
  do k = 1, 160
    a(:, :, k) = k
    b(:, :, k) = 0
  end do
  do round = 1, 5
    !$omp parallel do schedule(static)
    do k = 2, 159
      do j = 2, 31
        do i = 2, 31
          b(i, j, k) = b(i, j, k) + a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) + a(i, j + 1, k) &
            + a(i, j, k - 1) + a(i, j, k + 1)
        end do
      end do
    end do
  end do
  if (b(2, 2, 2) < 0) stop 1
end program
