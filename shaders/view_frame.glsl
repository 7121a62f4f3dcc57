// What all stages of a picture know. src/view/frame_block.h has the same layout.

layout(std140, binding = 0) uniform Frame {
  mat4 to_eye;         // world to eye; the eye looks along -z
  mat4 to_clip;        // eye to clip coordinates
  mat4 to_world;       // eye to world
  mat4 to_light;       // world to the shadow map's [-1, 1]^3
  vec4 lens;           // eye coordinates per depth at the right and upper edge; near; far, metres
  vec4 eye;            // world, metres
  vec4 sun;            // towards the light, unit; reach of the shadow map across, metres
  vec4 cut;            // depth up to which kCutOpen is left out; height above which nothing casts
                       // shadows; 1: a ground with a grid at y = 0; reach of that grid, metres
  vec4 size;           // of the picture, pixels; samples across a pixel; of the shadow map, texels
  vec4 middle;         // of the subject, metres; its radius
  vec4 contact;        // colour, light
  vec4 colours[9];     // of times 0 to 1, light
};

const uint kGlows = 1u;
const uint kCutOpen = 2u;
const uint kTouchedBit = 0x80000000u;
const uint kFirstLinkId = 0x40000000u;

// sRGB to light (IEC 61966-2-1) and back.
vec3 to_linear(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), greaterThan(c, vec3(0.04045)));
}

vec3 to_srgb(vec3 c) {
  return mix(12.92 * c, 1.055 * pow(max(c, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055,
             greaterThan(c, vec3(0.0031308)));
}

// Metres in front of the eye for a value of the depth buffer.
float metres(float depth) {
  float near = lens.z;
  float far = lens.w;
  return 2.0 * far * near / (far + near - (2.0 * depth - 1.0) * (far - near));
}

// Eye coordinates of a place in the picture (0 to 1 across and up) at a depth in metres.
vec3 eye_position(vec2 place, float depth) {
  return vec3((2.0 * place - 1.0) * lens.xy * depth, -depth);
}

// Turns a pattern from pixel to pixel; smoothing over 4 x 4 pixels averages it out. 0 to 1.
float turn_of(ivec2 pixel) {
  const float order[16] = float[16](0.0, 8.0, 2.0, 10.0, 12.0, 4.0, 14.0, 6.0, 3.0, 11.0, 1.0, 9.0,
                                    15.0, 7.0, 13.0, 5.0);
  return (order[(pixel.y & 3) * 4 + (pixel.x & 3)] + 0.5) / 16.0;
}
