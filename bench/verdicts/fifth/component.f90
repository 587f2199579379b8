! The first thread fills two components of a mesh; the threads' loops fill the third.
!
! verdict: placement meshes%mesh%x
! cure: block|#pragma|omp parallel
module meshes
  type :: mesh_type
    double precision, allocatable :: x(:), y(:), z(:)
  end type
  type(mesh_type), save :: mesh
end module
program component
  use meshes
  integer, parameter :: n = 100000
  integer :: i, round
  allocate (mesh%x(n), mesh%y(n), mesh%z(n))
  mesh%x = 1
  !$omp parallel do schedule(static)
  do i = 1, n
    mesh%y(i) = i
    mesh%z(i) = 0
  end do
  do round = 1, 8
    !$omp parallel do schedule(static)
    do i = 1, n
      mesh%x(i) = mesh%x(i) + 0.5d0 * mesh%x(i)
      mesh%z(i) = mesh%y(i)
    end do
  end do
  if (mesh%x(1) < 0) stop 1
end program
