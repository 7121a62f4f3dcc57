// Panels: a colour, covered as the letters' texture says.

in vec2 at;
in vec4 paint;

layout(binding = 0) uniform sampler2D letters;

layout(location = 0) out vec4 colour;

void main() { colour = vec4(paint.rgb, paint.a * texture(letters, at).r); }
