// Light on what is seen, outlines between things, and what lies behind everything.

in vec2 place;

layout(binding = 0) uniform sampler2D depths;
layout(binding = 1) uniform sampler2D normals;
layout(binding = 2) uniform sampler2D colours_seen;
layout(binding = 3) uniform usampler2D ids;
layout(binding = 4) uniform sampler2D dim;

layout(location = 0) out vec4 light;

const vec3 kSky = vec3(0.52, 0.55, 0.60);
const vec3 kFromBelow = vec3(0.30, 0.28, 0.26);
const vec3 kSun = vec3(0.70, 0.66, 0.60);
const float kFromEye = 0.10;

// The four nearest pixels of the coarser picture, those of the same surface foremost.
vec2 reached(ivec2 texel, float depth) {
  int samples = int(size.z);
  vec2 at = (vec2(texel) + 0.5) / float(samples) - 0.5;
  ivec2 corner = ivec2(floor(at));
  vec2 share = at - vec2(corner);
  ivec2 last = ivec2(size.xy) - 1;
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 4; ++i) {
    ivec2 step = ivec2(i & 1, i >> 1);
    ivec2 pixel = clamp(corner + step, ivec2(0), last);
    float far = metres(texelFetch(depths, pixel * samples, 0).r);
    vec2 near = mix(1.0 - share, share, vec2(step));
    float weight = (near.x * near.y + 1e-3) * (abs(far - depth) < 0.02 * depth ? 1.0 : 1e-3);
    sum += weight * vec3(texelFetch(dim, pixel, 0).rg, 1.0);
  }
  return sum.xy / sum.z;
}

vec3 lit(vec3 albedo, vec3 n, vec3 world, vec2 reach, float gloss) {
  vec3 to_eye_way = normalize(eye.xyz - world);
  vec3 ambient = mix(kFromBelow, kSky, 0.5 + 0.5 * n.y) * mix(0.35, 1.0, reach.x) * reach.x;
  vec3 direct = kSun * max(dot(n, sun.xyz), 0.0) * reach.y;
  vec3 own = vec3(kFromEye * max(dot(n, to_eye_way), 0.0) * reach.x);
  float shine = pow(max(dot(n, normalize(sun.xyz + to_eye_way)), 0.0), 48.0) * gloss * reach.y;
  return albedo * (ambient + direct + own) + vec3(shine);
}

vec3 background(vec2 at) { return to_linear(mix(vec3(0.83, 0.85, 0.875), vec3(0.955, 0.96, 0.968), at.y)); }

// A ground with lines every half metre.
vec3 ground(vec3 world, vec2 reach, vec3 behind) {
  vec2 lines = abs(fract(world.xz * 2.0 - 0.5) - 0.5) / fwidth(world.xz * 2.0);
  float line = 1.0 - min(min(lines.x, lines.y), 1.0);
  vec3 albedo = mix(vec3(0.62, 0.63, 0.64), vec3(0.42, 0.43, 0.45), line);
  float fade = smoothstep(0.35, 1.0, distance(world, middle.xyz) / cut.w);
  return mix(lit(albedo, vec3(0.0, 1.0, 0.0), world, reach, 0.0), behind, fade);
}

// True if two links go over into each other, as their caps do at a joint: no rim lies between them.
bool joined(ivec2 texel, uint id, float depth, ivec2 other, uint other_id) {
  const float kSame = 0.003;   // metres
  const float kSmooth = 0.95;  // cosine: a fold of 18 degrees is an edge
  if (min(id, other_id) < kFirstLinkId || max(id, other_id) >= kTouchedBit) return false;
  if (abs(metres(texelFetch(depths, other, 0).r) - depth) > kSame) return false;
  return dot(texelFetch(normals, texel, 0).xyz, texelFetch(normals, other, 0).xyz) > kSmooth;
}

// 0: inside a thing; 1: on the rim that it shows before what lies behind it.
float rim(ivec2 texel, uint id, float depth, int width) {
  ivec2 last = textureSize(ids, 0) - 1;
  float found = 0.0;
  for (int i = 0; i < 8; ++i) {
    vec2 way = vec2[8](vec2(1, 0), vec2(0, 1), vec2(-1, 0), vec2(0, -1), vec2(.7, .7),
                       vec2(-.7, .7), vec2(.7, -.7), vec2(-.7, -.7))[i];
    ivec2 other = clamp(texel + ivec2(round(way * float(width))), ivec2(0), last);
    uint other_id = texelFetch(ids, other, 0).r;
    if (other_id == id || joined(texel, id, depth, other, other_id)) continue;
    if (metres(texelFetch(depths, other, 0).r) > depth * 0.9995) found += 1.0;
  }
  return min(1.0, found / 3.0);
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float stored = texelFetch(depths, texel, 0).r;
  float depth = metres(stored);
  vec3 behind = background(place);
  if (stored == 1.0) {
    vec3 way = mat3(to_world) * eye_position(place, 1.0);
    light = vec4(behind, 1.0);
    if (cut.z == 0.0 || way.y >= -1e-4 || eye.y <= 0.0) return;
    vec3 world = eye.xyz - way * (eye.y / way.y);
    light.rgb = ground(world, reached(texel, depth), behind);
    return;
  }
  vec4 colour = texelFetch(colours_seen, texel, 0);
  vec3 albedo = to_linear(colour.rgb);
  uint id = texelFetch(ids, texel, 0).r;
  if (colour.a > 0.5) {
    light = vec4(albedo, 1.0);
  } else {
    vec3 n = texelFetch(normals, texel, 0).xyz;
    vec3 world = (to_world * vec4(eye_position(place, depth), 1.0)).xyz;
    bool link = (id & ~kTouchedBit) >= kFirstLinkId;
    light = vec4(lit(albedo, n, world, reached(texel, depth), link ? 0.10 : 0.0), 1.0);
  }
  int width = max(1, int(size.z * size.y / 900.0 + 0.5));
  if ((id & kTouchedBit) != 0u) {
    light.rgb = mix(light.rgb, contact.rgb, 0.8 * rim(texel, id, depth, width));
  } else {
    light.rgb *= 1.0 - 0.38 * rim(texel, id, depth, width);
  }
}
