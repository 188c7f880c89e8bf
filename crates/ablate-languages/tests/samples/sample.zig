const std = @import("std");

const Kind = enum { round, square };

const Box = struct {
    width: u32 = 1,
    kind: Kind,

    pub fn area(self: *const Box) u32 {
        return self.width * 2;
    }
};

fn twice(comptime T: type, x: T) !T {
    if (x == 0) return error.Zero;
    return x * 2;
}

pub fn main() !void {
    var total: u32 = 0;
    const boxes = [_]Box{.{ .kind = .round }};
    for (boxes) |box| {
        switch (box.kind) {
            .round => total += box.area(),
            .square => continue,
        }
    }
    while (total > 0) : (total -= 1) {}
    std.debug.print("{d}\n", .{try twice(u32, total)});
}
