! The first thread fills two matrices, whose columns the threads divide.
!
! verdict: placement matrices%b
! cure: block|#pragma
module matrices
  double precision, save :: a(256, 512), b(256, 512)
end module
program columns
  use matrices
  integer :: i, j, round
  a = 1
  b = 2
  do round = 1, 8
    !$omp parallel do schedule(static)
    do j = 1, 512
      do i = 1, 256
        b(i, j) = b(i, j) + 0.5 * b(i, j) * a(i, j)
      end do
    end do
  end do
  if (b(1, 1) < 0) stop 1
end program
