(* README.md's program in OCaml.

     ocamlopt -ccopt -IPREFIX/include barrow.ml barrow_stubs.c first.ml -cclib -lbarrow -ccopt -LPREFIX/lib *)

let heap = Barrow.create "-A1m -M64m"
let cell = Barrow.kind "Cons" "List" 1 1 (* one pointer, one plain word *)
let list = Barrow.root heap "list"
let held = Barrow.root heap "held"

let cons value next_is_list =
  let c = Barrow.alloc heap cell 3 in
  (* [list] is read after the allocation, which may have moved what it refers to. *)
  Barrow.set_pointer heap c 0 (if next_is_list then Barrow.get list else 0n);
  Barrow.set_word c 1 (Nativeint.of_int value);
  c

let () =
  Barrow.set held (cons 0 false);
  for i = 0 to 9_999_999 do
    Barrow.set list (cons i (i mod 1000 <> 0));
    (* A store into an object that is old by now. *)
    if i = 4_999_999 then Barrow.set_pointer heap (Barrow.get held) 0 (Barrow.get list)
  done;
  Barrow.collect heap true;
  assert (Barrow.field (Barrow.field (Barrow.get held) 0) 1 = 4_999_999n);
  Printf.printf "the last list begins with %nd\n" (Barrow.field (Barrow.get list) 1);
  Barrow.free heap
