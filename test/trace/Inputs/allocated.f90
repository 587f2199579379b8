! Statements that allocate several arrays: of variables, of an object, by type, over several lines, and two in one line.
module fields
  type grid
    double precision, allocatable :: u(:), v(:)
  end type
end module

program sums
  use fields
  double precision, allocatable :: A(:), b(:), c(:), d(:), e(:), f(:)
  type(grid) :: g(2)
  integer :: i, round, error, n = 200000
  allocate (A(n), b(n + mod(n, 2)))
  allocate (g(1)%u(n), g(2)%v(n), stat=error)
  Allocate (double precision :: c(n), & ! it goes on
            & d(n))
  allocate (e(n)); allocate (f(n), source=0d0)
  do round = 1, 400
    !$omp parallel do
    do i = 1, n
      A(i) = b(i) + round
      b(i) = g(1)%u(i) + A(i)
      g(1)%u(i) = g(2)%v(i) + c(i)
      g(2)%v(i) = d(i) + i
      c(i) = e(i) * 0.5
      d(i) = f(i) + 1
      e(i) = A(i)
      f(i) = c(i)
    end do
  end do
  print *, A(5), f(7)
end program
