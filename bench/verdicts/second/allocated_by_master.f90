! The first thread fills what it has allocated, and all threads use their parts.
!
! verdict: placement u
! cure: block|#pragma
program allocated
  double precision, allocatable :: u(:)
  integer :: i, round
  allocate (u(65536))
  do i = 1, 65536
    u(i) = i
  end do
  do round = 1, 8
    !$omp parallel do schedule(static)
    do i = 1, 65536
      u(i) = 0.5 * u(i) + i
    end do
  end do
  if (u(1) < 0) stop 1
end program
