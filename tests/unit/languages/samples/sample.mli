(** Opens it. *)
val open_file : string -> int
type t
exception Closed
module Inner : sig val deep : int end
