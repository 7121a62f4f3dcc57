// Weighted blended order-independent transparency (McGuire and Bavoil 2013).

in vec3 world;
in vec3 facing;
in float depth;
in float time;
in float strength;

layout(binding = 0) uniform sampler2D depths;
layout(binding = 1) uniform usampler2D ids;

layout(location = 0) out vec4 sum;     // of colour and cover, weighted
layout(location = 1) out float cover;  // multiplied up: what is left of what lies behind

vec3 colour_of(float t) {
  float at = clamp(t, 0.0, 1.0) * 8.0;
  int i = min(int(at), 7);
  return mix(colours[i].rgb, colours[i + 1].rgb, at - float(i));
}

// How much of a layer is drawn before what is solid. A body that is stopped within what it sweeps is
// tangent to it along a line: there the layer must neither win nor lose from sample to sample, and
// before the body it must not hide it.
float before_solid() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float gap = metres(texelFetch(depths, texel, 0).r) - depth;
  uint id = texelFetch(ids, texel, 0).r;
  if ((id & ~kTouchedBit) < kFirstLinkId) return gap > 0.0 ? 1.0 : 0.0;
  return 0.45 * smoothstep(0.002, 0.12, gap);
}

void main() {
  float shown = before_solid();
  if (shown <= 0.0) discard;
  vec3 n = normalize(facing);
  vec3 way = normalize(eye.xyz - world);
  float straight = abs(dot(n, way));
  if (dot(n, way) < 0.0) n = -n;
  // Rims cover more: shapes stay legible where many layers lie one behind the other.
  float rim = pow(1.0 - straight, 2.5);
  float alpha = strength * mix(0.30, 0.82, rim);
  // Lines of equal time, ten in a step.
  float wide = fwidth(time) * 10.0;
  if (wide > 1e-4 && wide < 0.5) {  // not where all is of one time
    float line = abs(fract(time * 10.0 + 0.5) - 0.5) / wide;
    alpha = mix(alpha, min(1.0, alpha + 0.35), 1.0 - min(line * 0.7, 1.0));
  }
  float bright = 0.62 + 0.38 * (0.5 + 0.5 * dot(n, sun.xyz)) + 0.12 * max(n.y, 0.0);
  alpha *= shown;
  vec3 colour = colour_of(time) * bright;
  float near = middle.w > 0.0 ? clamp((depth - (distance(eye.xyz, middle.xyz) - middle.w)) / (2.0 * middle.w), 0.0, 1.0) : 0.5;
  float weight = alpha * clamp(pow(1.0 - near, 4.0) * 60.0, 0.05, 60.0);
  sum = vec4(colour * alpha, alpha) * weight;
  cover = alpha;
}
