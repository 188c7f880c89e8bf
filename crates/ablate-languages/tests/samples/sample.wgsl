struct Box {
    width: f32,
    at: vec2<f32>,
}

@group(0) @binding(0) var<uniform> box: Box;

let limit: u32 = 10u;

fn twice(x: f32) -> f32 {
    return x * 2.0;
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var total: f32 = 0.0;
    for (var i: u32 = 0u; i < limit; i = i + 1u) {
        if (total > 1.0) { break; } else { total = total + twice(box.width); }
    }
    return vec4<f32>(uv, total, 1.0);
}
