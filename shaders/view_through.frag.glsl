// Bodies that something hides shine through it: a flat tint, and a rim where the body ends.

in vec2 place;

layout(binding = 0) uniform sampler2D depths;        // of what is seen
layout(binding = 1) uniform usampler2D ids;          // of what is seen
layout(binding = 2) uniform sampler2D body_depths;   // of bodies alone
layout(binding = 3) uniform sampler2D body_colours;

layout(location = 0) out vec4 light;

// How much of the pattern around a texel of a body has no body: 0 inside, 1 on its rim.
float rim(ivec2 texel) {
  int width = max(1, int(size.z * size.y / 600.0 + 0.5));
  ivec2 last = textureSize(body_depths, 0) - 1;
  float found = 0.0;
  for (int i = 0; i < 8; ++i) {
    vec2 way = vec2[8](vec2(1, 0), vec2(0, 1), vec2(-1, 0), vec2(0, -1), vec2(.7, .7),
                       vec2(-.7, .7), vec2(.7, -.7), vec2(-.7, -.7))[i];
    ivec2 other = clamp(texel + ivec2(round(way * float(width))), ivec2(0), last);
    if (texelFetch(body_depths, other, 0).r == 1.0) found += 1.0;
  }
  return min(1.0, found / 3.0);
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float body = texelFetch(body_depths, texel, 0).r;
  if (body == 1.0) discard;
  uint id = texelFetch(ids, texel, 0).r;
  if ((id & ~kTouchedBit) >= kFirstLinkId) discard;  // a body is seen itself
  // Not where a body only touches the surface before it: skin and surface would flicker there.
  float gap = metres(body) - metres(texelFetch(depths, texel, 0).r);
  float hidden = smoothstep(0.003, 0.012, gap);
  if (hidden <= 0.0) discard;
  light = vec4(to_linear(texelFetch(body_colours, texel, 0).rgb),
               hidden * mix(0.34, 0.85, rim(texel)));
}
