; Calls and nothing else: a frame for each, dead at once.
(define (tak x y z)
  (if (< y x)
      (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))
      z))
(display (tak 18 12 6))
(newline)
(display (let loop ((i 0) (sum 0)) (if (= i 20) sum (loop (+ i 1) (+ sum (tak 14 9 4))))))
(newline)
