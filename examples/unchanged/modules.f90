!===-- modules.f90 - allocatables of modules -------------------*- F90 -*-===!
! Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!===----------------------------------------------------------------------===!
!
! Waves in a basin: allocatables of a module, arguments of assumed shape, and automatic arrays.
!
!     gfortran -O2 -g -fopenmp modules.f90 -o modules
!
!===----------------------------------------------------------------------===!
module basin
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  real(real64), allocatable :: height(:, :), before(:, :), depth(:, :)
  real(real64) :: column_sums(4096)
contains

  subroutine fill(n, m)
    integer, intent(in) :: n, m
    integer :: i, j
    allocate (height(n, m), before(n, m), depth(n, m))
    depth = 1
    do j = 1, m
      do i = 1, n
        height(i, j) = sin(3.14159265358979_real64 * (i - 1) / (n - 1))
      end do
    end do
    before = height
  end subroutine fill

  subroutine step(now, old, below, courant)
    real(real64), intent(in) :: now(:, :), below(:, :), courant
    real(real64), intent(inout) :: old(:, :)
    real(real64) :: after(size(now, 1), size(now, 2)) ! automatic
    integer :: j, n, m
    n = size(now, 1)
    m = size(now, 2)
    !$omp parallel do
    do j = 1, m
      after(1, j) = now(1, j)
      after(n, j) = now(n, j)
      after(2:n - 1, j) = 2 * now(2:n - 1, j) - old(2:n - 1, j) + courant * below(2:n - 1, j) * &
                          (now(1:n - 2, j) - 2 * now(2:n - 1, j) + now(3:n, j))
    end do
    !$omp parallel do
    do j = 1, m
      old(:, j) = after(:, j)
    end do
  end subroutine step

end module basin

program modules
  use basin
  implicit none
  integer, parameter :: n = 257, steps = 40
  real(real64), allocatable :: swapped(:, :)
  real(real64) :: factor, expected
  character(len=8) :: size_text
  integer :: i, j, m
  m = 256
  call get_command_argument(1, size_text)
  if (size_text /= '') then ! how many times as large
    read (size_text, *) i
    m = m * i
  end if
  call fill(n, m)
  do i = 1, steps
    call step(height, before, depth, 0.25_real64)
    call move_alloc(before, swapped)
    call move_alloc(height, before)
    call move_alloc(swapped, height)
  end do
  !$omp parallel do
  do j = 1, m
    column_sums(j) = sum(height(:, j))
  end do
  ! A sine stays one; its height is a cosine of the time.
  factor = acos(1 - 0.25_real64 * (1 - cos(3.14159265358979_real64 / (n - 1))))
  expected = cos(factor * (steps + 0.5_real64)) / cos(factor / 2) * 1
  associate (found => maxval(abs(height(:, 1))), right => all(abs(column_sums(:m) - column_sums(1)) == 0))
    if (right .and. abs(found - expected) < 1e-6_real64) then
      print '(a, f8.6, a)', 'modules: height ', found, ', verified'
    else
      print '(a, 2f10.6)', 'modules: WRONG', found, expected
      error stop
    end if
  end associate
end program modules
