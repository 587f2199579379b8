! Variables of each thread: of a module, of a common block, and saved in a procedure.
module own
  integer :: counter = 3
  real(8) :: field(50) = 0
  !$omp threadprivate(counter, field)
end module

integer function next()
  integer, save :: last = 10
  !$omp threadprivate(last)
  last = last + 1
  next = last
end function

program threads
  use own
  integer :: next, i, total
  real(8) :: block(20)
  common /shared/ block
  !$omp threadprivate(/shared/)
  total = 0
  !$omp parallel do num_threads(3) schedule(static, 1) reduction(+ : total) copyin(counter)
  do i = 1, 30
    counter = counter + next()
    field(i) = counter
    block(1 + mod(i, 20)) = field(i) * 2
    total = total + int(block(1 + mod(i, 20)))
  end do
  print *, total
end program
