// Panels of a window: triangles in pixels from the upper left corner.

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 colour;

layout(location = 0) uniform vec2 window_size;  // pixels

out vec2 at;
out vec4 paint;

void main() {
  at = texel;
  paint = colour;
  vec2 place = 2.0 * position / window_size - 1.0;
  gl_Position = vec4(place.x, -place.y, 0.0, 1.0);
}
