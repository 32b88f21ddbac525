const std = @import("std");
const mem = std.mem;

/// The limit.
pub const limit: usize = 10;
var counter: u32 = 0;

/// A list of things.
pub const List = struct {
    items: []u8,

    /// Adds one.
    pub fn append(self: *List, item: u8) !void {
        try mem.copy(u8, self.items, item);
    }
};

const Mode = enum { fast, slow };
const Value = union(enum) { int: i64, none };

fn helper(a: u32) u32 {
    return a;
}

test "appends" {
    try std.testing.expect(true);
}
