!===-- fortran.f90 - what the module mai promises --------------*- F90 -*-===!
! Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!===----------------------------------------------------------------------===!
program fortran
  use mai
  use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_loc, c_null_ptr, c_ptr
  implicit none
  integer, target :: failures = 0

  type :: particle
    real(real64) :: place(3)
    integer :: kind
  end type particle

  call test_types_and_ranks
  call test_small_and_great_kinds
  call test_bytes
  call test_empty
  call test_which_argument
  call test_errors
  call test_existing
  call test_scalars
  call test_calls
  print '(a, i0)', 'failures: ', failures

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print '(2a)', 'not so: ', what
    failures = failures + 1
  end subroutine expect

  subroutine test_types_and_ranks
    real(real32), pointer :: a(:)
    real(real64), pointer :: b(:, :)
    integer(int32), pointer :: c(:, :, :)
    integer(int64), pointer :: d(:, :, :, :)
    complex(real32), pointer :: e(:, :, :, :, :)
    complex(real64), pointer :: f(:, :)
    nullify (a, b, c, d, e, f)
    call mai_allocate(a, [1000], 'cyclic')
    call mai_allocate(b, [30_int64, 40_int64], 'block', name='b')
    call mai_allocate(c, [3, 4, 5], 'skew')
    call mai_allocate(d, [3, 4, 5, 6], 'first-touch')
    call mai_allocate(e, [2, 3, 4, 5, 6], 'bind 0')
    call mai_allocate(f, [7, 8], 'local')
    call expect(all(shape(b) == [30, 40]) .and. all(lbound(b) == 1), 'extents')
    call expect(all(shape(e) == [2, 3, 4, 5, 6]) .and. is_contiguous(e), 'contiguous')
    call expect(all(a == 0) .and. all(b == 0) .and. all(c == 0) .and. all(d == 0), 'zeroes')
    call expect(all(e == 0) .and. all(f == 0), 'complex zeroes')
    a = 1
    b = 2
    c = 3
    d = 4
    e = (5, 6)
    f = (7, 8)
    call expect(sum(a) == 1000 .and. sum(b) == 2400 .and. sum(c) == 180, 'sums')
    call expect(sum(d) == 1440 .and. sum(e) == (3600, 4320) .and. sum(f) == (392, 448), 'more sums')
    call mai_deallocate(a)
    call mai_deallocate(b)
    call mai_deallocate(c)
    call mai_deallocate(d)
    call mai_deallocate(e)
    call mai_deallocate(f)
    call expect(.not. (associated(a) .or. associated(b) .or. associated(f)), 'disassociated')
    call mai_deallocate(b)
  end subroutine test_types_and_ranks

  subroutine test_small_and_great_kinds
    logical, pointer :: a(:, :)
    logical(int8), pointer :: b(:)
    logical(int16), pointer :: c(:)
    logical(int64), pointer :: d(:)
    integer(int8), pointer :: e(:)
    integer(int16), pointer :: f(:, :)
    real(real128), pointer :: g(:)
    complex(real128), pointer :: h(:)
    logical, allocatable, target :: existing(:)
    nullify (a, b, c, d, e, f, g, h)
    call mai_allocate(a, [10, 20], 'block')
    call mai_allocate(b, [10], 'block')
    call mai_allocate(c, [10], 'cyclic')
    call mai_allocate(d, [10], 'cyclic')
    call mai_allocate(e, [10], 'block')
    call mai_allocate(f, [10, 20], 'block')
    call mai_allocate(g, [10], 'block')
    call mai_allocate(h, [10], 'block')
    call expect(.not. any(a) .and. count(b) + count(c) + count(d) == 0, 'false')
    a(10, 20) = .true.
    b = .true.
    c(10) = .true.
    d(10) = .true.
    e = 127_int8
    f = 5_int16
    g = 1.5_real128
    h = (1, 2)
    call expect(count(a) == 1 .and. count(b) == 10 .and. count(c) + count(d) == 2, 'logicals')
    call expect(all(e == 127) .and. sum(f) == 1000 .and. sum(g) == 15 .and. sum(h) == (10, 20), 'kinds')
    allocate (existing(100000), source=.true.)
    call mai_place(existing, 'block')
    call expect(all(existing), 'logicals that exist')
    call mai_forget(existing)
    call mai_deallocate(a)
    call mai_deallocate(b)
    call mai_deallocate(c)
    call mai_deallocate(d)
    call mai_deallocate(e)
    call mai_deallocate(f)
    call mai_deallocate(g)
    call mai_deallocate(h)
    call expect(.not. (associated(a) .or. associated(h)), 'disassociated, too')
  end subroutine test_small_and_great_kinds

  subroutine test_bytes
    type(particle), pointer :: all_of_them(:)
    type(particle), allocatable, target :: existing(:, :)
    character(7), pointer :: words(:)
    type(c_ptr) :: address, of_words
    type(mai_pages) :: pages
    integer :: stat
    nullify (all_of_them)
    address = c_null_ptr
    of_words = c_null_ptr
    call mai_allocate(address, [5000], storage_size(all_of_them) / 8, 'cyclic', name='particles')
    call c_f_pointer(address, all_of_them, [5000])
    call expect(all_of_them(5000)%kind == 0, 'particles of zeroes')
    all_of_them%kind = 3
    call mai_replace(all_of_them, 'block')
    call mai_verify(all_of_them, pages)
    call expect(pages%total > 0 .and. sum(all_of_them%kind) == 15000, 'particles')
    call mai_allocate(of_words, [10], 7, 'block')
    call c_f_pointer(of_words, words, [10])
    words = 'seven'
    call expect(all(words == 'seven'), 'words')
    call mai_deallocate(of_words)
    call mai_deallocate(address)
    call expect(.not. c_associated(address), 'no address')
    call mai_deallocate(address)
    allocate (existing(100, 50))
    existing%kind = 1
    call mai_place(c_loc(existing), shape(existing), storage_size(existing) / 8, 'cyclic by columns')
    call expect(sum(existing%kind) == 5000, 'existing particles')
    call mai_forget(existing)
    call mai_allocate(address, [5], 0, 'block', stat=stat)
    call expect(stat == 22 .and. .not. c_associated(address), 'no bytes')
  end subroutine test_bytes

  subroutine test_empty
    real(real64), pointer :: u(:, :)
    real(real64), allocatable, target :: v(:)
    type(mai_moves) :: moves
    type(mai_pages) :: pages
    integer :: stat
    nullify (u)
    call mai_allocate(u, [5, 0], 'block', stat=stat)
    call expect(stat == 0 .and. associated(u) .and. size(u) == 0 .and. size(u, 1) == 5, 'empty')
    call mai_replace(u, 'cyclic', moves)
    call mai_replace(u)
    call mai_migrate(u, 0)
    call mai_next_touch(u)
    call mai_verify(u, pages)
    call expect(pages%total == 0 .and. moves%moved == 0, 'nothing of an empty array')
    call mai_replace(u, 'blick', stat=stat)
    call expect(stat == 22, 'a policy of an empty array is one')
    call mai_deallocate(u)
    call expect(.not. associated(u), 'an empty array disassociated')
    allocate (v(0))
    call mai_place(v, 'block')
    call mai_forget(v)
    call mai_place(c_loc(failures), [0], 4, 'block')
  end subroutine test_empty

  subroutine expect_message(message, text)
    character(*), intent(in) :: message, text
    call expect(message == text, trim(message)//' is '//text)
  end subroutine expect_message

  subroutine test_which_argument
    real(real64), pointer :: u(:)
    real(real64), allocatable, target :: v(:)
    character(200) :: message
    integer :: stat
    nullify (u)
    allocate (v(10))
    call mai_allocate(u, [5, 5], 'block', stat=stat, errmsg=message)
    call expect_message(message, 'mai_allocate: extents: expected 1 integers, one for each dimension of the array')
    call mai_allocate(u, [-5], 'block', stat=stat, errmsg=message)
    call expect_message(message, 'mai_allocate: extents: expected numbers from 0 on, found -5')
    call mai_allocate(u, [5], 'blick', stat=stat, errmsg=message)
    call expect(index(message, 'mai_allocate: policy: column 1: expected') == 1, message)
    call mai_forget(v, stat=stat, errmsg=message)
    call expect_message(message, 'mai_forget: array: MAi knows none that begins there')
    call mai_replace(v, 'block', stat=stat, errmsg=message)
    call expect_message(message, 'mai_replace: array: MAi knows none that begins there')
    call mai_verify_unknown(v, message)
    call expect_message(message, 'mai_verify: array: MAi knows none that begins there')
    call mai_allocate(u, [500], 'block')
    call mai_migrate(u, 999, stat=stat, errmsg=message)
    call expect_message(message, 'mai_migrate: node: No such device')
    call mai_migrate(u, -1, stat=stat, errmsg=message)
    call expect_message(message, 'mai_migrate: node: expected a number from 0 on, found -1')
    call mai_migrate(u, 0, first=0, stat=stat, errmsg=message)
    call expect_message(message, &
                        'mai_migrate: first: expected an index of the last dimension, counted from 1, found 0')
    call mai_migrate(u, 0, first=500, count=2, stat=stat, errmsg=message)
    call expect_message(message, &
                        'mai_migrate: count: expected as many indices as there are behind first, found 2')
    call mai_deallocate(u)
  end subroutine test_which_argument

  subroutine mai_verify_unknown(v, message)
    real(real64), intent(in), target :: v(:)
    character(*), intent(inout) :: message
    type(mai_pages) :: pages
    integer :: stat
    call mai_verify(v, pages, stat=stat, errmsg=message)
  end subroutine mai_verify_unknown

  subroutine expect_error(text, policy, extents, errno)
    character(*), intent(in) :: text, policy
    integer(int64), intent(in) :: extents(:)
    integer, intent(in) :: errno
    real(real64), pointer :: u(:, :)
    character(200) :: message
    integer :: stat
    nullify (u)
    message = 'untouched'
    call mai_allocate(u, extents, policy, stat=stat, errmsg=message)
    call expect(stat == errno .and. .not. associated(u), 'errno of '//policy//', '//text)
    call expect(index(message, text) > 0, trim(message)//' has '//text)
  end subroutine expect_error

  subroutine test_errors
    integer, parameter :: EINVAL = 22, ENODEV = 19, EOVERFLOW = 75, ENOMEM = 12
    real(real64), pointer :: u(:, :)
    integer :: stat
    call expect_error('column 1: expected a policy', 'blick', [2_int64, 2_int64], EINVAL)
    call expect_error('expected 2 integers, one for each dimension', 'block', [2_int64], EINVAL)
    call expect_error('numbers from 0 on, found -2', 'block', [-2_int64, 1_int64], EINVAL)
    call expect_error('names a dimension', 'cyclic by dimension 2', [2_int64, 2_int64], EINVAL)
    call expect_error('names a dimension', 'cyclic by blocks 1x2x3', [2_int64, 2_int64], EINVAL)
    call expect_error('No such device', 'bind 999', [2_int64, 2_int64], ENODEV)
    call expect_error('mai_allocate: Value too large', 'block', [huge(1_int64), 2_int64], EOVERFLOW)
    call expect_error('Cannot allocate memory', 'block', [2_int64**50, 2_int64], ENOMEM)

    allocate (u(3, 4))
    call mai_deallocate(u, stat=stat)
    call expect(stat == EINVAL .and. associated(u), 'not MAi''s to free')
    call mai_replace(u, 'cyclic', stat=stat)
    call expect(stat == EINVAL, 'no array of MAi')
    call mai_place(u(1:2, :), 'cyclic', stat=stat)
    call expect(stat == EINVAL, 'not contiguous')
    deallocate (u)
    call mai_allocate(u, [3, 4], 'block', stat=stat)
    call mai_migrate(u, 999, stat=stat)
    call expect(stat == ENODEV, 'no such node')
    call mai_migrate(u, 0, first=4, count=2, stat=stat)
    call expect(stat == EINVAL, 'migrate beyond the end')
    call mai_migrate(u, 0, first=0, stat=stat)
    call expect(stat == EINVAL, 'migrate from before the start')
    call mai_deallocate(u)
  end subroutine test_errors

  subroutine test_existing
    real(real64), allocatable, target :: v(:, :)
    type(mai_pages) :: pages
    integer :: stat
    allocate (v(512, 300))
    v = 3
    call mai_place(v, 'block', name='v')
    call mai_verify(v, pages)
    call expect(pages%total == 299 .or. pages%total == 300, 'pages of existing memory')
    call expect(pages%placed == pages%total .and. all(v == 3), 'placed, with contents')
    call expect_unplaced(v, 'cyclic by rows')
    call expect_unplaced(v, 'cyclic by blocks 512x1')
    call expect_unplaced(v, 'cyclic by blocks 2x2')
    call mai_replace(v, 'cyclic by blocks 512x1', stat=stat)
    call expect(stat /= 0, 'nor has it more when it is placed anew')
    call mai_place(v, 'cyclic by columns')
    call mai_forget(v)
    call mai_verify(v, pages, stat=stat)
    call expect(stat /= 0, 'forgotten')
  end subroutine test_existing

  subroutine expect_unplaced(v, policy)
    real(real64), intent(in), target :: v(:, :)
    character(*), intent(in) :: policy
    character(200) :: message
    integer :: stat
    call mai_place(v, policy, stat=stat, errmsg=message)
    call expect(stat == 22 .and. index(message, 'by pages or by its last index') > 0, policy)
  end subroutine expect_unplaced

  subroutine test_scalars
    real(real64), target :: scalar
    real(real64), pointer :: pointer
    integer :: stat
    nullify (pointer)
    call mai_place(scalar, 'cyclic', stat=stat)
    call expect(stat == 22, 'a scalar is no array to place')
    call mai_migrate(scalar, 0, stat=stat)
    call expect(stat == 22, 'nor to migrate')
    call mai_allocate(pointer, [integer ::], 'cyclic', stat=stat)
    call expect(stat == 22 .and. .not. associated(pointer), 'nor to allocate')
  end subroutine test_scalars

  subroutine test_calls
    real(real32), pointer :: u(:, :, :)
    integer(int64) :: per_node(4)
    type(mai_moves) :: moves
    type(mai_pages) :: pages
    integer :: stat
    nullify (u)
    call mai_allocate(u, [16, 64, 100], 'first-touch')
    call expect(mai_where(u(1, 1, 50)) == -1, 'untouched')
    u = 1
    call expect(mai_where(u(1, 1, 50)) >= 0, 'touched')
    call mai_replace(u, 'cyclic by blocks 16x64x1', moves)
    call mai_replace(u)
    call mai_next_touch(u)
    u = u + 1
    call mai_migrate(u, 0, moves=moves)
    call mai_migrate(u, 0, first=100)
    call mai_verify(u, pages, per_node)
    call expect(sum(per_node) == pages%placed + pages%spilled .and. all(u == 2), 'verified')
    call mai_map_threads([0])
    call expect(mai_cpu_of_thread(0) == 0, 'mapped')
    call mai_map_threads([integer ::], stat=stat)
    call expect(stat /= 0, 'no map')
    call mai_deallocate(u)
  end subroutine test_calls

end program fortran
