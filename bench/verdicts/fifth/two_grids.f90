! A fine grid and a coarse one, which threads divide alike.
!
! verdict: none
module grids
  double precision, save :: fine(256, 256), coarse(128, 128)
end module
program two_grids
  use grids
  integer :: i, j, round
  !$omp parallel do schedule(static)
  do j = 1, 256
    fine(:, j) = j
  end do
  !$omp parallel do schedule(static)
  do j = 1, 128
    coarse(:, j) = 0
  end do
  do round = 1, 8
    !$omp parallel do schedule(static)
    do j = 1, 128
      do i = 1, 128
        coarse(i, j) = fine(2 * i, 2 * j) + fine(2 * i - 1, 2 * j - 1)
      end do
    end do
    !$omp parallel do schedule(static)
    do j = 1, 128
      do i = 1, 128
        fine(2 * i, 2 * j) = fine(2 * i, 2 * j) + 0.5d0 * coarse(i, j)
        fine(2 * i - 1, 2 * j - 1) = 0.5d0 * coarse(i, j)
      end do
    end do
  end do
  if (coarse(1, 1) < 0) stop 1
end program
