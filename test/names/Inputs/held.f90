! Three arrays of one common block, of which a half and more is used, and a block that sources divide differently.
subroutine sweep(n)
  implicit none
  integer, parameter :: m = 400
  double precision a(m, m), b(m, m), c(m)
  common /work/ a, b, c
  double precision whole(2*m, m)
  common /split/ whole
  integer n, i, j
!$omp parallel do private(i)
  do j = 1, n
    do i = 1, m
      a(i, j) = a(i, j) + b(i, j)
      whole(i, j) = whole(i, j) + 1
    end do
  end do
end subroutine

program held
  implicit none
  integer, parameter :: m = 400
  double precision a(m, m), b(m, m), c(m)
  common /work/ a, b, c
  double precision left(m, m), right(m, m)
  common /split/ left, right
  integer k
  a(:, 1:300) = 1
  b(:, 1:300) = 2
  left = 3
  right = 4
  do k = 1, 5
    call sweep(300)
  end do
  print '(a,3f8.1)', 'sum ', a(5, 5), left(7, 7), right(m, m)
end program
