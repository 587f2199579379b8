! Arrays as programs in Fortran have them: allocatables of modules and components, pointers, automatic arrays, common
! blocks and saved arrays, several in one statement, with options in front and behind. One thread fills them, all use them.
module state
  implicit none
  real(8), allocatable :: grid(:), plane(:, :)
  real(8), pointer :: line(:)
  type mesh
    real(8), allocatable :: rho(:)
    real(8), pointer :: energy(:)
  end type mesh
  type tile
    type(mesh) :: field
  end type tile
  type(tile), allocatable :: tiles(:)
  real(8) :: fixed(16384)
contains
  subroutine make(values, g, n)
    real(8), allocatable, intent(out) :: values(:)
    type(mesh), pointer, intent(inout) :: g
    integer, intent(in) :: n
    integer :: ierr, i
    allocate(values(n), &
             stat=ierr)
    allocate(g%rho(n)); allocate(g%energy(n), line(n))
    allocate(tiles(2))
    do i = 1, 2
      allocate(tiles(i)%field%rho(n))
      tiles(i)%field%rho = i
    end do
    values = ierr
    g%rho = 1
    g%energy = 2
    line = 3
  end subroutine make

  subroutine work(n)
    integer, intent(in) :: n
    real(kind=8) :: own(n)
    real(8), save :: kept(16384)
    integer :: i, turn
    own = grid(1:n)
    kept(1:n) = own
    call add(own)
    call add(kept)
    do turn = 1, 8
      !$omp parallel do schedule(static)
      do i = 1, n
        kept(i) = kept(i) + 1
      end do
    end do
    plane(:, 1) = own + kept(1:n)
  end subroutine work

  subroutine add(x)
    real(8), intent(inout) :: x(:)
    x = x + 1
  end subroutine add
end module state

program names
  use state
  implicit none
  real(8), allocatable :: u(:), v(:), p(:), values(:)
  real(8) :: shared(16384)
  common /fields/ shared
  type(mesh), pointer :: g
  integer :: ierr, i, turn
  integer, parameter :: n = 16384
  allocate(u(n), &
           v(n), stat=ierr)
  allocate(real(8) :: p(n))
  allocate(grid(n)); allocate(plane(n, 1))
  allocate(g)
  call make(values, g, n)
  u = ierr; v = 2; p = 3; grid = u; plane = 0; shared = 4; fixed = 5
  call work(n)
  do turn = 1, 8
    !$omp parallel do schedule(static)
    do i = 1, n
      grid(i) = grid(i) + u(i)
      fixed(i) = fixed(i) + v(i)
      shared(i) = shared(i) + 1
    end do
  end do
  print *, sum(grid), sum(p), sum(plane), sum(shared), sum(fixed), sum(g%rho), sum(g%energy), sum(line), sum(values)
  print *, sum(tiles(1)%field%rho), sum(tiles(2)%field%rho)
end program names
