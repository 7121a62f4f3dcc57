#include "selftest/measure/gl_drawing.h"

#include <array>
#include <cmath>
#include <string>

#include "gpu/gl/context/objects.h"

namespace tocsin::selftest {

namespace {

constexpr std::size_t kMostPictures = 50;

constexpr const char* kVertexShader = R"(#version 450 core
layout(location = 0) in vec3 position;
uniform mat4 look;
out vec3 world;
void main() {
  world = position;
  gl_Position = look * vec4(position, 1.0);
}
)";

constexpr const char* kFragmentShader = R"(#version 450 core
in vec3 world;
out vec4 colour;
void main() {
  vec3 normal = normalize(cross(dFdx(world), dFdy(world)));
  colour = vec4(vec3(0.3 + 0.7 * abs(dot(normal, vec3(0.4, 0.8, 0.45)))), 1.0);
}
)";

gl::Shader compile(GLenum kind, const char* text) {
  gl::Shader shader(glCreateShader(kind));
  glShaderSource(shader.name(), 1, &text, nullptr);
  glCompileShader(shader.name());
  return shader;
}

gl::Program make_program() {
  const gl::Shader vertex = compile(GL_VERTEX_SHADER, kVertexShader);
  const gl::Shader fragment = compile(GL_FRAGMENT_SHADER, kFragmentShader);
  gl::Program program(glCreateProgram());
  glAttachShader(program.name(), vertex.name());
  glAttachShader(program.name(), fragment.name());
  glLinkProgram(program.name());
  return program;
}

/// Parallel, from a corner above; the box just fills the picture.
std::array<float, 16> look_at_box(const std::array<Vec3f, 2>& bounds) {
  const Vec3f size{bounds[1].x - bounds[0].x, bounds[1].y - bounds[0].y, bounds[1].z - bounds[0].z};
  const Vec3f mid{0.5F * (bounds[0].x + bounds[1].x), 0.5F * (bounds[0].y + bounds[1].y),
                  0.5F * (bounds[0].z + bounds[1].z)};
  // Right, up, and into the picture.
  const std::array<Vec3f, 3> axes{
      {{0.8F, 0.0F, -0.6F}, {-0.36F, 0.8F, -0.48F}, {-0.48F, -0.6F, -0.64F}}};
  std::array<float, 16> out{};
  for (std::size_t row = 0; row < 3; ++row) {
    const Vec3f& n = axes[row];
    const float reach =
        0.5F * (std::fabs(n.x) * size.x + std::fabs(n.y) * size.y + std::fabs(n.z) * size.z);
    const float scale = 0.999F / std::max(reach, 1e-6F);
    out[row] = scale * n.x;
    out[4 + row] = scale * n.y;
    out[8 + row] = scale * n.z;
    out[12 + row] = -scale * (n.x * mid.x + n.y * mid.y + n.z * mid.z);
  }
  out[15] = 1.0F;
  return out;
}

/// What a picture needs; belongs to the device's thread.
struct Drawing {
  gl::Program program;
  gl::Buffer vertices;
  gl::Buffer indices;
  gl::VertexArray array;
  gl::Renderbuffer colour;
  gl::Renderbuffer depth;
  gl::Framebuffer frame;
  GLsizei count = 0;

  Drawing(const Environment& room, int width, int height)
      : program(make_program()),
        vertices(room.vertices()),
        indices(room.triangles()),
        array(gl::make_vertex_array()),
        colour(gl::make_renderbuffer(GL_RGBA8, width, height)),
        depth(gl::make_renderbuffer(GL_DEPTH_COMPONENT24, width, height)),
        frame(gl::make_framebuffer()),
        count(static_cast<GLsizei>(3 * room.triangles().size())) {
    glVertexArrayVertexBuffer(array.name(), 0, vertices.name(), 0, sizeof(Vec3f));
    glVertexArrayElementBuffer(array.name(), indices.name());
    glEnableVertexArrayAttrib(array.name(), 0);
    glVertexArrayAttribFormat(array.name(), 0, 3, GL_FLOAT, GL_FALSE, 0);
    glNamedFramebufferRenderbuffer(frame.name(), GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                   colour.name());
    glNamedFramebufferRenderbuffer(frame.name(), GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                   depth.name());
    glBindFramebuffer(GL_FRAMEBUFFER, frame.name());
    glViewport(0, 0, width, height);
    const std::array<float, 16> look = look_at_box(room.bounds());
    glProgramUniformMatrix4fv(program.name(), glGetUniformLocation(program.name(), "look"), 1,
                              GL_FALSE, look.data());
  }

  void picture() const {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glClear(static_cast<GLbitfield>(GL_COLOR_BUFFER_BIT) |
            static_cast<GLbitfield>(GL_DEPTH_BUFFER_BIT));
    glUseProgram(program.name());
    glBindVertexArray(array.name());
    glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, nullptr);
    glFinish();
  }
};

}  // namespace

Result<Measured> draw_room(gl::DeviceThread& device, const Environment& room, int width, int height,
                           double seconds) {
  Measured out;
  const Status drawn = device.run([&]() -> Status {
    const Drawing drawing(room, width, height);
    drawing.picture();
    if (Status ready = gl::check_device("the first picture of the room"); !ready) return ready;
    out = measure(kMostPictures, seconds, [&](std::size_t) { drawing.picture(); });
    glDisable(GL_DEPTH_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindVertexArray(0);
    glUseProgram(0);
    return gl::check_device("pictures of the room");
  });
  if (!drawn) return drawn.error();
  return out;
}

}  // namespace tocsin::selftest
