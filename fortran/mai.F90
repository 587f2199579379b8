!===-- mai.F90 - arrays of a NUMA machine, for Fortran ---------*- F90 -*-===!
! Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!===----------------------------------------------------------------------===!
!
! Fortran 2018 over mai.h:
!
!     use mai
!     real(real64), pointer :: u(:, :, :)
!     call mai_allocate(u, [nx, ny, nz], 'block', name='u')  ! planes u(:, :, k) near their threads
!     call mai_deallocate(u)
!
! Types are real and complex of real32, real64 and real128, integer of int8 to int64, logical of as many bytes as these;
! ranks are 1 to 5.  Arrays of any other type, such as character and derived ones, are allocated and placed by their
! address and the bytes of an element:
!
!     call mai_allocate(address, [n], storage_size(particle) / 8, 'block', name='particles')
!     call c_f_pointer(address, particles, [n])
!
! Extents may be 0: an empty array has no memory, and what is done with it is nothing.
!
! Policies are texts, see minas(7).  The order of dimensions is
! Fortran's: "by rows" distributes the first index, "by columns" the second, "by dimension 2" the third,
! "by blocks 4x8" blocks of 4 by 8 of the first two.  What block, block-cyclic and irregular distribute
! unasked is the last index, along which memory is slowest: the loop over it is the one to run in
! parallel.  Reports (MAI_REPORT) name dimensions as C does, the last index being the rows.
!
! Errors.  As with ALLOCATE: with stat=, an errno of mai(3), or 0, and errmsg= says more; without,
! the program stops.
!
! Threads.  As mai.h.
!
!===----------------------------------------------------------------------===!

! flang has it where its run-time was built with it, and does not tell.
#ifndef __flang__
#define MAI_REAL128
#endif

module mai
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, real128
  implicit none
  private

  public :: int8, int16, int32, int64, real32, real64, real128
  public :: mai_allocate, mai_deallocate, mai_place, mai_forget
  public :: mai_replace, mai_migrate, mai_next_touch, mai_verify
  public :: mai_where, mai_node_meant, mai_map_threads, mai_cpu_of_thread

  !> What became of pages that were to be moved: struct mai_moves.
  type, bind(c), public :: mai_moves
    integer(c_size_t) :: moved = 0, right = 0, untouched = 0, full = 0
    integer(c_size_t) :: shared = 0, busy = 0, failed = 0
  end type mai_moves

  !> Where the pages of an array are: struct mai_pages.
  type, bind(c), public :: mai_pages
    integer(c_size_t) :: total = 0, untouched = 0, placed = 0, spilled = 0, failed = 0
  end type mai_pages

  integer, parameter :: ENODEV = 19, EINVAL = 22, EOVERFLOW = 75 ! as on all Linux but some MIPS and SPARC
  character(*), parameter :: NO_ARRAY = 'array: MAi knows none that begins there'

  integer(int64), target, save :: nothing(1) = 0 !< what pointers to empty arrays point to

  !> Let `array` point to a new array of zeroes with these extents (of int32 or int64), placed by a
  !> policy.  What it pointed to before is not freed; on failure it points there still.
  interface mai_allocate
    module procedure allocate_real32, allocate_real64, allocate_complex32, allocate_complex64
#ifdef MAI_REAL128
    module procedure allocate_real128, allocate_complex128
#endif
    module procedure allocate_int8, allocate_int16, allocate_int32, allocate_int64
    module procedure allocate_logical8, allocate_logical16, allocate_logical32, allocate_logical64, allocate_bytes
  end interface mai_allocate

  !> Free what mai_allocate() allocated; `array` is disassociated then.
  interface mai_deallocate
    module procedure deallocate_real32, deallocate_real64, deallocate_complex32, deallocate_complex64
#ifdef MAI_REAL128
    module procedure deallocate_real128, deallocate_complex128
#endif
    module procedure deallocate_int8, deallocate_int16, deallocate_int32, deallocate_int64
    module procedure deallocate_logical8, deallocate_logical16, deallocate_logical32, deallocate_logical64, deallocate_bytes
  end interface mai_deallocate

  !> Place a contiguous array that the program has allocated, by its last index or by pages: the
  !> pages wholly inside it.  It stays the program's: call mai_forget() before it is deallocated.
  interface mai_place
    module procedure place_real32, place_real64, place_complex32, place_complex64
#ifdef MAI_REAL128
    module procedure place_real128, place_complex128
#endif
    module procedure place_int8, place_int16, place_int32, place_int64
    module procedure place_logical8, place_logical16, place_logical32, place_logical64, place_bytes
  end interface mai_place

  interface
    function c_alloc_shape(dimensions, extents, size, policy, options, name) &
        bind(c, name='mai_alloc_shape') result(array)
      import
      integer(c_int), value :: dimensions
      integer(c_size_t), intent(in) :: extents(*)
      integer(c_size_t), value :: size
      character(kind=c_char), intent(in) :: policy(*)
      type(c_ptr), value :: options, name
      type(c_ptr) :: array
    end function c_alloc_shape

    function c_free(array) bind(c, name='mai_free') result(status)
      import
      type(c_ptr), value :: array
      integer(c_int) :: status
    end function c_free

    function c_place(memory, count, size, policy, name) bind(c, name='mai_place') result(status)
      import
      type(c_ptr), value :: memory, name
      integer(c_size_t), value :: count, size
      character(kind=c_char), intent(in) :: policy(*)
      integer(c_int) :: status
    end function c_place

    function c_forget(memory) bind(c, name='mai_forget') result(status)
      import
      type(c_ptr), value :: memory
      integer(c_int) :: status
    end function c_forget

    function c_replace(array, policy, moves) bind(c, name='mai_replace') result(status)
      import
      type(c_ptr), value :: array
      character(kind=c_char), intent(in), optional :: policy(*)
      type(mai_moves), intent(inout) :: moves
      integer(c_int) :: status
    end function c_replace

    function c_migrate_rows(array, first, count, node, moves) &
        bind(c, name='mai_migrate_rows') result(status)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: first, count
      integer(c_int), value :: node
      type(mai_moves), intent(inout) :: moves
      integer(c_int) :: status
    end function c_migrate_rows

    function c_next_touch(array, offset, bytes) bind(c, name='mai_next_touch') result(status)
      import
      type(c_ptr), value :: array
      integer(c_size_t), value :: offset, bytes
      integer(c_int) :: status
    end function c_next_touch

    function c_verify(array, pages, per_node, nodes) bind(c, name='mai_verify') result(status)
      import
      type(c_ptr), value :: array
      type(mai_pages), intent(inout) :: pages
      integer(c_size_t), intent(inout) :: per_node(*)
      integer(c_int), value :: nodes
      integer(c_int) :: status
    end function c_verify

    function c_where(address) bind(c, name='mai_where') result(node)
      import
      type(c_ptr), value :: address
      integer(c_int) :: node
    end function c_where

    function c_node_meant(address) bind(c, name='mai_node_meant') result(node)
      import
      type(c_ptr), value :: address
      integer(c_int) :: node
    end function c_node_meant

    function c_map_threads(cpus, count) bind(c, name='mai_map_threads') result(status)
      import
      integer(c_int), intent(in) :: cpus(*)
      integer(c_int), value :: count
      integer(c_int) :: status
    end function c_map_threads

    !> The CPU of OpenMP thread `thread` (0, 1, ...) of a top-level team; -1 when MAi does not pin.
    function mai_cpu_of_thread(thread) bind(c, name='mai_cpu_of_thread') result(cpu)
      import
      integer(c_int), value :: thread
      integer(c_int) :: cpu
    end function mai_cpu_of_thread

    function c_policy_check(policy, error, size) bind(c, name='mai_policy_check') result(status)
      import
      character(kind=c_char), intent(in) :: policy(*)
      character(kind=c_char), intent(out) :: error(*)
      integer(c_size_t), value :: size
      integer(c_int) :: status
    end function c_policy_check

    function c_policy_turned(policy, dimensions, extents, text, size) &
        bind(c, name='mai_policy_turned') result(length)
      import
      character(kind=c_char), intent(in) :: policy(*)
      integer(c_int), value :: dimensions
      integer(c_size_t), intent(in) :: extents(*)
      character(kind=c_char), intent(inout) :: text(*)
      integer(c_size_t), value :: size
      integer(c_int) :: length
    end function c_policy_turned

    function c_errno_location() bind(c, name='__errno_location') result(location)
      import
      type(c_ptr) :: location
    end function c_errno_location

    function c_strerror(number) bind(c, name='strerror') result(text)
      import
      integer(c_int), value :: number
      type(c_ptr) :: text
    end function c_strerror

    function c_strlen(text) bind(c, name='strlen') result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function c_strlen
  end interface

contains

  !===-- Errors ------------------------------------------------------------===!

  !> What the C library says of the last failure.
  integer function errno()
    integer(c_int), pointer :: number
    call c_f_pointer(c_errno_location(), number)
    errno = number
  end function errno

  function text_of_errno(number) result(text)
    integer, intent(in) :: number
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: address
    integer :: i
    address = c_strerror(int(number, c_int))
    call c_f_pointer(address, letters, [c_strlen(address)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function text_of_errno

  !> Ends a call: hands the error out, or stops the program where nobody asks for it.
  subroutine finish(call, error, message, stat, errmsg)
    character(*), intent(in) :: call, message
    integer, intent(in) :: error
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable :: text
    if (present(stat)) stat = error
    if (error == 0) return
    text = message
    if (text == '') text = text_of_errno(error)
    if (present(errmsg)) errmsg = call//': '//text
    if (present(stat)) return
    error stop call//': '//text
  end subroutine finish

  !===-- Policies ----------------------------------------------------------===!

  !> The policy in C's order of dimensions, for C.
  subroutine turn_policy(policy, extents, turned, error, message)
    character(*), intent(in) :: policy
    integer(c_size_t), intent(in) :: extents(:)
    character(:), allocatable, intent(out) :: turned
    integer, intent(out) :: error
    character(:), allocatable, intent(out) :: message
    integer(c_int) :: length
    call check_policy(policy, error, message)
    if (error /= 0) return
    turned = ''
    length = c_policy_turned(policy//c_null_char, size(extents), max(extents, 1_c_size_t), turned, &
                             0_c_size_t)
    if (length < 0) then
      error = errno()
      if (error == EINVAL) message = 'policy: it names a dimension, or blocks, that the array has not'
      return
    end if
    turned = repeat(c_null_char, length + 1)
    length = c_policy_turned(policy//c_null_char, size(extents), max(extents, 1_c_size_t), turned, &
                             len(turned, kind=c_size_t))
  end subroutine turn_policy

  !> What is wrong with a text that is no policy.
  subroutine check_policy(policy, error, message)
    character(*), intent(in) :: policy
    integer, intent(out) :: error
    character(:), allocatable, intent(out) :: message
    character(kind=c_char) :: reason(512)
    integer :: i
    error = 0
    message = ''
    if (c_policy_check(policy//c_null_char, reason, size(reason, kind=c_size_t)) == 0) return
    error = errno()
    message = 'policy: '
    do i = 1, size(reason)
      if (reason(i) == c_null_char) exit
      message = message//reason(i)
    end do
  end subroutine check_policy

  !===-- What is alike for all types ---------------------------------------===!

  !> None where they are no integers.
  function numbers_of(given) result(numbers)
    class(*), intent(in) :: given(:)
    integer(c_size_t), allocatable :: numbers(:)
    select type (given)
    type is (integer(int32))
      numbers = int(given, c_size_t)
    type is (integer(int64))
      numbers = int(given, c_size_t)
    class default
      numbers = [integer(c_size_t) ::]
    end select
  end function numbers_of

  function decimal(number) result(text)
    integer(c_size_t), intent(in) :: number
    character(:), allocatable :: text
    character(24) :: written
    write (written, '(i0)') number
    text = trim(written)
  end function decimal

  subroutine read_extents(given, dimensions, extents, error, message)
    class(*), intent(in) :: given(:)
    integer, intent(in) :: dimensions
    integer(c_size_t), allocatable, intent(out) :: extents(:)
    integer, intent(out) :: error
    character(:), allocatable, intent(out) :: message
    error = 0
    message = ''
    extents = numbers_of(given)
    if (size(extents) /= dimensions) then
      message = 'extents: expected '//decimal(int(dimensions, c_size_t))//' integers, one for each dimension of the array'
    else if (any(extents < 0)) then
      message = 'extents: expected numbers from 0 on, found '//decimal(extents(findloc(extents < 0, .true., 1)))
    end if
    if (message /= '') error = EINVAL
  end subroutine read_extents

  subroutine allocate_any(given, dimensions, bytes, policy, name, extents, address, stat, errmsg)
    class(*), intent(in) :: given(:)
    integer, intent(in) :: dimensions
    integer(c_size_t), intent(in) :: bytes
    character(*), intent(in) :: policy
    character(*), intent(in), optional :: name
    integer(c_size_t), allocatable, intent(out) :: extents(:)
    type(c_ptr), intent(out) :: address
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable, target :: label
    character(:), allocatable :: message
    character(:), allocatable :: turned
    integer :: error
    address = c_null_ptr
    call read_extents(given, dimensions, extents, error, message)
    if (error == 0) call turn_policy(policy, extents, turned, error, message)
    if (error == 0 .and. any(extents == 0)) then
      address = c_loc(nothing)
    else if (error == 0) then
      label = label_of(name)
      address = c_alloc_shape(int(dimensions, c_int), extents(dimensions:1:-1), bytes, turned, &
                              c_null_ptr, address_of(label))
      if (.not. c_associated(address)) error = errno()
    end if
    call finish('mai_allocate', error, message, stat, errmsg)
  end subroutine allocate_any

  subroutine place_any(address, extents, contiguous, bytes, policy, name, stat, errmsg)
    type(c_ptr), intent(in) :: address
    integer(c_size_t), intent(in) :: extents(:), bytes
    logical, intent(in) :: contiguous
    character(*), intent(in) :: policy
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable, target :: label
    character(:), allocatable :: message
    character(:), allocatable :: turned
    integer(c_size_t) :: slice
    integer :: error
    call check_existing(extents, contiguous, error, message)
    if (error == 0) call turn_policy(policy, extents, turned, error, message)
    if (error == 0 .and. all(extents > 0)) then
      label = label_of(name)
      slice = product(extents(:size(extents) - 1)) * bytes
      if (c_place(address, extents(size(extents)), slice, turned, address_of(label)) /= 0) &
        error = errno()
      if (error == EINVAL) message = &
        'policy: it does not suit the array: one that exists is placed by pages or by its last index'
    end if
    call finish('mai_place', error, message, stat, errmsg)
  end subroutine place_any

  !> Whether this is memory that can be placed.
  subroutine check_existing(extents, contiguous, error, message)
    integer(c_size_t), intent(in) :: extents(:)
    logical, intent(in) :: contiguous
    integer, intent(out) :: error
    character(:), allocatable, intent(out) :: message
    error = 0
    message = ''
    if (size(extents) == 0) then
      message = 'array: expected an array, found a scalar'
    else if (.not. contiguous) then
      message = 'array: it is not contiguous'
    else
      return
    end if
    error = EINVAL
  end subroutine check_existing

  function label_of(name) result(label)
    character(*), intent(in), optional :: name
    character(:), allocatable :: label
    label = ''
    if (present(name)) label = trim(name)//c_null_char
  end function label_of

  !> NULL for no label.
  type(c_ptr) function address_of(label)
    character(*), intent(in), target :: label
    address_of = c_null_ptr
    if (len(label) > 0) address_of = c_loc(label)
  end function address_of

  !===-- For each type -----------------------------------------------------===!

#define MAI_TYPE real(real32)
#define MAI_ALLOCATE allocate_real32
#define MAI_DEALLOCATE deallocate_real32
#define MAI_PLACE place_real32
#include "mai_typed.inc"

#define MAI_TYPE real(real64)
#define MAI_ALLOCATE allocate_real64
#define MAI_DEALLOCATE deallocate_real64
#define MAI_PLACE place_real64
#include "mai_typed.inc"

#define MAI_TYPE complex(real32)
#define MAI_ALLOCATE allocate_complex32
#define MAI_DEALLOCATE deallocate_complex32
#define MAI_PLACE place_complex32
#include "mai_typed.inc"

#define MAI_TYPE complex(real64)
#define MAI_ALLOCATE allocate_complex64
#define MAI_DEALLOCATE deallocate_complex64
#define MAI_PLACE place_complex64
#include "mai_typed.inc"

#ifdef MAI_REAL128
#define MAI_TYPE real(real128)
#define MAI_ALLOCATE allocate_real128
#define MAI_DEALLOCATE deallocate_real128
#define MAI_PLACE place_real128
#include "mai_typed.inc"

#define MAI_TYPE complex(real128)
#define MAI_ALLOCATE allocate_complex128
#define MAI_DEALLOCATE deallocate_complex128
#define MAI_PLACE place_complex128
#include "mai_typed.inc"
#endif

#define MAI_TYPE integer(int8)
#define MAI_ALLOCATE allocate_int8
#define MAI_DEALLOCATE deallocate_int8
#define MAI_PLACE place_int8
#include "mai_typed.inc"

#define MAI_TYPE integer(int16)
#define MAI_ALLOCATE allocate_int16
#define MAI_DEALLOCATE deallocate_int16
#define MAI_PLACE place_int16
#include "mai_typed.inc"

#define MAI_TYPE integer(int32)
#define MAI_ALLOCATE allocate_int32
#define MAI_DEALLOCATE deallocate_int32
#define MAI_PLACE place_int32
#include "mai_typed.inc"

#define MAI_TYPE integer(int64)
#define MAI_ALLOCATE allocate_int64
#define MAI_DEALLOCATE deallocate_int64
#define MAI_PLACE place_int64
#include "mai_typed.inc"

! A logical has the kind of an integer of its size.
#define MAI_TYPE logical(int8)
#define MAI_ALLOCATE allocate_logical8
#define MAI_DEALLOCATE deallocate_logical8
#define MAI_PLACE place_logical8
#include "mai_typed.inc"

#define MAI_TYPE logical(int16)
#define MAI_ALLOCATE allocate_logical16
#define MAI_DEALLOCATE deallocate_logical16
#define MAI_PLACE place_logical16
#include "mai_typed.inc"

#define MAI_TYPE logical(int32)
#define MAI_ALLOCATE allocate_logical32
#define MAI_DEALLOCATE deallocate_logical32
#define MAI_PLACE place_logical32
#include "mai_typed.inc"

#define MAI_TYPE logical(int64)
#define MAI_ALLOCATE allocate_logical64
#define MAI_DEALLOCATE deallocate_logical64
#define MAI_PLACE place_logical64
#include "mai_typed.inc"

  !===-- Types that are not known --------------------------------------------===!

  !> Let `address` be that of a new array of zeroes, whose elements have so many bytes.
  subroutine allocate_bytes(address, extents, bytes, policy, name, stat, errmsg)
    type(c_ptr), intent(inout) :: address
    class(*), intent(in) :: extents(:)
    integer, intent(in) :: bytes
    character(*), intent(in) :: policy
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_size_t), allocatable :: sizes(:)
    type(c_ptr) :: made
    if (are_no_bytes('mai_allocate', bytes, stat, errmsg)) return
    call allocate_any(extents, size(extents), int(bytes, c_size_t), policy, name, sizes, made, stat, &
                      errmsg)
    if (c_associated(made)) address = made
  end subroutine allocate_bytes

  subroutine deallocate_bytes(address, stat, errmsg)
    type(c_ptr), intent(inout) :: address
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: error
    error = 0
    if (.not. c_associated(address, c_loc(nothing))) then
      if (c_free(address) /= 0) error = errno()
    end if
    call finish('mai_deallocate', error, NO_ARRAY, stat, errmsg)
    if (error == 0) address = c_null_ptr
  end subroutine deallocate_bytes

  !> Place contiguous memory that begins at `address`.
  subroutine place_bytes(address, extents, bytes, policy, name, stat, errmsg)
    type(c_ptr), intent(in) :: address
    class(*), intent(in) :: extents(:)
    integer, intent(in) :: bytes
    character(*), intent(in) :: policy
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_size_t), allocatable :: sizes(:)
    character(:), allocatable :: message
    integer :: error
    if (are_no_bytes('mai_place', bytes, stat, errmsg)) return
    call read_extents(extents, size(extents), sizes, error, message)
    if (error == 0) then
      call place_any(address, sizes, .true., int(bytes, c_size_t), policy, name, stat, errmsg)
    else
      call finish('mai_place', error, message, stat, errmsg)
    end if
  end subroutine place_bytes

  !> Whether this is no size of an element, which is said then.
  logical function are_no_bytes(call, bytes, stat, errmsg)
    character(*), intent(in) :: call
    integer, intent(in) :: bytes
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    are_no_bytes = bytes < 1
    if (are_no_bytes) call finish(call, EINVAL, 'bytes: expected a number from 1 on, found '// &
                                  decimal(int(bytes, c_size_t)), stat, errmsg)
  end function are_no_bytes

  !===-- Arrays of any type ------------------------------------------------===!

  !> Know no longer of an array that mai_place() placed.
  subroutine mai_forget(array, stat, errmsg)
    type(*), intent(in), target :: array(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: error
    error = 0
    if (size(array, kind=c_size_t) > 0) then
      if (c_forget(c_loc(array)) /= 0) error = errno()
    end if
    call finish('mai_forget', error, NO_ARRAY, stat, errmsg)
  end subroutine mai_forget

  !> Why an array was not placed by a policy that is one.
  function no_array_or_policy(address) result(message)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: message
    type(mai_pages) :: pages
    integer(c_size_t) :: none(1)
    message = 'policy: it does not suit the array'
    if (c_verify(address, pages, none, 0_c_int) /= 0) message = NO_ARRAY
  end function no_array_or_policy

  !> Place an array anew: by another policy, or without one by its own.
  subroutine mai_replace(array, policy, moves, stat, errmsg)
    type(*), intent(in), target :: array(..)
    character(*), intent(in), optional :: policy
    type(mai_moves), intent(out), optional :: moves
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable :: message
    character(:), allocatable :: turned
    type(mai_moves) :: counts
    integer :: error
    error = 0
    message = ''
    if (present(policy)) call turn_policy(policy, shape(array, kind=c_size_t), turned, error, message)
    if (error == 0 .and. size(array, kind=c_size_t) > 0) then
      ! What is not allocated is not present.
      if (c_replace(c_loc(array), turned, counts) /= 0) error = errno()
      if (error == EINVAL) message = no_array_or_policy(c_loc(array))
    end if
    if (present(moves)) moves = counts
    call finish('mai_replace', error, message, stat, errmsg)
  end subroutine mai_replace

  !> Move pages to a node: of the whole array, or of `count` indices of its last dimension from
  !> `first` (1 is the lowest) on.
  subroutine mai_migrate(array, node, first, count, moves, stat, errmsg)
    type(*), intent(in), target :: array(..)
    integer, intent(in) :: node
    integer, intent(in), optional :: first, count
    type(mai_moves), intent(out), optional :: moves
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(mai_moves) :: counts
    character(:), allocatable :: message
    integer(c_size_t) :: begin, number
    integer :: error
    begin = 1
    number = 0
    if (present(first)) begin = int(first, c_size_t)
    if (rank(array) > 0) number = size(array, rank(array), kind=c_size_t) - begin + 1
    if (present(count)) number = int(count, c_size_t)
    message = ''
    if (rank(array) == 0) then
      message = 'array: expected an array, found a scalar'
    else if (node < 0) then
      message = 'node: expected a number from 0 on, found '//decimal(int(node, c_size_t))
    else if (begin < 1 .or. begin > size(array, rank(array), kind=c_size_t) + 1) then
      message = 'first: expected an index of the last dimension, counted from 1, found '//decimal(begin)
    else if (number < 0 .or. number > size(array, rank(array), kind=c_size_t) - begin + 1) then
      message = 'count: expected as many indices as there are behind first, found '//decimal(number)
    end if
    error = merge(0, EINVAL, message == '')
    if (error == 0 .and. number > 0 .and. size(array, kind=c_size_t) > 0) then
      if (c_migrate_rows(c_loc(array), begin - 1, number, int(node, c_int), counts) /= 0) error = errno()
      if (error == ENODEV) message = 'node: '//text_of_errno(error)
      if (error == EINVAL) message = NO_ARRAY
    end if
    if (present(moves)) moves = counts
    call finish('mai_migrate', error, message, stat, errmsg)
  end subroutine mai_migrate

  !> Let each page go to the node of the thread that touches it next.
  subroutine mai_next_touch(array, stat, errmsg)
    type(*), intent(in), target :: array(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: error
    error = 0
    if (size(array, kind=c_size_t) > 0) then
      if (c_next_touch(c_loc(array), 0_c_size_t, 0_c_size_t) /= 0) error = errno()
    end if
    call finish('mai_next_touch', error, merge(NO_ARRAY, repeat(' ', len(NO_ARRAY)), error == EINVAL), &
                stat, errmsg)
  end subroutine mai_next_touch

  !> Where the pages of an array are.  per_node(1) is for node 0.
  subroutine mai_verify(array, pages, per_node, stat, errmsg)
    type(*), intent(in), target :: array(..)
    type(mai_pages), intent(out) :: pages
    integer(int64), intent(out), optional :: per_node(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_size_t), allocatable :: counts(:)
    integer :: error
    error = 0
    allocate (counts(1), source=0_c_size_t)
    if (present(per_node)) counts = spread(0_c_size_t, 1, size(per_node))
    if (size(array, kind=c_size_t) > 0) then
      if (c_verify(c_loc(array), pages, counts, size(counts, kind=c_int)) /= 0) error = errno()
    end if
    if (present(per_node)) per_node = counts
    call finish('mai_verify', error, merge(NO_ARRAY, repeat(' ', len(NO_ARRAY)), error == EINVAL), stat, &
                errmsg)
  end subroutine mai_verify

  !> The node on which an element is now; -1 when its page is not in memory or nobody tells.
  integer function mai_where(element)
    type(*), intent(in), target :: element(..)
    mai_where = c_where(c_loc(element))
  end function mai_where

  !> The node that the policy means for an element; -1 when there is none.
  integer function mai_node_meant(element)
    type(*), intent(in), target :: element(..)
    mai_node_meant = c_node_meant(c_loc(element))
  end function mai_node_meant

  !> Thread i of top-level teams runs on CPU cpus(i + 1) from the next parallel region on.
  subroutine mai_map_threads(cpus, stat, errmsg)
    integer, intent(in) :: cpus(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: error
    error = 0
    if (c_map_threads(int(cpus, c_int), size(cpus, kind=c_int)) /= 0) error = errno()
    call finish('mai_map_threads', error, '', stat, errmsg)
  end subroutine mai_map_threads

end module mai
