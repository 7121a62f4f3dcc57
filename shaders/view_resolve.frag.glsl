// The samples of a pixel become one colour.

in vec2 place;

layout(binding = 0) uniform sampler2D light;

layout(location = 0) out vec4 colour;

void main() {
  int samples = int(size.z);
  ivec2 corner = ivec2(gl_FragCoord.xy) * samples;
  vec3 sum = vec3(0.0);
  for (int y = 0; y < samples; ++y) {
    for (int x = 0; x < samples; ++x) {
      sum += clamp(texelFetch(light, corner + ivec2(x, y), 0).rgb, 0.0, 1.0);
    }
  }
  colour = vec4(to_srgb(sum / float(samples * samples)), 1.0);
}
