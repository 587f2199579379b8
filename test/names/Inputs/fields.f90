! Allocatables of a module, of derived types, saved ones and those of a procedure, each used in a parallel region.
module fields
  implicit none
  real(8), allocatable :: rho(:,:)
  type tile
    real(8), allocatable :: volume(:)
    real(8), pointer :: x(:)
  end type
  type(tile) :: mesh
  type(tile), allocatable :: tiles(:)
end module

subroutine work(u, n)
  use fields
  implicit none
  integer :: n, i
  real(8) :: u(n)
  real(8), allocatable :: temporary(:)
  real(8), save, allocatable :: kept(:)
  allocate(temporary(n))
  if (.not. allocated(kept)) allocate(kept(n))
  !$omp parallel do
  do i = 1, n
    temporary(i) = u(i) + rho(i,1) + tiles(2)%volume(i)
    kept(i) = mesh%volume(i) + mesh%x(i) + temporary(i)
  end do
  print '(a,f10.1)', 'sum', sum(kept)
end subroutine

! Of an array of assumed shape gfortran's region has a copy of the address, under a name of its own.
subroutine shift(field)
  implicit none
  integer :: i
  real(8) :: field(:)
  !$omp parallel do
  do i = 1, size(field)
    field(i) = field(i) + 1
  end do
end subroutine

program main
  use fields
  implicit none
  interface
    subroutine shift(field)
      real(8) :: field(:)
    end subroutine
  end interface
  integer, parameter :: n = 200000
  real(8), allocatable :: u(:), shifted(:)
  allocate(shifted(n))
  shifted = 0
  call shift(shifted)
  allocate(u(n), rho(n,1), mesh%volume(n), mesh%x(n), tiles(2))
  allocate(tiles(2)%volume(n))
  u = 1
  rho = 2
  mesh%volume = 1
  mesh%x = 1
  tiles(2)%volume = 1
  call work(u, n)
end program
