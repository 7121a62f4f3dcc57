// Decides about one pixel of a triangle: whether the triangle can touch it, and between which
// depths; and what follows. docs/gl.md, "Conservative rasterisation" and "The visibility test".
//
// Defined by the program: DEPTH, to keep the least and the greatest depth; FLAGS or QUERY, to
// compare with those of a skin; TRIANGLES as in the vertex stage.

flat in vec3 edge0;
flat in vec3 edge1;
flat in vec3 edge2;
flat in vec4 plane;
flat in vec2 range;
flat in vec2 centre;
flat in uint pair;

uniform vec4 tile;

#ifdef DEPTH
layout(location = 0) out vec2 depths;  // least, and greatest times -1: both blended by MIN
#else
layout(binding = 0) uniform sampler2D skin_depths;
#endif
#ifdef FLAGS
uniform int view;
layout(std430, binding = 7) buffer Seen { uint seen[]; };
#endif

float at(vec3 line, vec2 p) {
  precise float value = (line.x * p.x + line.y * p.y) + line.z;
  return value;
}

void main() {
  vec2 pixel = gl_FragCoord.xy - centre;
#ifdef TRIANGLES
  // Nothing else keeps a triangle from its neighbours' tiles.
  if (any(lessThan(pixel, -tile.xy)) || any(greaterThan(pixel, tile.zw))) discard;
#endif
  if (min(at(edge0, pixel), min(at(edge1, pixel), at(edge2, pixel))) < 0.0) discard;
  precise float middle = at(plane.xyz, pixel);
  precise float least = max(middle - plane.w, range.x);
  precise float greatest = min(middle + plane.w, range.y);
#ifdef DEPTH
  depths = vec2(least, -greatest);
#else
  vec2 skin = texelFetch(skin_depths, ivec2(gl_FragCoord.xy), 0).xy;
  bool not_in_front = greatest >= skin.x;
  bool not_behind = least <= -skin.y;
#ifdef QUERY
  if (!(not_in_front && not_behind)) discard;
#else
  uint bits = (not_in_front ? 1u : 0u) | (not_behind ? 2u : 0u);
  bits = (bits == 3u ? 7u : bits) << (3 * view);
  if ((seen[pair] & bits) != bits) atomicOr(seen[pair], bits);
#endif
#endif
}
