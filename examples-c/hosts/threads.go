// threads: goroutines on threads of their own, with a heap each, and then with one heap together, through cgo.
//
//	CGO_CFLAGS=-I$PWD/include CGO_LDFLAGS="-L$PWD/target/release -lbarrow" go build examples-c/hosts/threads.go
//
// A mutator belongs to the thread that attached it, so each goroutine is locked to its thread. Go's stacks and heap hold
// no references: roots lie in memory of C's.
package main

/*
#include <barrow/inline.h>
#include <stdlib.h>

static barrow_info cell_info = BARROW_INFO(BARROW_CONSTR, 0, 1, 1, "Cons");

// Puts a cell before the list in a root. One call for what C has in line.
static bool push(barrow_mutator *m, void **root, size_t value) {
  barrow_word *cell = barrow_alloc(m, 3);
  if (!cell) return false;
  cell[0] = (barrow_word)&cell_info;
  cell[1] = (barrow_word)*root;
  cell[2] = value;
  *root = cell;
  return true;
}

static enum barrow_status heap_of_flags(const char *flags, barrow_heap **heap) {
  barrow_config config;
  barrow_config_init(&config);
  config.flags = flags;
  return barrow_heap_new(&config, heap, NULL);
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"
)

const threads, numbers = 4, 20000

// The thread that failed has the sentence, so it is asked for before the goroutine may go elsewhere.
func check(status uint32) {
	if status != C.BARROW_OK {
		fmt.Fprintln(os.Stderr, "threads:", C.GoString(C.barrow_last_error()))
		os.Exit(1)
	}
}

func heapOf(flags string) *C.barrow_heap {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	line := C.CString(flags)
	defer C.free(unsafe.Pointer(line))
	var heap *C.barrow_heap
	check(C.heap_of_flags(line, &heap))
	return heap
}

// A list in a heap, by a mutator of this thread, added up.
func build(heap *C.barrow_heap, number int, sum chan<- string) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var m *C.barrow_mutator
	check(C.barrow_attach(heap, &m))
	root := (*unsafe.Pointer)(C.calloc(1, C.size_t(unsafe.Sizeof(uintptr(0)))))
	check(C.barrow_root_add(heap, nil, unsafe.Pointer(root), 1, false))
	for i := 0; i < numbers; i++ {
		if !C.push(m, root, C.size_t(i*(number+1))) {
			check(C.barrow_last_status())
		}
	}
	check(C.barrow_collect(m, true))
	total := uint64(0)
	for at := (*[3]uintptr)(*root); at != nil; at = *(**[3]uintptr)(unsafe.Pointer(&at[1])) {
		total += uint64(at[2])
	}
	check(C.barrow_root_remove(heap, unsafe.Pointer(root)))
	C.free(unsafe.Pointer(root))
	check(C.barrow_detach(m))
	sum <- fmt.Sprint(total)
}

func inThreads(heaps []*C.barrow_heap) string {
	var sums [threads]chan string
	for i := range sums {
		sums[i] = make(chan string)
		go build(heaps[i], i, sums[i])
	}
	var all []string
	for _, sum := range sums {
		all = append(all, <-sum)
	}
	return strings.Join(all, " ")
}

func main() {
	flags := strings.Join(os.Args[1:], " ")
	var own, shared []*C.barrow_heap
	together := heapOf(fmt.Sprint(flags, " --mutators=", threads))
	for i := 0; i < threads; i++ {
		own = append(own, heapOf(flags))
		shared = append(shared, together)
	}
	fmt.Println("a heap each:", inThreads(own))
	fmt.Println("one heap:", inThreads(shared))
	for _, heap := range append(own, together) {
		check(C.barrow_heap_free(heap))
	}
}
