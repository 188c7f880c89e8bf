open List

type 'a shape = Round of float | Square of { side : int; name : string } | Other of 'a list

module type AREA = sig val area : 'a shape -> int end

module Area : AREA = struct
  let rec area = function
    | Round r when r > 1.0 -> int_of_float (r *. 2.0)
    | Square { side; _ } -> side * side
    | Other [] -> 0
    | _ -> area (Other [])
end

let twice ?(by = 2) x = x * by

let () =
  let total = fold_left (fun a b -> a + b) 0 [ 1; 2; 3 ] in
  try if total > 3 then print_endline "large" else print_int (twice total)
  with Not_found -> ()
