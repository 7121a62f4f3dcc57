// Solid things: for the picture, and with LIGHT for the shadow map. OBJECTS: a room that stays on the device; LINKS: links' models,
// which move (src/view/stage/stage.h).

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 colour;
layout(location = 3) in uint material;
layout(location = 4) in uint id;

#ifdef OBJECTS
layout(std430, binding = 1) readonly buffer Objects { uint object_state[]; };
#endif
#ifdef LINKS
struct LinkPlace {
  vec4 rows[3];
  vec4 colour;
};
layout(std430, binding = 2) readonly buffer Places { LinkPlace places[]; };
#endif

out vec3 world;
out vec3 facing;
out float depth;
out vec3 paint;
flat out uint kind;
flat out uint thing;

void main() {
  world = position;
  facing = normal;
  paint = colour.rgb;
  kind = material;
  thing = id;
#ifdef OBJECTS
  uint state = object_state[id - 1u];
  if ((state & 1u) != 0u) kind |= kCutOpen;
  if ((state & 2u) != 0u) thing |= kTouchedBit;
  if ((state & 4u) != 0u) paint = mix(paint, vec3(1.0), 0.45);
#endif
#ifdef LINKS
  LinkPlace place = places[id - kFirstLinkId];
  vec4 at = vec4(position, 1.0);
  world = vec3(dot(place.rows[0], at), dot(place.rows[1], at), dot(place.rows[2], at));
  facing = vec3(dot(place.rows[0].xyz, normal), dot(place.rows[1].xyz, normal), dot(place.rows[2].xyz, normal));
  paint = place.colour.rgb;
  if (place.colour.a > 1.5) thing |= kTouchedBit;
  if (place.colour.a == 0.0) {  // not there: outside of every picture
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    depth = 0.0;
    return;
  }
#endif
  vec4 seen = to_eye * vec4(world, 1.0);
  depth = -seen.z;
#ifdef LIGHT
  gl_Position = to_light * vec4(world, 1.0);
#else
  // Caps of two links about one joint coincide: one of them is a little farther away, by less than
  // can be seen. Away, as a link that touches a sheet from behind must not come through it.
  float back = id >= kFirstLinkId && id < kTouchedBit ? 0.0003 * float(id % 5u) : 0.0;  // metres
  gl_Position = to_clip * vec4(seen.xyz * (1.0 + back / max(1e-3, depth)), 1.0);
#endif
}
