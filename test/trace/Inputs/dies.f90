! Writes an array and ends in the way that it is told; libgfortran has handlers for some.
module data
  implicit none
  real(8) :: array(1024)
  real(8), pointer :: nothing(:) => null()
end module

program dies
  use data
  implicit none
  integer :: i
  character(20) :: way
  call get_command_argument(1, way)
  do i = 1, 1024
    array(i) = i
  end do
  select case (way)
  case ('abort')
    call abort
  case ('fault')
    nothing(3) = 2
  case ('stop')
    error stop 3
  case ('read')
    open (7, file='/dev/null')
    read (7, *) i
  end select
end program
