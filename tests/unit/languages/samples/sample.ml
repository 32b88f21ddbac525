open Printf
module M = Map.Make (String)

(** The limit. *)
let limit = 10

type shape = Circle of float | Square of float

exception Empty of string

(** Measures. *)
let rec area s = match s with
  | Circle r -> compute r
  | Square a -> a *. a

module Queue = struct
  type t = int list
  let push x q = List.append q [x]
end

module type S = sig
  val size : int -> int
end

class counter = object
  method incr = ()
end
