// The shadow map: what is cut open, or hangs above the scene (ceilings, lamps), casts no shadow.

in vec3 world;
in vec3 facing;
in float depth;
in vec3 paint;
flat in uint kind;
flat in uint thing;

void main() {
  if ((kind & kCutOpen) != 0u && depth < cut.x) discard;
  if ((kind & kGlows) != 0u || world.y > cut.y) discard;
}
