// What is seen at a sample: colour, normal, thing.

in vec3 world;
in vec3 facing;
in float depth;
in vec3 paint;
flat in uint kind;
flat in uint thing;

layout(location = 0) out vec4 colour;  // sRGB; alpha 1: shines by itself
layout(location = 1) out vec4 normal;
layout(location = 2) out uint id;

void main() {
  if ((kind & kCutOpen) != 0u && depth < cut.x) discard;
  // Both sides of a face are lit: rooms are surfaces, and nobody promised which way they look.
  vec3 face = cross(dFdx(world), dFdy(world));
  if (dot(face, eye.xyz - world) < 0.0) face = -face;
  vec3 n = facing;
  if (dot(n, face) < 0.0) n = -n;
  // The inside of something solid that was cut open is seen as a section, without light.
  bool section = (kind & kCutOpen) != 0u && !gl_FrontFacing;
  colour = section ? vec4(0.62 * paint, 1.0) : vec4(paint, (kind & kGlows) != 0u ? 1.0 : 0.0);
  normal = vec4(normalize(n), 0.0);
  id = thing;
}
