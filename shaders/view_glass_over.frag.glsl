// Puts what is translucent over what is solid.

in vec2 place;

layout(binding = 0) uniform sampler2D sums;
layout(binding = 1) uniform sampler2D left;

layout(location = 0) out vec4 colour;

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float through = texelFetch(left, texel, 0).r;
  if (through >= 1.0) discard;
  vec4 sum = texelFetch(sums, texel, 0);
  colour = vec4(sum.rgb / max(sum.a, 1e-5), 1.0 - through);
}
