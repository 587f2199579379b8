!===-- heat.f90 - heat in a plate, in Fortran ------------------*- F90 -*-===!
! Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!===----------------------------------------------------------------------===!
!
!     gfortran -c $(pkg-config --variable=fortrandir mai)/mai.F90
!     gfortran -O2 -fopenmp heat.f90 mai.o -o heat $(pkg-config --libs mai)
!     ./heat ["policy"]
!
! Columns are contiguous in Fortran, so the loop over them is the parallel one, and "block" divides
! them.
!
!===----------------------------------------------------------------------===!
program heat
  use mai
  implicit none
  integer, parameter :: n = 512, steps = 50
  real(real64), pointer :: warm(:, :), next(:, :), other(:, :)
  character(100) :: policy
  integer :: i

  policy = 'block'
  if (command_argument_count() > 0) call get_command_argument(1, policy)
  call mai_allocate(warm, [n, n], policy, name='warm')
  call mai_allocate(next, [n, n], policy, name='next')
  call set_edges(warm)
  call set_edges(next)
  do i = 1, steps
    call step(warm, next)
    other => warm
    warm => next
    next => other
  end do
  print '(a, f0.3, a, f0.3)', 'five columns on: ', warm(n / 2 + 1, 6), ', sum ', sum(warm)
  call show(warm)
  call mai_deallocate(warm)
  call mai_deallocate(next)

contains

  subroutine set_edges(u)
    real(real64), pointer, intent(in) :: u(:, :)
    u(:, 1) = 100
    u(:, n) = 0
  end subroutine set_edges

  subroutine step(from, to)
    real(real64), contiguous, intent(in) :: from(:, :)
    real(real64), contiguous, intent(inout) :: to(:, :)
    integer :: i, j
    !$omp parallel do schedule(static) private(i)
    do j = 2, n - 1
      do i = 2, n - 1
        to(i, j) = 0.25_real64 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1))
      end do
    end do
  end subroutine step

  subroutine show(u)
    real(real64), pointer, intent(in) :: u(:, :)
    type(mai_pages) :: pages
    integer(int64) :: per_node(8)
    call mai_verify(u, pages, per_node)
    print '(2(i0, a), *(1x, i0))', pages%placed, ' of ', pages%total, &
      ' pages placed, on nodes', per_node
  end subroutine show

end program heat
