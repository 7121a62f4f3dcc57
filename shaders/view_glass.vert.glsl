// Translucent things, coloured by time.

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 time_strength;

out vec3 world;
out vec3 facing;
out float depth;
out float time;
out float strength;

void main() {
  vec4 seen = to_eye * vec4(position, 1.0);
  world = position;
  facing = normal;
  depth = -seen.z;
  time = time_strength.x;
  strength = time_strength.y;
  gl_Position = to_clip * seen;
}
