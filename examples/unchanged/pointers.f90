!===-- pointers.f90 - derived types with pointers --------------*- F90 -*-===!
! Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!===----------------------------------------------------------------------===!
!
! Patches of a mesh, each with arrays behind pointers and allocatable components, in a list; what
! borders on each other is exchanged through pointers into the neighbours.
!
!     gfortran -O2 -g -fopenmp pointers.f90 -o pointers
!
!===----------------------------------------------------------------------===!
module patches
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none

  type :: field
    real(real64), pointer :: values(:) => null()
  end type field

  type :: patch
    integer :: cells = 0
    type(field) :: density
    real(real64), allocatable :: flow(:)
    type(patch), pointer :: next => null()
  end type patch

contains

  function new_list(count, cells) result(first)
    integer, intent(in) :: count, cells
    type(patch), pointer :: first, made
    integer :: i, j
    nullify (first)
    do i = count, 1, -1
      allocate (made)
      made%cells = cells
      allocate (made%density%values(cells), made%flow(0:cells))
      do j = 1, cells
        made%density%values(j) = i * 1000 + mod(j, 7)
      end do
      made%flow = 0
      made%next => first
      first => made
    end do
  end function new_list

  !> What leaves a patch to the right comes into the next one, and from the last into the first.
  subroutine move(first)
    type(patch), pointer, intent(in) :: first
    type(patch), pointer :: each
    real(real64) :: entering, leaving
    each => first
    do while (associated(each))
      call find_flow(each%density%values, each%flow(1:), each%cells)
      leaving = each%flow(each%cells)
      each => each%next
    end do
    entering = leaving
    each => first
    do while (associated(each))
      each%flow(0) = entering
      entering = each%flow(each%cells)
      call change(each)
      each => each%next
    end do
  end subroutine move

  subroutine find_flow(density, flow, cells)
    integer, intent(in) :: cells
    real(real64), intent(in) :: density(cells)
    real(real64), intent(out) :: flow(cells)
    integer :: i
    !$omp parallel do
    do i = 1, cells
      flow(i) = 0.25_real64 * density(i)
    end do
  end subroutine find_flow

  subroutine change(of)
    type(patch), intent(inout) :: of
    integer :: i
    !$omp parallel do
    do i = 1, of%cells
      of%density%values(i) = of%density%values(i) + of%flow(i - 1) - of%flow(i)
    end do
  end subroutine change

  real(real64) function mass(first)
    type(patch), pointer, intent(in) :: first
    type(patch), pointer :: each
    mass = 0
    each => first
    do while (associated(each))
      mass = mass + sum(each%density%values)
      each => each%next
    end do
  end function mass

end module patches

program pointers
  use patches
  implicit none
  type(patch), pointer :: list
  real(real64) :: at_first, found
  character(len=8) :: size_text
  integer :: i, cells
  cells = 30000
  call get_command_argument(1, size_text)
  if (size_text /= '') then ! how many times as large
    read (size_text, *) i
    cells = cells * i
  end if
  list => new_list(4, cells)
  at_first = mass(list)
  do i = 1, 20
    call move(list)
  end do
  found = mass(list)
  if (abs(found - at_first) < 1e-9_real64 * at_first) then
    print '(a, f0.1, a)', 'pointers: mass ', at_first, ', verified'
  else
    print '(a, 2f20.6)', 'pointers: WRONG', found, at_first
    error stop
  end if
end program pointers
