// Before a later view: pairs that the view before it freed are drawn no more, nor slabs of which no
// pair is left. docs/gl.md, "The visibility test".
// After slab.glsl; `view` is the one to come.

layout(local_size_x = 64) in;

layout(std430, binding = 3) readonly buffer Pairs { Pair pairs[]; };
layout(std430, binding = 5) buffer PairCommands { Command pair_commands[]; };
layout(std430, binding = 6) buffer SkinCommands { Command skin_commands[]; };
layout(std430, binding = 7) readonly buffer Seen { uint seen[]; };

uniform uint pair_count;

void main() {
  uint index = gl_GlobalInvocationID.x;
  if (index >= pair_count) return;
  bool kept = (seen[index] >> (3 * view - 1) & 1u) != 0u;
  if (kept) {
    atomicOr(skin_commands[pairs[index].slab].instances, 1u);
  } else {
    pair_commands[index].count = 0u;
  }
}
