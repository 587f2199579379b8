!===-- fortran-policies.f90 - prints where parts of a matrix are *- F90 -*-===!
! Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!===----------------------------------------------------------------------===!
! Usage: fortran-policies POLICY...
! For each: the nodes of a matrix of 8 segments of 4 pages along its first index and 8 along its
! second, a column a word.
program fortran_policies
  use mai
  implicit none
  integer, parameter :: segment = 2048
  real(real64), pointer :: u(:, :)
  character(100) :: policy
  integer :: i, j, k
  do k = 1, command_argument_count()
    call get_command_argument(k, policy)
    call mai_allocate(u, [8 * segment, 8], policy)
    !$omp parallel do
    do j = 1, 8
      u(:, j) = 1
    end do
    print '(2a, 8(1x, 8i1))', trim(policy), ':', &
      ((mai_where(u(i * segment + segment / 2, j)), i=0, 7), j=1, 8)
    call mai_deallocate(u)
  end do
end program fortran_policies
