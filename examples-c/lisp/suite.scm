; Expressions and what they give, as write prints it; "error" and the message where they fail. scheme --suite=suite.scm

; ---- literals and quotation
42 => 42
-17 => -17
#xff => 255
#b-101 => -5
1.5 => 1.5
-0.25 => -0.25
1e3 => 1000.0
.5 => 0.5
1e100 => 1e+100
+inf.0 => +inf.0
(- +inf.0) => -inf.0
#t => #t
#false => #f
"a\tb\"c\\" => "a\tb\"c\\"
"\x3bb;x" => "λx"
"a\
   b" => "ab"
#\a => #\a
#\space => #\space
#\x41 => #\A
#\λ => #\λ
'sym => sym
'|two words| => |two words|
'(1 . (2 . (3 . ()))) => (1 2 3)
'(1 . 2) => (1 . 2)
''a => (quote a)
'#(1 #(2) "s") => #(1 #(2) "s")
#u8(1 2 255) => #u8(1 2 255)
'() => ()
#| block #| nested |# |# 7 => 7
(list 1 #;(ignored) 2) => (1 2)
; ---- the core
(if #f #f) => #<unspecified>
(if '() 1 2) => 1
((lambda (x y) (- x y)) 10 3) => 7
((lambda args args) 1 2 3) => (1 2 3)
((lambda (a . rest) (list a rest)) 1 2 3) => (1 (2 3))
(define x 10) => #<unspecified>
x => 10
(begin (set! x (+ x 1)) x) => 11
(define (add a b) (+ a b)) => #<unspecified>
(add 3 4) => 7
(let ((x 2) (y 3)) (* x y)) => 6
(let* ((x 2) (y (* x x))) (list x y)) => (2 4)
(letrec ((even? (lambda (n) (if (= n 0) #t (odd? (- n 1))))) (odd? (lambda (n) (if (= n 0) #f (even? (- n 1)))))) (even? 100)) => #t
(letrec* ((a 1) (b (+ a 1))) (list a b)) => (1 2)
(let loop ((i 0) (acc '())) (if (= i 4) acc (loop (+ i 1) (cons i acc)))) => (3 2 1 0)
(let () (define a 1) (define (f) (* a 2)) (f)) => 2
(let () (define (ev? n) (or (= n 0) (od? (- n 1)))) (define (od? n) (and (> n 0) (ev? (- n 1)))) (ev? 11)) => #f
(let ((x 1)) (let ((x 2) (y x)) (list x y))) => (2 1)
(let* () 5) => 5
(and) => #t
(and 1 2 #f 3) => #f
(and 1 2 3) => 3
(or) => #f
(or #f #f 4) => 4
(or (memq 'b '(a b c)) 'none) => (b c)
(cond ((assv 2 '((1 . a) (2 . b))) => cdr) (else 'no)) => b
(cond (#f 1) (else 2 3)) => 3
(cond (5)) => 5
(cond (#f 1)) => #<unspecified>
(when (> 2 1) 'a 'b) => b
(unless (> 2 1) 'a 'b) => #<unspecified>
(case (* 2 3) ((2 3 5 7) 'prime) ((1 4 6 8 9) 'composite)) => composite
(case 'x ((a) 1) (else => (lambda (v) (list v 'other)))) => (x other)
(case 3 ((1 2 3) => (lambda (n) (* n 10)))) => 30
(do ((i 0 (+ i 1)) (s 0 (+ s i))) ((= i 5) s)) => 10
(do ((v (make-vector 3)) (i 0 (+ i 1))) ((= i 3) v) (vector-set! v i i)) => #(0 1 2)
(begin 1 2 3) => 3
(define counter (let ((n 0)) (lambda () (set! n (+ n 1)) n))) => #<unspecified>
(begin (counter) (counter) (counter)) => 3
(let ((f (lambda (x) (lambda (y) (+ x y))))) ((f 1) 2)) => 3
(define (compose . fs) (if (null? fs) (lambda (x) x) (lambda (x) ((car fs) ((apply compose (cdr fs)) x))))) => #<unspecified>
((compose car cdr cdr) '(1 2 3 4)) => 3
(procedure? car) => #t
(procedure? (lambda () 1)) => #t
(procedure? 'car) => #f
(let ((if list)) (if 1 2 3)) => (1 2 3)
(let ((=> 1)) (cond (#t 2 => 3))) => 3
; ---- quasiquotation
`(1 ,(+ 1 1) 3) => (1 2 3)
`(1 ,@(list 2 3) 4) => (1 2 3 4)
`(,@'(1 2) . 3) => (1 2 . 3)
`#(1 ,(+ 1 1) ,@(list 3)) => #(1 2 3)
`(1 `(2 ,(3 ,(+ 1 3)))) => (1 (quasiquote (2 (unquote (3 4)))))
(let ((a 1)) `((a . ,a) (b . ,(+ a 1)))) => ((a . 1) (b . 2))
; ---- numbers
(+ 1 2 3) => 6
(+) => 0
(* 2 3 4) => 24
(- 5) => -5
(- 10 1 2) => 7
(/ 12 3) => 4
(/ 1 4) => 0.25
(+ 1 0.5) => 1.5
(* 1.0 2) => 2.0
(< 1 2 3) => #t
(< 1 3 2) => #f
(= 1 1.0) => #t
(eqv? 1 1.0) => #f
(>= 3 3 2) => #t
(quotient -7 2) => -3
(remainder -7 2) => -1
(modulo -7 2) => 1
(call-with-values (lambda () (floor/ -7 2)) list) => (-4 1)
(call-with-values (lambda () (truncate/ -7 2)) list) => (-3 -1)
(call-with-values (lambda () (exact-integer-sqrt 17)) list) => (4 1)
(gcd 12 18) => 6
(lcm 4 6) => 12
(max 1 2.0 1) => 2.0
(min 3 1 2) => 1
(abs -5) => 5
(expt 2 60) => 1152921504606846976
(expt 2.0 0.5) => 1.4142135623730951
(sqrt 16) => 4
(sqrt 2) => 1.4142135623730951
(round 2.5) => 2.0
(round -1.5) => -2.0
(floor -1.5) => -2.0
(truncate -1.5) => -1.0
(exact (floor 2.7)) => 2
(inexact 1) => 1.0
(number->string 255 16) => "ff"
(number->string -10 2) => "-1010"
(number->string 0.1) => "0.1"
(string->number "1e2") => 100.0
(string->number "ff" 16) => 255
(string->number "zz") => #f
(list (exact? 1) (exact? 1.0) (integer? 2.0) (integer? 2.5)) => (#t #f #t #f)
(list (zero? 0) (positive? -1) (negative? -1) (odd? 3) (even? 3)) => (#t #f #t #t #f)
(nan? (/ 0.0 0.0)) => #t
(exact-integer? 5) => #t
(square 7) => 49
(+ 2305843009213693951 1) => error an exact number is too large
(* 3037000500 3037000500) => error an exact number is too large
(/ 1 0) => error /: division by zero
(modulo 5 0) => error division by zero: 5
; ---- the same as
(eq? 'a 'a) => #t
(eq? '() '()) => #t
(eq? (list 1) (list 1)) => #f
(eqv? 1.5 1.5) => #t
(eqv? "a" "a") => #f
(equal? '(1 (2 #(3)) "x") (list 1 (list 2 (vector 3)) "x")) => #t
(equal? "ab" "ac") => #f
(equal? #u8(1 2) (bytevector 1 2)) => #t
(equal? 1 1.0) => #f
; ---- pairs and lists
(cons 1 2) => (1 . 2)
(car '(1 2)) => 1
(cdr '(1 2)) => (2)
(cadr '(1 2 3)) => 2
(cddr '(1 2 3)) => (3)
(caddr '(1 2 3)) => 3
(let ((p (list 1 2))) (set-car! p 9) (set-cdr! (cdr p) '(3)) p) => (9 2 3)
(list 1 2 3) => (1 2 3)
(cons* 1 2 '(3)) => (1 2 3)
(length '(1 2 3)) => 3
(append '(1) '(2 3) '() '(4 . 5)) => (1 2 3 4 . 5)
(append) => ()
(reverse '(1 2 3)) => (3 2 1)
(list-tail '(1 2 3 4) 2) => (3 4)
(list-ref '(a b c) 1) => b
(let ((l (list 1 2 3))) (list-set! l 1 'x) l) => (1 x 3)
(list-copy '(1 2 . 3)) => (1 2 . 3)
(make-list 2 'x) => (x x)
(memv 2 '(1 2 3)) => (2 3)
(member "b" '("a" "b")) => ("b")
(member 2.0 '(1 2 3) =) => (2 3)
(assq 'b '((a 1) (b 2))) => (b 2)
(assoc "b" '(("a" . 1) ("b" . 2))) => ("b" . 2)
(assoc 2.0 '((1 one) (2 two)) =) => (2 two)
(map + '(1 2 3) '(10 20)) => (11 22)
(map (lambda (x) (* x x)) '(1 2 3)) => (1 4 9)
(let ((s 0)) (for-each (lambda (x) (set! s (+ s x))) '(1 2 3)) s) => 6
(apply + 1 2 '(3 4)) => 10
(filter odd? '(1 2 3 4 5)) => (1 3 5)
(fold-left cons '() '(1 2)) => ((() . 1) . 2)
(fold-right cons '() '(1 2)) => (1 2)
(sort '(3 1 2 5 4) <) => (1 2 3 4 5)
(iota 4) => (0 1 2 3)
(list? '(1 2)) => #t
(list? '(1 . 2)) => #f
(let ((l (list 1 2))) (set-cdr! (cdr l) l) (list? l)) => #f
; ---- symbols, booleans, characters
(symbol->string 'abc) => "abc"
(string->symbol "Hello") => Hello
(eq? 'abc (string->symbol "abc")) => #t
(symbol=? 'a 'a 'a) => #t
(boolean=? #t #f) => #f
(char->integer #\A) => 65
(integer->char 955) => #\λ
(char<? #\a #\b #\c) => #t
(char-ci=? #\a #\A) => #t
(char-upcase #\a) => #\A
(list (char-alphabetic? #\a) (char-numeric? #\1) (char-whitespace? #\space) (digit-value #\7)) => (#t #t #t 7)
; ---- strings
(string-length "λab") => 3
(string-ref "abc" 1) => #\b
(substring "hello" 1 3) => "el"
(string-append "a" "b" "c") => "abc"
(string #\a #\b) => "ab"
(make-string 3 #\x) => "xxx"
(let ((s (make-string 2 #\a))) (string-set! s 1 #\λ) s) => "aλ"
(string=? "a" "a" "a") => #t
(string<? "abc" "abd") => #t
(string-ci=? "AbC" "aBc") => #t
(string->list "abc") => (#\a #\b #\c)
(list->string '(#\x #\y)) => "xy"
(string-upcase "abc1") => "ABC1"
(string-copy "hello" 2) => "llo"
(let ((s (string-copy "12345"))) (string-copy! s 1 "ab") s) => "1ab45"
(let ((s (make-string 3 #\a))) (string-fill! s #\b 1) s) => "abb"
(string-map char-upcase "abc") => "ABC"
(let ((l '())) (string-for-each (lambda (c) (set! l (cons c l))) "ab") l) => (#\b #\a)
(string->vector "ab") => #(#\a #\b)
(string-join '("a" "b" "c") ", ") => "a, b, c"
(string->utf8 "aλ") => #u8(97 206 187)
(utf8->string #u8(97 206 187)) => "aλ"
; ---- vectors and bytevectors
(vector 1 'a "s") => #(1 a "s")
(make-vector 2 'x) => #(x x)
(vector-length #(1 2 3)) => 3
(vector-ref #(1 2 3) 2) => 3
(let ((v (vector 1 2 3))) (vector-set! v 0 'a) v) => #(a 2 3)
(vector->list #(1 2 3) 1) => (2 3)
(list->vector '(1 2)) => #(1 2)
(vector-map * #(1 2 3) #(4 5 6)) => #(4 10 18)
(let ((s 0)) (vector-for-each (lambda (x) (set! s (+ s x))) #(1 2 3)) s) => 6
(let ((v (make-vector 4 0))) (vector-fill! v 7 1 3) v) => #(0 7 7 0)
(vector-append #(1) #(2 3)) => #(1 2 3)
(vector-copy #(1 2 3) 1) => #(2 3)
(let ((v (vector 1 2 3 4))) (vector-copy! v 1 v 0 3) v) => #(1 1 2 3)
(vector->string #(#\a #\b)) => "ab"
(bytevector-u8-ref #u8(5 6) 1) => 6
(let ((b (make-bytevector 3 1))) (bytevector-u8-set! b 1 255) b) => #u8(1 255 1)
(bytevector-append #u8(1) #u8(2 3)) => #u8(1 2 3)
(bytevector-copy #u8(1 2 3) 1 2) => #u8(2)
(let ((b (bytevector 1 2 3))) (bytevector-copy! b 0 #u8(9 8) 1) b) => #u8(8 2 3)
(let ((v (make-vector 1000 0))) (do ((i 0 (+ i 1))) ((= i 1000)) (vector-set! v i (list i))) (collect-garbage) (apply + (map car (vector->list v)))) => 499500
; ---- values
(call-with-values (lambda () (values 1 2 3)) list) => (1 2 3)
(call-with-values (lambda () 5) list) => (5)
(call-with-values values list) => ()
(values 7) => 7
(let-values (((a b) (values 1 2)) ((c) (values 3))) (list a b c)) => (1 2 3)
(let-values (((a . rest) (values 1 2 3)) (all (values 4 5))) (list a rest all)) => (1 (2 3) (4 5))
(let ((a 1) (b 2)) (let-values (((a b) (values b a))) (list a b))) => (2 1)
(let*-values (((a b) (values 1 2)) ((c) (values (+ a b)))) c) => 3
(receive (a . rest) (values 1 2 3) (list a rest)) => (1 (2 3))
(begin (define-values (p q r) (values 1 2 3)) (list p q r)) => (1 2 3)
(begin (define-values (p . q) (values 1 2 3)) (list p q)) => (1 (2 3))
; ---- continuations and dynamic-wind
(call/cc (lambda (k) (+ 1 (k 42)))) => 42
(+ 1 (call/cc (lambda (k) (k 1) 100))) => 2
(call-with-values (lambda () (call/cc (lambda (k) (k 1 2)))) list) => (1 2)
(define saved #f) => #<unspecified>
(define times 0) => #<unspecified>
(let* ((n 0) (again #f) (f (lambda (x) (call/cc (lambda (k) (if (not again) (set! again k)) x)))) (sum (+ (f 1) 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 (f 70)))) (set! n (+ n 1)) (if (< n 3) (again 1000)) (list n sum)) => (3 3484)
(let ((n 0)) (call/cc (lambda (k) (set! saved k))) (set! n (+ n 1)) (when (< n 3) (saved #f)) n) => 3
(let ((path '())) (dynamic-wind (lambda () (set! path (cons 'in path))) (lambda () (set! path (cons 'body path))) (lambda () (set! path (cons 'out path)))) (reverse path)) => (in body out)
(let ((path '())) (call/cc (lambda (k) (dynamic-wind (lambda () (set! path (cons 'in path))) (lambda () (k 1)) (lambda () (set! path (cons 'out path)))))) (reverse path)) => (in out)
(let ((path '()) (k #f) (n 0)) (dynamic-wind (lambda () (set! path (cons 'in path))) (lambda () (call/cc (lambda (c) (set! k c))) (set! path (cons 'body path))) (lambda () (set! path (cons 'out path)))) (set! n (+ n 1)) (if (< n 2) (k #f)) (reverse path)) => (in body out in body out)
(define (make-generator list) (define return #f) (define (next) (call/cc (lambda (r) (set! return r) (for-each (lambda (x) (call/cc (lambda (k) (set! next (lambda () (k #f))) (return x)))) list) (return 'done)))) (lambda () (call/cc (lambda (r) (set! return r) (next))))) => #<unspecified>
(let ((g (make-generator '(1 2)))) (let* ((a (g)) (b (g)) (c (g))) (list a b c))) => (1 2 done)
; ---- conditions
(guard (e (#t (list 'caught e))) (raise 'oops)) => (caught oops)
(guard (e ((symbol? e) 'symbol) ((string? e) 'string)) (raise "s")) => string
(guard (e ((string? e) 'inner)) (guard (e ((number? e) 'number)) (raise "s"))) => inner
(guard (e (#t (list (error-object-message e) (error-object-irritants e)))) (error "bad:" 1 'two)) => ("bad:" (1 two))
(guard (e ((assq 'a e) => cdr) ((assq 'b e))) (raise (list (cons 'a 42)))) => 42
(guard (e ((assq 'a e) => cdr) ((assq 'b e))) (raise (list (cons 'b 23)))) => (b . 23)
(guard (e (#f 'never)) 'fine) => fine
(call-with-values (lambda () (guard (e (#t e)) (values 1 2))) list) => (1 2)
(with-exception-handler (lambda (e) 10) (lambda () (+ 1 (raise-continuable 'c)))) => 11
(with-exception-handler (lambda (e) 'ignored) (lambda () (+ 1 (raise 'c)))) => error a handler returned from what cannot be continued: c
(guard (e (#t 'outer)) (with-exception-handler (lambda (e) (raise 'again)) (lambda () (car 1)))) => outer
(let ((out '())) (guard (e (#t (set! out (cons e out)))) (dynamic-wind (lambda () (set! out (cons 'in out))) (lambda () (raise 'x)) (lambda () (set! out (cons 'after out))))) (reverse out)) => (in after x)
(guard (e ((error-object? e) (error-object-message e))) (vector-ref (vector 1) 1)) => "vector-ref: no such index:"
(guard (e ((read-error? e) 'read)) (read (open-input-string "(1 2"))) => read
(guard (e ((file-error? e) 'file)) (open-input-file "/no/such/file")) => file
(error "message" "string" 'symbol 1.5) => error message "string" symbol 1.5
(raise 'uncaught) => error uncaught
(car '()) => error car: a pair is wanted, not ()
(undefined-name) => error the variable has no value: undefined-name
(set! undefined-name 1) => error the variable has no value: undefined-name
((lambda (x) x)) => error 0 arguments are not accepted by #<procedure>
(car 1 2) => error 2 arguments are not accepted by #<procedure car>
(5 5) => error no procedure, but called: 5
(letrec ((a b) (b 1)) a) => error a variable is used before it has a value
(if) => error if wants a test, a consequence and perhaps an alternative: (if)
(lambda (x x) x) => error two parameters have the same name: (x x)
(let ((x)) x) => error a binding is a name and a value: (let ((x)) x)
(let () ) => error bindings and a body are wanted: (let ())
() => error () is no expression; '() is: ()
else => error the variable has no value: else
lambda => error a keyword is no variable: lambda
(string-ref "abc" 3) => error string-ref: no such index: 3
(hash-table-ref (make-hash-table) 1) => error the hash table has no such key: 1
(let loop ((n 0)) (+ 1 (loop n))) => error the stack is full: recursion is too deep
(guard (e (#t (list 'caught (error-object-message e)))) (let loop ((n 0)) (+ 1 (loop n)))) => (caught "the stack is full: recursion is too deep")
(let again ((n 0)) (if (< n 3) (guard (e (#t (again (+ n 1)))) (let loop ((n 0)) (cons 1 (loop n)))) n)) => 3
; ---- macros
(define-syntax swap! (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp))))) => #<unspecified>
(let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other)) => (2 1)
(define-syntax my-or (syntax-rules () ((_) #f) ((_ e) e) ((_ e r ...) (let ((t e)) (if t t (my-or r ...)))))) => #<unspecified>
(let ((t 5)) (my-or #f t)) => 5
(let ((if list)) (my-or #f 3)) => 3
(define-syntax my-let* (syntax-rules () ((_ () body ...) (let () body ...)) ((_ ((n v) rest ...) body ...) (let ((n v)) (my-let* (rest ...) body ...))))) => #<unspecified>
(my-let* ((a 1) (b (+ a 1))) (* a b)) => 2
(define-syntax for (syntax-rules (in) ((_ x in list body ...) (for-each (lambda (x) body ...) list)))) => #<unspecified>
(let ((s 0)) (for x in '(1 2 3) (set! s (+ s x))) s) => 6
(define-syntax flatten (syntax-rules () ((_ (a b ...) ...) '(a ... (b ... ) ...)))) => #<unspecified>
(flatten (1 2 3) (4) (5 6)) => (1 4 5 (2 3) () (6))
(define-syntax splice (syntax-rules () ((_ (a ...) ...) '(a ... ...)))) => #<unspecified>
(splice (1 2) () (3)) => (1 2 3)
(define-syntax last-of (syntax-rules () ((_ a ... z) 'z))) => #<unspecified>
(last-of 1 2 3) => 3
(define-syntax vec (syntax-rules () ((_ #(a b ...)) (list a '(b ...))))) => #<unspecified>
(vec #(1 2 3)) => (1 (2 3))
(define-syntax be-like-begin (syntax-rules () ((_ name) (define-syntax name (syntax-rules () ((_ expr (... ...)) (begin expr (... ...)))))))) => #<unspecified>
(be-like-begin sequence) => #<unspecified>
(sequence 1 2 3 4) => 4
(let () (define-syntax twice (syntax-rules () ((_ e) (begin e e)))) (define n 0) (twice (set! n (+ n 1))) n) => 2
(let ((x 'outer)) (define-syntax m (syntax-rules () ((_) x))) (let ((x 'inner)) (m))) => outer
(define-syntax while (syntax-rules () ((_ c body ...) (let loop () (when c body ... (loop)))))) => #<unspecified>
(let ((i 0)) (while (< i 10) (set! i (+ i 1))) i) => 10
(define-syntax my-if (syntax-rules () ((_ c (then a) (else b)) (cond (c a) (else b))))) => #<unspecified>
(my-if #f (then 1) (else 2)) => 2
(swap! 1) => error no rule of the macro fits: (swap! 1)
; ---- records, promises, parameters, case-lambda
(define-record-type point (make-point x y) point? (x point-x set-point-x!) (y point-y)) => #<unspecified>
(let ((p (make-point 1 2))) (set-point-x! p 10) (list (point-x p) (point-y p) (point? p) (point? 5))) => (10 2 #t #f)
(make-point 1 2) => #<record point>
(point-x 5) => error a record of another type is wanted, not 5
(define-record-type <node> (node value) node? (next node-next set-node-next!) (value node-value)) => #<unspecified>
(let ((n (node 5))) (list (node-value n) (node-next n))) => (5 #f)
(force (delay (+ 1 2))) => 3
(let* ((n 0) (p (delay (begin (set! n (+ n 1)) n)))) (force p) (force p)) => 1
(letrec ((loop (lambda (n) (if (= n 0) (delay 'end) (delay-force (loop (- n 1))))))) (force (loop 1000))) => end
(force (make-promise 5)) => 5
(define radix (make-parameter 10 (lambda (x) (if (number? x) x (error "no number:" x))))) => #<unspecified>
(list (radix) (parameterize ((radix 2)) (radix)) (radix)) => (10 2 10)
(parameterize ((radix 'x)) 1) => error no number: x
(define area (case-lambda ((r) (* r r)) ((w h) (* w h)) ((a . rest) (list a rest)))) => #<unspecified>
(list (area 3) (area 3 4) (area 1 2 3)) => (9 12 (1 (2 3)))
; ---- hash tables, whose keys move
(define table (make-eq-hash-table)) => #<unspecified>
(define keys (map list (iota 200))) => #<unspecified>
(for-each (lambda (k) (hash-table-set! table k (* 2 (car k)))) keys) => #<unspecified>
(begin (collect-garbage) (hash-table-size table)) => 200
(apply + (map (lambda (k) (hash-table-ref table k)) keys)) => 39800
(let loop ((i 0)) (if (< i 3) (begin (collect-garbage) (loop (+ i 1))) (apply + (map (lambda (k) (hash-table-ref table k)) keys)))) => 39800
(hash-table-ref/default table (list 5) 'other) => other
(begin (for-each (lambda (k) (when (odd? (car k)) (hash-table-delete! table k))) keys) (collect-garbage) (list (hash-table-size table) (hash-table-contains? table (cadr keys)) (hash-table-contains? table (caddr keys)))) => (100 #f #t)
(define names (make-hash-table)) => #<unspecified>
(begin (hash-table-set! names "one" 1) (hash-table-set! names '(1 #(2)) 'deep) (hash-table-set! names 1.5 'float) (hash-table-size names)) => 3
(list (hash-table-ref names (string-append "o" "ne")) (hash-table-ref names (list 1 (vector 2))) (hash-table-ref names 1.5)) => (1 deep float)
(begin (hash-table-update! names "one" (lambda (x) (+ x 1))) (hash-table-update!/default names 'new (lambda (x) (+ x 1)) 0) (list (hash-table-ref names "one") (hash-table-ref names 'new))) => (2 1)
(hash-table-ref names "none" (lambda () 'failed)) => failed
(sort (filter number? (hash-table-values names)) <) => (1 2)
(begin (hash-table-clear! names) (hash-table->alist names)) => ()
(let ((t (make-eqv-hash-table))) (hash-table-set! t 1.5 'a) (hash-table-set! t 'k 'b) (hash-table-set! t "s" 'c) (list (hash-table-ref t 1.5) (hash-table-ref t 'k) (hash-table-ref/default t "s" 'other))) => (a b other)
(let ((t (make-eq-hash-table)) (sum 0)) (for-each (lambda (i) (hash-table-set! t i (* i i))) (iota 50)) (hash-table-walk t (lambda (k v) (set! sum (+ sum v)))) sum) => 40425
; ---- input and output
(call-with-output-string (lambda (p) (write '(1 "a" #\b) p) (display '(1 "a" #\b) p))) => "(1 \"a\" #\\b)(1 a b)"
(let ((p (open-output-string))) (parameterize ((current-output-port p)) (display "inside") (newline)) (get-output-string p)) => "inside\n"
(let ((p (open-input-string "(a b) 12 \"s\""))) (let* ((a (read p)) (b (read p)) (c (read p)) (d (read p))) (list a b c (eof-object? d)))) => ((a b) 12 "s" #t)
(let ((p (open-input-string "line one\nline two"))) (let* ((a (read-line p)) (b (read-line p)) (c (read-line p))) (list a b (eof-object? c)))) => ("line one" "line two" #t)
(let ((p (open-input-string "λx"))) (let* ((a (peek-char p)) (b (read-char p)) (c (read-char p)) (d (read-char p))) (list a b c (eof-object? d)))) => (#\λ #\λ #\x #t)
(read-string 3 (open-input-string "abcdef")) => "abc"
(begin (call-with-output-file "scheme-suite.tmp" (lambda (p) (write '(saved "data") p))) (call-with-input-file "scheme-suite.tmp" read)) => (saved "data")
(begin (call-with-output-file "scheme-suite.tmp" (lambda (p) (write '(define loaded (* 6 7)) p))) (load "scheme-suite.tmp") loaded) => 42
(begin (delete-file "scheme-suite.tmp") (file-exists? "scheme-suite.tmp")) => #f
(let ((p (open-input-string "x"))) (close-port p) (input-port-open? p)) => #f
(eval '(+ 1 2) (interaction-environment)) => 3
(eval (list 'let (list (list 'x 5)) '(* x x))) => 25
; ---- threads
(define (numbers c n) (for-each (lambda (i) (channel-send! c i) (when (= 0 (modulo i 3)) (thread-yield))) (iota n)) (channel-send! c 'end)) => #<unspecified>
(define (sum-of c) (let loop ((sum 0)) (let ((x (channel-receive c))) (if (eq? x 'end) sum (loop (+ sum x)))))) => #<unspecified>
(let* ((c (channel)) (receiver (thread (lambda () (sum-of c)))) (sender (thread (lambda () (numbers c 100))))) (thread-join receiver)) => 4950
(map thread-join (map (lambda (n) (thread (lambda () (let ((c (channel))) (thread (lambda () (numbers c n))) (sum-of c))))) '(10 20 30))) => (45 190 435)
(let ((log '())) (define (say x) (set! log (cons x log))) (let ((a (thread (lambda () (say 1) (thread-yield) (say 3)))) (b (thread (lambda () (say 2) (thread-yield) (say 4))))) (thread-join a) (thread-join b) (reverse log))) => (1 2 3 4)
(guard (c (#t (list 'failed c))) (thread-join (thread (lambda () (raise 'oops))))) => (failed oops)
(guard (c (#t (error-object-message c))) (channel-receive (channel))) => "every thread waits for another one"
(let ((p (make-parameter 1))) (define t (parameterize ((p 2)) (thread (lambda () (p))))) (thread-join t)) => 1
(let ((t (thread (lambda () 7)))) (list (thread? t) (channel? (channel)) (thread-join t) (thread-join t))) => (#t #t 7 7)
; ---- size and depth
(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1))))) => #<unspecified>
(count 2000) => 2000
(let loop ((n 3000)) (if (> n 0) (loop (- n 1)) 'done)) => done
(define (ping n) (if (= n 0) 'ping (pong (- n 1)))) => #<unspecified>
(define (pong n) (if (= n 0) 'pong (ping (- n 1)))) => #<unspecified>
(ping 1001) => pong
(let loop ((n 0) (l '())) (if (< n 2000) (loop (+ n 1) (list l)) (equal? l (list (car l))))) => #t
(string-length (call-with-output-string (lambda (p) (write (let loop ((n 0) (l '())) (if (< n 1500) (loop (+ n 1) (list l)) l)) p)))) => 3002
(length (let loop ((n 0) (l '())) (if (< n 1000) (loop (+ n 1) (cons n l)) (map (lambda (x) x) l)))) => 1000
(let ((l (iota 300))) (equal? l (vector->list (list->vector l)))) => #t
(string-length (apply string-append (map number->string (iota 200)))) => 490
(define (tak x y z) (if (not (< y x)) z (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y)))) => #<unspecified>
(tak 8 4 2) => 3
(define (queens n) (define (ok? row dist placed) (or (null? placed) (and (not (= (car placed) (+ row dist))) (not (= (car placed) (- row dist))) (not (= (car placed) row)) (ok? row (+ dist 1) (cdr placed))))) (define (try row k placed) (cond ((= k n) 1) ((= row n) 0) (else (+ (if (ok? row 1 placed) (try 0 (+ k 1) (cons row placed)) 0) (try (+ row 1) k placed))))) (try 0 0 '())) => #<unspecified>
(queens 5) => 10
