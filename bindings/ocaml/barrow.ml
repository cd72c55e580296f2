(* Barrow for OCaml: a heap beside OCaml's own, as a compiler's test bench or an interpreter uses it. An address of an object is
   a word that OCaml's collector does not look at; it is good until the next call that may collect, unless it is in a root. *)

type heap = nativeint
type info = nativeint
type addr = nativeint
type root = nativeint

exception Refused of string

let () = Callback.register_exception "barrow_refused" (Refused "")

external create : string -> heap = "barrow_ml_create"
external free : heap -> unit = "barrow_ml_free"
external collect : heap -> bool -> unit = "barrow_ml_collect"

(* [kind description type_name pointers words]: objects of so many pointers, then so many plain words. Lives for ever. *)
external kind : string -> string -> int -> int -> info = "barrow_ml_kind"

(* A root is a word that a collection keeps up to date. *)
external root : heap -> string -> root = "barrow_ml_root"
external get : (root[@unboxed]) -> (addr[@unboxed]) = "barrow_ml_get_byte" "barrow_ml_get" [@@noalloc]
external set : (root[@unboxed]) -> (addr[@unboxed]) -> unit = "barrow_ml_set_byte" "barrow_ml_set" [@@noalloc]

(* [alloc heap info words]: may collect; the fields are zero. *)
external alloc : (heap[@unboxed]) -> (info[@unboxed]) -> (int[@untagged]) -> (addr[@unboxed])
  = "barrow_ml_alloc_byte" "barrow_ml_alloc"

external field : (addr[@unboxed]) -> (int[@untagged]) -> (nativeint[@unboxed]) = "barrow_ml_field_byte" "barrow_ml_field"
  [@@noalloc]

(* A plain word, and a pointer, for which the write barrier is. Fields count from 0, behind the header. *)
external set_word : (addr[@unboxed]) -> (int[@untagged]) -> (nativeint[@unboxed]) -> unit
  = "barrow_ml_set_word_byte" "barrow_ml_set_word" [@@noalloc]

external set_pointer : (heap[@unboxed]) -> (addr[@unboxed]) -> (int[@untagged]) -> (addr[@unboxed]) -> unit
  = "barrow_ml_set_pointer_byte" "barrow_ml_set_pointer" [@@noalloc]
