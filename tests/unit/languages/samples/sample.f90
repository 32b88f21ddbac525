! Shapes.
module shapes
  use iso_fortran_env
  implicit none
  type :: circle
    real :: radius
  end type circle
contains
  ! Measures.
  function area(c) result(a)
    type(circle), intent(in) :: c
    real :: a
    a = square(c%radius)
  end function area

  subroutine show(c)
    type(circle), intent(in) :: c
    call print_it(c)
  end subroutine show
end module shapes

program main
  use shapes
end program main
