// Triangles for conservative rasterisation: pulls a triangle, prepares what the fragment stage
// needs to decide about its pixels, and emits a rectangle of whole pixels around it, 6 vertices a
// triangle. docs/gl.md, "Conservative rasterisation", derives every bound below: kU bounds the
// relative error of + - *, whichever way a device rounds. After slab.glsl.
//
// Defined by the program: SKIN or ROOM, where triangles come from; PLAIN, for pixel centres only;
// TRIANGLES, to emit triangles instead of rectangles where that is safe.

layout(location = 0) in uint instance;  // the pair of a draw command or (skins) its slab

#ifdef ROOM
layout(std430, binding = 3) readonly buffer Pairs { Pair pairs[]; };
layout(std430, binding = 4) readonly buffer List { uint list[]; };
#endif

uniform vec4 tile;        // its pixels run from -xy to zw about its centre
uniform vec2 clip_scale;  // 2 / size of the atlas, pixels

flat out vec3 edge0;  // a point p about the tile's centre is out if edge.(p.x, p.y, 1) < 0
flat out vec3 edge1;
flat out vec3 edge2;
flat out vec4 plane;  // depth at a pixel's centre: plane.(p.x, p.y, 1), in the pixel +-plane.w
flat out vec2 range;  // of the corners' depths
flat out vec2 centre;
flat out uint pair;

const float kU = 1.0 / 8388608.0;
// Pixels. The usual share for fixed-function snapping. Nothing is snapped here: it is room for a
// driver whose arithmetic is worse than the standard's, and may be 0.
const float kBias = 1.0 / 256.0;
// Exceeds what denormals that are flushed to 0 can lose, in any unit used here.
const float kTiny = 1e-30;
const float kUnknown = 3e38;

vec3 corner(uint triangle, uint k, vec3 origin) {
#ifdef ROOM
  precise vec3 relative = room_corner(triangle, k) - origin;
  return relative;
#else
  uint i = 9u * triangle + 3u * k;
  return vec3(vertices[i], vertices[i + 1u], vertices[i + 2u]);
#endif
}

void emit(vec2 at) { gl_Position = vec4((centre + at) * clip_scale - 1.0, 0.0, 1.0); }

// Corner `which` of the pixels [low, high] about the tile's centre. A quarter pixel smaller on each
// side: the same centres lie inside, however a device rounds, and a conservative one draws no more.
void emit_rectangle(vec2 low, vec2 high, uint which) {
  bool right = which == 1u || which == 4u || which == 5u;
  bool top = which == 2u || which == 3u || which == 5u;
  emit(vec2(right ? high.x - 0.25 : low.x + 0.25, top ? high.y - 0.25 : low.y + 0.25));
}

// A half-plane left of a -> b (right of it if sense < 0), grown.
vec3 half_plane(vec2 a, vec2 b, float sense, float margin, float slack) {
  precise vec2 d = b - a;
  precise float constant = d.y * a.x - d.x * a.y;
  precise float bias = (abs(d.x) + abs(d.y)) * margin + slack;
  return vec3(vec2(-d.y, d.x) * sense, constant * sense + bias);
}

// What is as good as a line: a strip about its longest edge.
void set_strip(vec2 a, vec2 b, vec2 c, float margin, float slack) {
  vec3 lengths = vec3(size(b - a), size(c - b), size(a - c));
  bool first = lengths.x >= lengths.y && lengths.x >= lengths.z;
  bool second = !first && lengths.y >= lengths.z;
  vec2 from = second ? b : a;
  vec2 to = first ? b : c;
  edge0 = half_plane(from, to, 1.0, margin, slack);
  edge1 = half_plane(from, to, -1.0, margin, slack);
}

// What edges and depths are made of.
struct Area {
  vec2 ab;
  vec2 ac;
  float twice;
  float products;  // whose difference it is, as absolute values
  bool certain;    // false: as good as a line
};

Area area_of(vec2 a, vec2 b, vec2 c) {
  precise vec2 ab = b - a;
  precise vec2 ac = c - a;
  precise float left = ab.x * ac.y;
  precise float right = ac.x * ab.y;
  precise float twice = left - right;
  float products = (abs(left) + abs(right)) + kTiny;
#ifdef PLAIN
  bool certain = twice != 0.0;
#else
  bool certain = abs(twice) > 16.0 * kU * products;
#endif
  return Area(ab, ac, twice, products, certain);
}

void set_edges(vec2 a, vec2 b, vec2 c, Area area, float margin) {
#ifdef PLAIN
  const float slack = 0.0;
#else
  const float slack = kTiny;
#endif
  if (!area.certain) {
    set_strip(a, b, c, margin, slack + 32.0 * kU * area.products);
    return;
  }
  float sense = area.twice > 0.0 ? 1.0 : -1.0;
  edge0 = half_plane(a, b, sense, margin, slack);
  edge1 = half_plane(b, c, sense, margin, slack);
  edge2 = half_plane(c, a, sense, margin, slack);
}

// `extent`: of the triangle, and of pixels about it.
void set_depths(vec3 p, vec3 q, vec3 r, vec2 a, vec2 extent, Area area, float margin) {
  float deepest = max(max(abs(p.z), abs(q.z)), abs(r.z));
#ifndef PLAIN
  float depth_error = 4.0 * kU * deepest + kTiny;
  range = vec2(min(p.z, min(q.z, r.z)) - depth_error, max(p.z, max(q.z, r.z)) + depth_error);
#endif
  if (!area.certain) return;
  precise float zb = q.z - p.z;
  precise float zc = r.z - p.z;
  precise vec2 plus = vec2(zb * area.ac.y, area.ab.x * zc);
  precise vec2 minus = vec2(zc * area.ab.y, area.ac.x * zb);
  precise vec2 slope = (plus - minus) / area.twice;
  precise float constant = (p.z - slope.x * a.x) - slope.y * a.y;
  vec2 doubt = abs(plus) + abs(minus) + abs(slope) * area.products;
  doubt *= 16.0 * kU / abs(area.twice);
  float steepness = abs(slope.x) + abs(slope.y);
  float spread = steepness * margin + dot(doubt, extent) + 16.0 * kU * deepest + kTiny;
  spread *= 1.0 + 16.0 * kU;
#ifdef PLAIN
  spread = 0.0;
#endif
  if (sane(spread + abs(constant))) plane = vec4(slope, constant, spread);
}

// The corners of vertex `gl_VertexID`'s triangle, turned, relative to its slab's origin; sets what
// is known of the slab.
Slab pull(out vec3 p, out vec3 q, out vec3 r) {
  uint triangle = uint(gl_VertexID) / 6u;
#ifdef ROOM
  triangle = list[triangle];
  Slab slab = slabs[pairs[instance].slab];
#else
  Slab slab = slabs[instance];
#endif
  pair = instance;
  centre = vec2(slab.origin.w, slab.reach.w);
  p = turned(corner(triangle, 0u, slab.origin.xyz));
  q = turned(corner(triangle, 1u, slab.origin.xyz));
  r = turned(corner(triangle, 2u, slab.origin.xyz));
  return slab;
}

void main() {
  uint which = uint(gl_VertexID) % 6u;
  vec3 p;
  vec3 q;
  vec3 r;
  Slab slab = pull(p, q, r);
  vec2 scale = vec2(turned(slab.across.xyz).x, turned(slab.up.xyz).y);
  precise vec2 a = p.xy * scale;
  precise vec2 b = q.xy * scale;
  precise vec2 c = r.xy * scale;

  // Until more is known: all of the tile, at any depth.
  edge0 = edge1 = edge2 = vec3(0.0, 0.0, 1.0);
  plane = vec4(0.0, 0.0, 0.0, kUnknown);
  range = vec2(-kUnknown, kUnknown);
  if (!sane((size(p) + size(q) + size(r)) + (size(a) + size(b) + size(c)))) {
    emit_rectangle(-tile.xy, tile.zw, which);
    return;
  }

  // Its pixels.
  vec2 least = min(a, min(b, c));
  vec2 most = max(a, max(b, c));
  vec2 farthest = max(max(-least, most), tile.zw);
  float far = max(farthest.x, farthest.y);  // M of docs/gl.md, pixels
  float error = 16.0 * kU * far;
  vec2 low = max(floor(least - error), -tile.xy);
  vec2 high = min(ceil(most + error), tile.zw);
  Area area = area_of(a, b, c);
#ifdef PLAIN
  const float margin = 0.0;
  bool drawn = area.certain;
#else
  float margin = 0.5 + kBias + error;
  const bool drawn = true;
#endif
  if (!drawn || low.x >= high.x || low.y >= high.y) {
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    return;
  }
  set_edges(a, b, c, area, margin);
  set_depths(p, q, r, a, (most - least) + (2.0 + error), area, margin);

#ifdef TRIANGLES
  // The device draws every pixel that a triangle touches. Not for huge ones, which it may have to
  // clip, nor for those that are as good as a line.
  if (area.certain && far < 4096.0) {
    emit(which == 0u ? a : which == 1u ? b : c);
    return;
  }
#endif
  emit_rectangle(low, high, which);
}
