!===-- mai_compat.F90 - the original MAi's module ctof ---------*- F90 -*-===!
! Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!===----------------------------------------------------------------------===!
!
! For programs that were written for the original MAi (see mai_compat(3); new ones: mai.F90):
!
!     use ctof
!     real, dimension(:, :), pointer :: w
!     call mai_init()
!     call mai_alloc_2d_real(w, n, m)
!     call mai_bind_rows(w)
!
! What the calls name rows are the rows of the memory, as it is in C and as the original divided
! it: indices of the last dimension, w(:, j).  Columns are those of the dimension before it.
!
!===----------------------------------------------------------------------===!
module ctof
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, real64
  implicit none
  public
  private :: c_alloc, c_init, new_array
  private :: int8, real64
  private :: c_ptr, c_int, c_size_t, c_char, c_null_char, c_f_pointer, c_associated, c_null_ptr

  interface
    function c_alloc(dimensions, extents, item) bind(c, name='mai_original_alloc_fortran') &
        result(array)
      import
      integer(c_int), value :: dimensions
      integer(c_int), intent(in) :: extents(*)
      integer(c_size_t), value :: item
      type(c_ptr) :: array
    end function c_alloc

    function c_init(file) bind(c, name='mai_original_init') result(status)
      import
      character(kind=c_char), intent(in) :: file(*)
      integer(c_int) :: status
    end function c_init

    subroutine mai_free_array(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_free_array

    subroutine mai_cyclic(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_cyclic

    subroutine mai_cyclic_possible(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_cyclic_possible

    subroutine mai_skew_mapp(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_skew_mapp

    subroutine mai_random(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_random

    subroutine mai_bind_all(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_bind_all

    subroutine mai_bind_all_mynode(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_bind_all_mynode

    subroutine mai_bind_rows(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_bind_rows

    subroutine mai_bind_columns(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_bind_columns

    subroutine mai_bind_rows_mynode(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_bind_rows_mynode

    subroutine mai_bind_columns_mynode(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_bind_columns_mynode

    subroutine mai_bind_3d(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_bind_3d

    subroutine mai_next_touch(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_next_touch

    subroutine mai_mempol(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_mempol

    subroutine mai_arraynodes(array)
      type(*), intent(inout) :: array(*)
    end subroutine mai_arraynodes

    subroutine mai_prime_mapp(array, number)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: number
    end subroutine mai_prime_mapp

    subroutine mai_cyclic_rows(array, number)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: number
    end subroutine mai_cyclic_rows

    subroutine mai_cyclic_columns(array, number)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: number
    end subroutine mai_cyclic_columns

    subroutine mai_skew_mapp_rows(array, number)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: number
    end subroutine mai_skew_mapp_rows

    subroutine mai_skew_mapp_columns(array, number)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: number
    end subroutine mai_skew_mapp_columns

    subroutine mai_ibind_rows(array, number)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: number
    end subroutine mai_ibind_rows

    subroutine mai_ibind_columns(array, number)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: number
    end subroutine mai_ibind_columns

    subroutine mai_migrate(array, node, nr, startr, nc, startc)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: node, nr, startr, nc, startc
    end subroutine mai_migrate

    subroutine mai_migrate_rows(array, node, nr, start)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: node, nr, start
    end subroutine mai_migrate_rows

    subroutine mai_migrate_columns(array, node, nc, start)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: node, nc, start
    end subroutine mai_migrate_columns

    subroutine mai_migrate_gather(array, node)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: node
    end subroutine mai_migrate_gather

    subroutine mai_migrate_scatter(array, nodes)
      type(*), intent(inout) :: array(*)
      integer, intent(in) :: nodes
    end subroutine mai_migrate_scatter
  end interface

contains

  !> OpenMP threads run on the CPUs of this map file.
  subroutine mai_init(file)
    character(*), intent(in), optional :: file
    integer(c_int) :: ignored
    if (present(file)) then
      ignored = c_init(trim(file)//c_null_char)
    else
      ignored = c_init(c_null_char)
    end if
  end subroutine mai_init

  type(c_ptr) function new_array(extents, bits)
    integer, intent(in) :: extents(:)
    integer, intent(in) :: bits
    new_array = c_alloc(size(extents, kind=c_int), int(extents, c_int), int(bits / 8, c_size_t))
  end function new_array

#define MAI_TYPE real
#define MAI_ALLOC_1 mai_alloc_1d_real
#define MAI_ALLOC_2 mai_alloc_2d_real
#define MAI_ALLOC_3 mai_alloc_3d_real
#define MAI_ALLOC_4 mai_alloc_4d_real
#define MAI_ALLOC_5 mai_alloc_5d_real
#include "mai_compat_typed.inc"

#define MAI_TYPE real(real64)
#define MAI_ALLOC_1 mai_alloc_1d_lreal
#define MAI_ALLOC_2 mai_alloc_2d_lreal
#define MAI_ALLOC_3 mai_alloc_3d_lreal
#define MAI_ALLOC_4 mai_alloc_4d_lreal
#define MAI_ALLOC_5 mai_alloc_5d_lreal
#include "mai_compat_typed.inc"

#define MAI_TYPE integer
#define MAI_ALLOC_1 mai_alloc_1d_int
#define MAI_ALLOC_2 mai_alloc_2d_int
#define MAI_ALLOC_3 mai_alloc_3d_int
#define MAI_ALLOC_4 mai_alloc_4d_int
#define MAI_ALLOC_5 mai_alloc_5d_int
#include "mai_compat_typed.inc"

#define MAI_TYPE integer(int8)
#define MAI_ALLOC_1 mai_alloc_1d_byte
#define MAI_ALLOC_2 mai_alloc_2d_byte
#define MAI_ALLOC_3 mai_alloc_3d_byte
#define MAI_ALLOC_4 mai_alloc_4d_byte
#define MAI_ALLOC_5 mai_alloc_5d_byte
#include "mai_compat_typed.inc"

#define MAI_TYPE complex
#define MAI_ALLOC_1 mai_alloc_1d_complex
#define MAI_ALLOC_2 mai_alloc_2d_complex
#define MAI_ALLOC_3 mai_alloc_3d_complex
#define MAI_ALLOC_4 mai_alloc_4d_complex
#define MAI_ALLOC_5 mai_alloc_5d_complex
#include "mai_compat_typed.inc"

end module ctof
