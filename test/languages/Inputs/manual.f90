!===-- manual.f90 - runs the example of mai_fortran(3) ---------*- F90 -*-===!
! Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!===----------------------------------------------------------------------===!
! Its calls of mai_replace and mai_deallocate come after calls of show, see the test.
program manual
  include 'mai_fortran-1.head'
  integer :: k, nx, ny, nz, shapes(3, 3), i
  shapes = reshape([64, 64, 64, 1024, 8, 16, 100, 50, 30], [3, 3])
  do i = 1, 3
    nx = shapes(1, i)
    ny = shapes(2, i)
    nz = shapes(3, i)
    include 'mai_fortran-1.rest'
  end do
contains
  subroutine show(u)
    use mai
    real(real64), pointer, intent(in) :: u(:, :, :)
    type(mai_pages) :: pages
    integer(int64) :: per_node(4)
    call mai_verify(u, pages, per_node)
    print '(a, 3(1x, i0), a, *(1x, i0))', 'mai_fortran-1', shape(u), ':', pages%spilled, per_node
  end subroutine show
end program manual
