! A stencil in three dimensions; threads have filled their own planes.
!
! verdict: none
program stencil
  double precision, allocatable :: a(:, :, :), b(:, :, :)
  integer :: i, j, k, round
  allocate (a(48, 48, 64), b(48, 48, 64))
  !$omp parallel do schedule(static)
  do k = 1, 64
    a(:, :, k) = k
    b(:, :, k) = 0
  end do
  do round = 1, 5
    !$omp parallel do schedule(static)
    do k = 2, 63
      do j = 2, 47
        do i = 2, 47
          b(i, j, k) = b(i, j, k) + a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) + a(i, j + 1, k) &
            + a(i, j, k - 1) + a(i, j, k + 1)
        end do
      end do
    end do
  end do
  if (b(2, 2, 2) < 0) stop 1
end program
