// Slabs, pairs and the room, for all stages that look at them. src/gpu/gl/visibility/visibility_records.h says
// the same in C++.

struct Slab {
  vec4 origin;  // world, metres; w: the tile's centre in the atlas, x
  vec4 reach;   // beyond +-this from the origin nothing of the skin lies; metres; w: the centre, y
  vec4 across;  // pixels per metre of each axis where it runs along a tile's width
  vec4 up;      // the same along its height
};

struct Pair {
  uint slab;
  uint first;  // of the cluster's triangles
  uint count;
  uint begin;  // of the pair's segment of the list of what is to be drawn
};

struct Command {  // of glMultiDrawArraysIndirect
  uint count;
  uint instances;
  uint first;
  uint base_instance;
};

layout(std430, binding = 0) readonly buffer Vertices { float vertices[]; };
layout(std430, binding = 1) readonly buffer Triangles { uint corners[]; };  // in order of clusters
layout(std430, binding = 2) readonly buffer Slabs { Slab slabs[]; };

uniform int view;  // 0, 1, 2: along x, y, z

const float kHuge = 1e18;  // products of two of these do not overflow

// A point as (along the tile's width, along its height, along the view).
vec3 turned(vec3 p) { return view == 0 ? p.yzx : view == 1 ? p.zxy : p.xyz; }

// False for what is huge, infinite or no number: by its bits, as a compiler may take a comparison
// for one that holds whatever the operands. x >= 0.
bool sane(float x) { return floatBitsToUint(x) < floatBitsToUint(kHuge); }
float size(vec2 p) { return abs(p.x) + abs(p.y); }
float size(vec3 p) { return (abs(p.x) + abs(p.y)) + abs(p.z); }

vec3 room_corner(uint triangle, uint k) {
  uint i = 3u * corners[3u * triangle + k];
  return vec3(vertices[i], vertices[i + 1u], vertices[i + 2u]);
}
