// Solid things: for the picture, and with LIGHT for the shadow map.

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 colour;
layout(location = 3) in uint material;
layout(location = 4) in uint id;

out vec3 world;
out vec3 facing;
out float depth;
out vec3 paint;
flat out uint kind;
flat out uint thing;

void main() {
  vec4 seen = to_eye * vec4(position, 1.0);
  world = position;
  facing = normal;
  depth = -seen.z;
  paint = colour.rgb;
  kind = material;
  thing = id;
#ifdef LIGHT
  gl_Position = to_light * vec4(position, 1.0);
#else
  // Caps of two links about one joint coincide: one of them is a little farther away, by less than
  // can be seen. Away, as a link that touches a sheet from behind must not come through it.
  float back = id >= kFirstLinkId && id < kTouchedBit ? 0.0003 * float(id % 5u) : 0.0;  // metres
  gl_Position = to_clip * vec4(seen.xyz * (1.0 + back / max(1e-3, depth)), 1.0);
#endif
}
