#!/bin/sh
# check.sh PROGRAM [short | K/N]: the suite under many kinds of heap, and what a suite cannot show: running out of memory, deep
# recursion on a small C stack, messages with file and line, exit codes. "short" leaves out what is too slow under
# valgrind; K/N has of these heaps every N-th, from number K on (0 is the first). PREFIX goes before the program, BARROW_TEST_FLAGS to every heap.
set -u
program=$1
length=${2:-full}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

failed() {
  echo "scheme: $*" >&2
  failures=$((failures + 1))
}

# run ARGUMENTS...
run() {
  # shellcheck disable=SC2086
  ${PREFIX:-} "$program" "$@" +RTS ${BARROW_TEST_FLAGS:-} $flags
}

# suite FLAGS...
suite() {
  flags=$*
  run --stack=65536 --suite="$here/suite.scm" >suite.out 2>&1 || { failed "the suite with $*"; tail -5 suite.out >&2; }
}

# gives EXIT-CODE OUTPUT FILE-TEXT: a file's exit code, and what it prints on both streams.
gives() {
  printf '%b' "$3" >file.scm
  run file.scm >out 2>&1
  code=$?
  [ $code -eq "$1" ] || failed "exit code $code instead of $1: $3"
  printf '%b' "$2" | cmp -s - out || { failed "not what was wanted: $3"; cat out >&2; }
}

suite ""
# A limit that makes it compact; the statistics say that it did.
suite -A256k -O256k -M12m -c1 -tpairs --machine-readable
grep -q '"compactions", "[1-9]' pairs || failed "the suite in a small heap has not compacted"
number=0
[ "$length" = short ] || for heap in -G1 -G3 -DS --source=chunks -M16m "-A64k -T1 -DZ" --stress=1 "--stress=50 -DS -G3"; do
  case $length in */*) [ $((number % ${length#*/})) -eq "${length%/*}" ] && suite $heap ;; *) suite $heap ;; esac
  number=$((number + 1))
done

flags=
gives 0 'hello\n' '(display "hello")\n(newline)\n'
gives 1 'file.scm:4: car: a pair is wanted, not 5\n' '(define (f y)\n  (let ((z y))\n    (list\n     (car z))))\n(f 5)\n(display "not reached")'
gives 1 'file.scm:2: the variable has no value: nothing\n' '(+ 1\n   (nothing))'
gives 1 'afile.scm:2: a list has no end\n' '(display "a")\n(list 1\n 2'
gives 1 'file.scm:1: a string has no end\n' '"abc'
gives 1 'file.scm:1: raised: boom\n' "(raise 'boom)"
gives 3 '1' '(display 1) (exit 3) (display 2)'
gives 3 'out' '(dynamic-wind (lambda () #f) (lambda () (exit 3)) (lambda () (display "out")))'
gives 1 "file.scm:3: length: a list is wanted, not (1 $(yes 2 | head -249 | tr '\n' ' ')...\n" \
  '(define x (list 1 2))\n(set-cdr! (cdr x) (cdr x))\n(length x)'
run no-such-file >out 2>&1 && failed "a file that is not there"
run --bogus >out 2>&1
[ $? -eq 2 ] || failed "an option that is not there"
flags=-M1k
run file.scm >out 2>&1
[ $? -eq 2 ] || failed "an impossible flag"

# At the prompt, running out of memory is an error like others, and what comes next runs.
flags=-M16m
cat >prompt.scm <<'END'
(define big '())
(let loop () (set! big (cons (make-vector 1000 0) big)) (loop))
(set! big '())
(+ 1 2)
(make-vector 100000000 0)
(length (iota 1000))
(define s "x")
(let loop () (set! s (string-append s s)) (loop))
'fine
(exit 7)
END
run <prompt.scm >out 2>errors
[ $? -eq 7 ] || failed "the prompt ended with another code"
printf '3\n1000\nfine\n' | cmp -s - out || { failed "the prompt after out of memory"; cat out >&2; }
printf 'stdin:2: out of memory\nstdin:5: out of memory\nstdin:8: out of memory\n' | cmp -s - errors ||
  { failed "the prompt's messages"; cat errors >&2; }

# So is an error about a value that is a circle, in its length or its depth; and the prompt shows such a value to an end.
cat >circles.scm <<'END'
(define x (list 1 2))
(set-cdr! (cdr x) x)
(length x)
(define y (list 1))
(set-car! y y)
(vector-ref y 0)
(raise x)
x
'fine
END
run <circles.scm >out 2>errors || failed "the prompt with circles"
[ "$(wc -l <out)" -eq 2 ] && [ "$(wc -c <out)" -eq 100010 ] && tail -1 out | grep -qx fine || failed "a circle at the prompt"
[ "$(wc -l <errors)" -eq 3 ] && [ "$(wc -c <errors)" -lt 2000 ] || { failed "errors about circles"; head -c 300 errors >&2; }

# Neither recursion nor reading, comparing and printing what is long or deep takes room on C's stack.
if [ "$length" = full ]; then
  flags=
  cat >deep.scm <<'END'
(define (deep n) (if (= n 0) 0 (+ 1 (deep (- n 1)))))
(display (deep 100000))
(newline)
(define (nest n) (let loop ((i 0) (l '())) (if (< i n) (loop (+ i 1) (list l)) l)))
(display (equal? (nest 1000000) (nest 1000000)))
(newline)
(display (string-length (call-with-output-string (lambda (port) (write (nest 1000000) port)))))
(newline)
(write (iota 1000000))
END
  (ulimit -s 512 && run deep.scm) >out 2>&1 || failed "deep recursion on a small stack"
  head -3 out | tr '\n' ' ' | grep -q '^100000 #t 2000002 $' || { failed "deep recursion"; head -c 300 out >&2; }
  tail -c 8 out | grep -q ' 999999)$' || failed "a long list"
fi
# A size that no object can have is an error like others: the heap gives no memory, and asks nobody for more.
flags=
run -e "(guard (c (#t 'told)) (make-vector 1099511627776 0))" >out 2>&1
[ $? -eq 0 ] && grep -q '^told$' out || { failed "a vector of an impossible length"; cat out >&2; }
# System threads: what they make, hand to each other, raise, and wait for in vain.
cat >threads.scm <<'END'
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(write (parallel-map fib '(14 15 16 12)))
(newline)
(define (name i) (string->symbol (string-append "name-" (number->string i))))
(define (send box from) (for-each (lambda (i) (mailbox-put! box (list i (name i)))) (iota 300 from)) (mailbox-put! box 'end))
(define (receive box)
  (let loop ((sum 0) (right 0))
    (let ((x (mailbox-take! box)))
      (if (eq? x 'end) (list sum right) (loop (+ sum (car x)) (if (eq? (cadr x) (name (car x))) (+ right 1) right))))))
(define boxes (list (mailbox) (mailbox) (mailbox)))
(define senders (map (lambda (box from) (system-thread (lambda () (send box from) 'sent))) boxes '(0 100 200)))
(write (parallel-map receive boxes))
(write (map system-thread-join senders))
(newline)
(define (turns n)
  (let ((c (channel)))
    (thread (lambda () (for-each (lambda (i) (channel-send! c i) (thread-yield)) (iota n)) (channel-send! c 'end)))
    (let loop ((s 0)) (let ((x (channel-receive c))) (if (eq? x 'end) s (loop (+ s x)))))))
(write (parallel-map turns '(10 20 30 40)))
(newline)
(write (guard (c (#t (list 'failed c))) (system-thread-join (system-thread (lambda () (raise 'oops))))))
(write (guard (c (#t (error-object-message c))) (system-thread-join (system-thread (lambda () (mailbox-take! (mailbox)))))))
(newline)
(system-thread (lambda () (display (collections))))
(exit (if (> (collections) 0) 5 6))
END
cat >threads.out <<'END'
(377 610 987 144)
((44850 300) (74850 300) (104850 300))(sent sent sent)
(45 190 435 780)
(failed oops)"every system thread waits for another one"
END
for heap in "-A256k" "-A128k -DS" "-A256k -c --source=chunks" "-A256k -G1" "-A256k -G3 --workers=2!"; do
  flags=$heap
  run --threads=9 threads.scm >out 2>&1
  code=$?
  [ $code -eq 5 ] || failed "system threads ended with $code, $heap"
  head -4 out | cmp -s - threads.out || { failed "system threads, $heap"; cat out >&2; }
done
flags=
run --threads=2 -e '(define t (system-thread (lambda () (exit 7))))' -e '(system-thread-join t)' >out 2>&1
[ $? -eq 7 ] || failed "a system thread that ends the program"
run -e '(mailbox-take! (mailbox))' >out 2>&1 && failed "a mailbox that nobody fills"
run -e "(system-thread (lambda () 1))" >out 2>&1 && failed "a system thread of one"
grep -q "scheme --threads=8" out || { failed "what a system thread of one says"; cat out >&2; }
# A thread that waits for a keyboard keeps no other one from collecting. This input says nothing until it is told to.
mkfifo silent
exec 9<>silent
flags=-A256k
run --threads=2 -e '(system-thread (lambda () (let loop ((i 0)) (if (< i 1000000) (loop (+ i 1)))) (display "done") (flush-output-port)))' \
  -e '(read-line)' <silent >out 2>&1 &
tenths=0
until grep -q done out || [ $tenths -eq 300 ]; do sleep 0.1 && tenths=$((tenths + 1)); done
grep -q done out || failed "a thread collects only when there is input for another one"
echo said >&9
wait $!
grep -q '"said"' out || { failed "the line that was waited for"; cat out >&2; }
exec 9>&-
# The benchmarks say what they have always said.
if [ "$length" = full ]; then
  for source in "$here"/bench/*.scm; do
    run "$source" >out 2>&1 || failed "$source ends with an error"
    cmp -s out "${source%.scm}.out" || failed "$source prints something else"
  done
fi
[ $failures -eq 0 ]
