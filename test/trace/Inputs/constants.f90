! Constants are passed by their addresses, and read there: after inlining, in the caller.
program constants
  character(6) :: text
  text = letters(6)
  if (text /= 'abcdef' .or. abs(summed(2, 0.5, 0.25d0, (1d0, 2d0), .true.) - 5.75d0) > 1d-9) stop 1
  print *, 'right'
contains
  function letters(length)
    integer, intent(in) :: length
    character(length) :: letters
    letters = 'abcdef'
  end function letters

  real(8) function summed(whole, short, long, pair, wanted)
    integer, intent(in) :: whole
    real, intent(in) :: short
    real(8), intent(in) :: long
    complex(8), intent(in) :: pair
    logical, intent(in) :: wanted
    summed = 0
    if (wanted) summed = whole + short + long + real(pair) + aimag(pair)
  end function summed
end program constants
