! Several arrays of one ALLOCATE.
program names
  real(8), allocatable :: a(:), b(:, :), c(:)
  integer :: i
  allocate(a(1024), b(32, 32), c(0:1023))
  do i = 1, 1024
    a(i) = i
    c(i - 1) = 1
    c(i - 1) = c(i - 1) + a(i)
  end do
  b = 1
  print *, sum(b) + sum(c)
end program
