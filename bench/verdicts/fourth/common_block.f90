! The main program fills a common block, whose array subroutines divide among the threads.
!
! verdict: placement /fields/
! cure: block|omp parallel
program common_block
  double precision :: pressure(131072)
  common /fields/ pressure
  integer :: step
  pressure = 1
  do step = 1, 8
    call relax(0.99d0)
  end do
  if (pressure(1) < 0) stop 1
end program

subroutine relax(factor)
  double precision :: factor, pressure(131072)
  integer :: i
  common /fields/ pressure
  !$omp parallel do schedule(static)
  do i = 1, 131072
    pressure(i) = pressure(i) * factor
  end do
end subroutine
