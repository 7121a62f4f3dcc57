// Marks, in their own colour, over everything.

in vec3 world;
in vec3 facing;
in float depth;
in vec3 paint;
flat in uint kind;
flat in uint thing;

layout(location = 0) out vec4 colour;

void main() { colour = vec4(to_linear(paint), 1.0); }
