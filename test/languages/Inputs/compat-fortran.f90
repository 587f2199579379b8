! A program for the original MAi: its module, some calls without it, and rows and columns in Fortran's order.
subroutine shift(array) ! has no interface: nothing but the name tells what is called
  real(8) :: array(*)
  call mai_migrate_gather(array, 1)
  call mai_show_thread_ids()
end subroutine shift

program original
  use ctof
  use, intrinsic :: iso_c_binding, only: c_loc, c_ptr, c_int
  implicit none
  interface
    integer(c_int) function where_is(address) bind(c, name='mai_where')
      import :: c_ptr, c_int
      type(c_ptr), value :: address
    end function where_is
  end interface
  real, dimension(:), pointer :: x
  real*8, dimension(:, :), pointer :: w
  byte, dimension(:, :, :), pointer :: b
  integer, dimension(:, :, :, :), pointer :: k
  complex, dimension(:, :, :, :, :), pointer :: c
  integer :: i, j
  x => null()
  call mai_init()
  call mai_alloc_1D_real(x, 100)
  call mai_alloc_2d_lreal(w, 2048, 8)
  call mai_alloc_3d_byte(b, 2, 3, 4)
  call mai_alloc_4d_int(k, 2, 3, 4, 5)
  call mai_alloc_5d_complex(c, 2, 3, 4, 5, 6)
  call mai_skew_mapp(x)
  call mai_cyclic(b)
  call mai_prime_mapp(k, 5)
  call mai_random(c)
  do j = 1, 8
    do i = 1, 2048
      w(i, j) = i + 10000d0 * j
    end do
  end do
  print '(a, 5(1x, i0))', 'sizes', size(x), size(w), size(b), size(k), size(c)
  call mai_bind_rows(w)
  call show('rows')
  call mai_bind_columns(w)
  call show('columns')
  call mai_migrate_rows(w, 3, 2, 1)
  call show('w(:, 2:3) to node 3')
  call shift(w)
  call show('all to node 1')
  print '(a, f0.1)', 'sum ', sum(w) + sum(x) + abs(sum(c)) + sum(k) + sum(b)
  call mai_free_array(w)
  call mai_alloc_2d_lreal(w, -1, 8)
  print '(a, l1)', 'no array ', .not. associated(w)
  call mai_final()
contains
  subroutine show(what)
    character(*), intent(in) :: what
    print '(a, 8(1x, 4i1))', what, ((where_is(c_loc(w(i, j))), i = 1, 2048, 512), j = 1, 8)
  end subroutine show
end program original
