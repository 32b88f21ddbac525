module Shapes

using LinearAlgebra
import Base: show, length

const LIMIT = 10

"""
A circle.
"""
struct Circle <: Shape
    radius::Float64
end

abstract type Shape end
mutable struct Box
    w::Int
end

"Measures the surface."
function area(c::Circle)
    return pi * square(c.radius)
end

square(x) = x * x

macro twice(ex)
    quote $ex end
end

end
