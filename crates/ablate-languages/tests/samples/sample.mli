open List

type 'a shape = Round of float | Other of 'a list

val area : 'a shape -> int

val twice : ?by:int -> int -> int

exception Bad of string

module type AREA = sig
  val limit : int
end
