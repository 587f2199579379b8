! A static array has a column for each thread, all of which one loop has set to zero at the beginning.
!
! verdict: placement workspace%columns
! cure: block|!$omp|omp parallel
module workspace
  integer, parameter :: n = 16384, threads = 8
  double precision, save :: columns(n, threads)
end module

program by_threads
  use omp_lib
  use workspace
  integer :: i, t, round
  do t = 1, threads
    do i = 1, n
      columns(i, t) = 0
    end do
  end do
  !$omp parallel num_threads(threads) private(i, t, round)
  t = omp_get_thread_num() + 1
  do round = 1, 10
    do i = 2, n
      columns(i, t) = columns(i, t) + 0.5d0 * columns(i - 1, t) + round
    end do
  end do
  !$omp end parallel
  if (columns(2, 1) < 0) stop 1
end program
