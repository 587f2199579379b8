! Static arrays of a module, of a common block, and one that a procedure keeps.
module mesh
  implicit none
  real(8) :: rho(400000)
end module

subroutine sweep(total)
  use mesh
  implicit none
  real(8), intent(out) :: total
  real(8), save :: kept(400000)
  real(8) :: x(400000)
  common /blk/ x
  integer :: i
  total = 0
  !$omp parallel do reduction(+:total)
  do i = 1, 400000
    kept(i) = kept(i) + 1
    total = total + rho(i) + x(i) + kept(i)
  end do
end subroutine

program main
  use mesh
  implicit none
  real(8) :: total
  rho = 1
  call sweep(total)
  print '(a,f10.1)', 'sum', total
end program
