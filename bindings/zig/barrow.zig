//! Barrow for Zig: the fast paths of barrow/inline.h, over the declarations that `zig translate-c` makes of barrow.h (c.zig).
//! Functions without a fast path are called as `c.barrow_collect` and its like.
pub const c = @import("c.zig");

/// A mutator and what compiled code touches of it.
pub const Mutator = struct {
    raw: *c.barrow_mutator,

    fn window(m: Mutator) *c.barrow_window {
        return @ptrCast(@alignCast(m.raw));
    }

    /// Words for one object; may collect, so that every reference which is needed afterwards is in a root. Null when there is no
    /// memory and no overflow hook, when the hook has refused, or when no object has that size.
    pub inline fn alloc(m: Mutator, words: usize) ?[*]usize {
        const w = m.window();
        const limit: usize = @intFromPtr(@atomicLoad([*c]usize, &w.hp_lim, .monotonic));
        // Null while the mutator has no area, as after a collection of another thread's.
        if (words > 256 or @intFromPtr(w.hp) + words * 8 > limit) return c.barrow_alloc_slow(m.raw, words);
        const at: [*]usize = @ptrCast(w.hp);
        w.hp = at + words;
        return at;
    }

    /// Stores a pointer into a field of an object that may be old. A thread that reads the field with acquire order sees the object
    /// as it was filled before.
    pub inline fn write(m: Mutator, owner: [*]usize, field: usize, value: ?[*]usize) void {
        @atomicStore(usize, &owner[field], @intFromPtr(value), .release);
        const w = m.window();
        const o = @intFromPtr(owner) -% w.heap_base;
        if (o < w.heap_length and age(w.codes[o >> 12]) == 0) return;
        c.barrow_wrote(m.raw, owner, owner + field);
    }

    fn age(code: u8) u32 {
        return (@as(u32, code) -% 1) & 0x38;
    }

    /// Makes a frame the newest. It stays where it is until `pop`.
    pub inline fn push(m: Mutator, frame: anytype) void {
        frame.head = .{ .up = m.window().frames, .count = frame.roots.len };
        m.window().frames = &frame.head;
    }

    pub inline fn pop(m: Mutator, frame: anytype) void {
        m.window().frames = frame.head.up;
    }
};

/// A frame of the shadow stack with so many roots, which the collector writes anew when their objects move.
pub fn Frame(comptime count: usize) type {
    return extern struct { head: c.barrow_frame = undefined, roots: [count]?[*]usize = @splat(null) };
}

/// A heap and its first mutator.
pub const Heap = struct {
    raw: *c.barrow_heap,
    mutator: Mutator,

    pub fn init(flags: [*:0]const u8) error{Refused}!Heap {
        var config: c.barrow_config = undefined;
        if (c.barrow_config_default(&config, @sizeOf(c.barrow_config)) != c.BARROW_OK) return error.Refused;
        config.flags = flags;
        var heap: ?*c.barrow_heap = null;
        var mutator: ?*c.barrow_mutator = null;
        if (c.barrow_heap_new(&config, &heap, &mutator) != c.BARROW_OK) return error.Refused;
        return .{ .raw = heap.?, .mutator = .{ .raw = mutator.? } };
    }

    pub fn deinit(heap: Heap) void {
        _ = c.barrow_heap_free(heap.raw);
    }
};

/// An info table for objects of so many pointers, then so many plain words. It is static data.
pub fn info(names: *const c.barrow_names, pointers: u32, words: u32) c.barrow_info {
    return .{
        .size = @sizeOf(c.barrow_info),
        .version = c.BARROW_INFO_VERSION,
        .kind = c.BARROW_CONSTR,
        .ptrs = pointers,
        .words = words,
        .names = names,
    };
}
