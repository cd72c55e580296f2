//! README.md's program in Zig.
//!
//!   zig translate-c -lc -I PREFIX/include PREFIX/include/barrow.h > c.zig
//!   zig build-exe -lc first.zig -L PREFIX/lib -lbarrow
const barrow = @import("barrow.zig");
extern fn printf(format: [*:0]const u8, ...) c_int;

const cell_names: barrow.c.barrow_names = .{ .description = "Cons", .type_name = "List", .module = "Main", .source = null };
var cell_info: barrow.c.barrow_info = barrow.info(&cell_names, 1, 1); // one pointer, one plain word

fn cons(m: barrow.Mutator, value: usize, next: ?[*]usize) [*]usize {
    var frame: barrow.Frame(1) = .{}; // what this function needs after a collection
    frame.roots[0] = next;
    m.push(&frame);
    const cell = m.alloc(3).?; // may collect, and then objects move
    m.pop(&frame);
    cell[0] = @intFromPtr(&cell_info);
    cell[1] = @intFromPtr(frame.roots[0]);
    cell[2] = value;
    return cell;
}

pub fn main() void {
    const heap = barrow.Heap.init("-A1m -M64m") catch {
        _ = printf("%s\n", barrow.c.barrow_last_error());
        return;
    };
    defer heap.deinit();
    const m = heap.mutator;
    var frame: barrow.Frame(2) = .{}; // the list, and one cell that becomes old
    m.push(&frame);
    defer m.pop(&frame);
    frame.roots[1] = cons(m, 0, null);
    for (0..10_000_000) |i| {
        frame.roots[0] = cons(m, i, if (i % 1000 != 0) frame.roots[0] else null);
        if (i == 4_999_999) m.write(frame.roots[1].?, 1, frame.roots[0]); // into an object that is old by now
    }
    const held: [*]usize = @ptrFromInt(frame.roots[1].?[1]);
    if (held[2] != 4_999_999) return;
    _ = printf("the last list begins with %zu\n", frame.roots[0].?[2]);
}
