#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D image;
struct Box { float width; vec2 at; };
const int limit = 10;

float twice(in float x) { return x * 2.0; }

void main() {
    vec3 total = vec3(0.0);
    for (int i = 0; i < limit; ++i) {
        if (total.x > 1.0) { discard; } else { total += texture(image, uv).rgb; }
    }
    color = vec4(total, twice(1.0));
}
