! The first thread fills an array, of which the others use the first half, each its part.
!
! verdict: placement field%u
! cure: block|$omp|!$omp
module field
  double precision, save :: u(131072)
end module
program part_of_array
  use field
  integer :: i, round
  do i = 1, 131072
    u(i) = i
  end do
  do round = 1, 10
    !$omp parallel do schedule(static)
    do i = 1, 65536
      u(i) = u(i) + 1
    end do
  end do
  if (u(1) < 0) stop 1
end program
