// Averages 4 x 4 pixels of the same surface, which is what turn_of() repeats over.

in vec2 place;

layout(binding = 0) uniform sampler2D depths;
layout(binding = 1) uniform sampler2D rough;

layout(location = 0) out vec2 smooth_reached;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 last = ivec2(size.xy) - 1;
  int samples = int(size.z);
  float depth = metres(texelFetch(depths, pixel * samples, 0).r);
  vec3 sum = vec3(0.0);
  for (int y = -2; y < 2; ++y) {
    for (int x = -2; x < 2; ++x) {
      ivec2 other = clamp(pixel + ivec2(x, y), ivec2(0), last);
      float far = metres(texelFetch(depths, other * samples, 0).r);
      float same = abs(far - depth) < 0.02 * depth ? 1.0 : 1e-3;
      sum += same * vec3(texelFetch(rough, other, 0).rg, 1.0);
    }
  }
  smooth_reached = sum.xy / sum.z;
}
