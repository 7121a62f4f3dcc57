// How much light from all around (ambient occlusion in image space, after Mittring 2007) and from
// the sun (shadow map, filtered over a disc) reaches a pixel.

in vec2 place;

layout(binding = 0) uniform sampler2D depths;
layout(binding = 1) uniform sampler2D normals;
layout(binding = 2) uniform sampler2DShadow shadows;

layout(location = 0) out vec2 reached;  // of the surroundings; of the sun

const float kReach = 0.40;      // metres: corners darken over this distance
#ifdef QUICK
const int kAround = 4;          // points asked, of a picture that moves
const int kDisc = 2;
#else
const int kAround = 20;         // points asked
const int kDisc = 12;           // points of the sun's disc
#endif
const float kSoftness = 0.018;  // metres: half of a shadow's soft edge
const float kGolden = 2.3999632;  // radians

float surroundings(vec3 p, vec3 n, float turn) {
  float hidden = 0.0;
  for (int i = 0; i < kAround; ++i) {
    float share = (float(i) + 0.5) / float(kAround);
    float z = 1.0 - 2.0 * share;
    float angle = kGolden * float(i) + 6.2831853 * turn;
    vec3 way = vec3(sqrt(1.0 - z * z) * vec2(cos(angle), sin(angle)), z);
    way *= sign(dot(way, n) + 1e-6);
    float far = fract(share * 7.0 + turn);
    vec3 q = p + n * 0.008 + way * kReach * (0.08 + 0.92 * far * far);
    vec4 clip = to_clip * vec4(q, 1.0);
    vec2 at = 0.5 + 0.5 * clip.xy / clip.w;
    if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) continue;
    float depth = metres(textureLod(depths, at, 0.0).r);
    float before = -q.z - depth;
    if (before > 0.006) hidden += smoothstep(0.0, 1.0, kReach / max(1e-3, abs(-p.z - depth)));
  }
  return 1.0 - hidden / float(kAround);
}

float sunlight(vec3 world, vec3 n, float turn) {
  float slope = dot(n, sun.xyz);
  if (slope <= 0.0) return 0.0;
  vec3 lifted = world + n * 0.012;
  vec3 at = 0.5 + 0.5 * (to_light * vec4(lifted, 1.0)).xyz;
  if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 1.0;
  float bias = 0.006 / (8.0 * sun.w);
  float sum = 0.0;
  for (int i = 0; i < kDisc; ++i) {
    float r = sqrt((float(i) + 0.5) / float(kDisc)) * kSoftness / (2.0 * sun.w);
    float angle = kGolden * float(i) + 6.2831853 * turn;
    sum += texture(shadows, vec3(at.xy + r * vec2(cos(angle), sin(angle)), at.z - bias));
  }
  return sum / float(kDisc);
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 texel = pixel * int(size.z);
  float depth = texelFetch(depths, texel, 0).r;
  vec3 n = texelFetch(normals, texel, 0).xyz;
  float turn = turn_of(pixel);
  float far = metres(depth);
  vec2 exact = (vec2(texel) + 0.5) / (size.xy * size.z);
  if (depth == 1.0) {
    vec3 way = mat3(to_world) * eye_position(exact, 1.0);
    if (cut.z == 0.0 || way.y >= 0.0 || eye.y <= 0.0) {
      reached = vec2(1.0);
      return;
    }
    far = -eye.y / way.y;
    n = vec3(0.0, 1.0, 0.0);
  }
  vec3 p = eye_position(exact, far);
  vec3 world = (to_world * vec4(p, 1.0)).xyz;
  reached = vec2(surroundings(p, mat3(to_eye) * n, turn), sunlight(world, n, turn));
}
