! A table of coefficients that all read, and a field that the threads have filled as they use it.
!
! verdict: none
program coefficients
  double precision, allocatable :: field(:, :), table(:)
  integer :: i, j, step
  allocate(field(128, 1024), table(64))
  do i = 1, 64
    table(i) = 1d0 / i
  end do
  !$omp parallel do schedule(static)
  do j = 1, 1024
    do i = 1, 128
      field(i, j) = i + j
    end do
  end do
  do step = 1, 4
    !$omp parallel do schedule(static)
    do j = 1, 1024
      do i = 1, 128
        field(i, j) = field(i, j) * table(mod(i, 64) + 1)
      end do
    end do
  end do
  if (field(1, 1) < 0) stop 1
end program
