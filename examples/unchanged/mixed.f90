!===-- mixed.f90 - the matrix of mixed.cpp ---------------------*- F90 -*-===!
! Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!===----------------------------------------------------------------------===!
module matrix
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double), allocatable :: middle(:), beside(:)
contains

  subroutine make_matrix(rows) bind(c)
    integer(c_int), value :: rows
    allocate (middle(rows), beside(0:rows))
    middle = 4
    beside = -1
    beside(0) = 0
    beside(rows) = 0
  end subroutine make_matrix

  subroutine multiply(rows, x, y) bind(c)
    integer(c_int), value :: rows
    real(c_double), intent(in) :: x(rows)
    real(c_double), intent(out) :: y(rows)
    integer :: i
    !$omp parallel do
    do i = 1, rows
      y(i) = middle(i) * x(i)
      if (i > 1) y(i) = y(i) + beside(i - 1) * x(i - 1)
      if (i < rows) y(i) = y(i) + beside(i) * x(i + 1)
    end do
  end subroutine multiply

  real(c_double) function product(rows, x, y) bind(c)
    integer(c_int), value :: rows
    real(c_double), intent(in) :: x(rows), y(rows)
    integer :: i
    product = 0
    !$omp parallel do reduction(+:product)
    do i = 1, rows
      product = product + x(i) * y(i)
    end do
  end function product

end module matrix
