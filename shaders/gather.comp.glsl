// Finds what a view has to draw: per pair, the triangles of the cluster whose boxes meet the
// slab's, as a segment of one list, and a draw command over it; and which slabs have any. One work
// group a pair. docs/gl.md, "The visibility test". After slab.glsl.

layout(local_size_x = 32) in;

layout(std430, binding = 3) readonly buffer Pairs { Pair pairs[]; };
layout(std430, binding = 4) writeonly buffer List { uint list[]; };
layout(std430, binding = 5) writeonly buffer PairCommands { Command pair_commands[]; };
layout(std430, binding = 6) buffer SkinCommands { Command skin_commands[]; };

// False: what lies wholly in front or behind is drawn as well, for those who want to know which.
uniform bool by_depth;

shared uint found;

void main() {
  uint index = gl_WorkGroupID.x;
  Pair pair = pairs[index];
  if (gl_LocalInvocationIndex == 0u) found = 0u;
  barrier();
  vec3 origin = slabs[pair.slab].origin.xyz;
  vec3 reach = slabs[pair.slab].reach.xyz;
  for (uint k = gl_LocalInvocationIndex; k < pair.count; k += gl_WorkGroupSize.x) {
    uint triangle = pair.first + k;
    precise vec3 p = room_corner(triangle, 0u) - origin;
    precise vec3 q = room_corner(triangle, 1u) - origin;
    precise vec3 r = room_corner(triangle, 2u) - origin;
    vec3 beyond = turned(max(min(p, min(q, r)), -max(p, max(q, r))) - reach);
    if (!by_depth) beyond.z = 0.0;
    // What is not sane is not known to be apart.
    bool apart = any(greaterThan(beyond, vec3(0.0))) && sane(size(p) + size(q) + size(r));
    if (!apart) list[pair.begin + atomicAdd(found, 1u)] = triangle;
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) {
    pair_commands[index] = Command(6u * found, 1u, 6u * pair.begin, index);
    if (found != 0u) atomicOr(skin_commands[pair.slab].instances, 1u);
  }
}
