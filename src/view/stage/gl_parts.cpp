#include "view/stage/gl_parts.h"

#include <utility>

#include "gpu/gl/context/program.h"

namespace tocsin::view {

Status build_view_program(gl::Program& out, std::string_view vertex, std::string_view fragment,
                          const std::vector<std::string>& defines) {
  auto built = gl::build_program(
      {{GL_VERTEX_SHADER, {"view_frame", vertex}}, {GL_FRAGMENT_SHADER, {"view_frame", fragment}}},
      defines);
  if (!built) return built.error();
  out = std::move(built).value();
  return Nothing{};
}

void DeviceMesh::add_floats(GLuint index, GLint count, std::size_t at) {
  glVertexArrayAttribFormat(array_.name(), index, count, GL_FLOAT, GL_FALSE,
                            static_cast<GLuint>(at));
  enable(index);
}

void DeviceMesh::add_colour(GLuint index, std::size_t at) {
  glVertexArrayAttribFormat(array_.name(), index, 4, GL_UNSIGNED_BYTE, GL_TRUE,
                            static_cast<GLuint>(at));
  enable(index);
}

void DeviceMesh::add_word(GLuint index, std::size_t at) {
  glVertexArrayAttribIFormat(array_.name(), index, 1, GL_UNSIGNED_INT, static_cast<GLuint>(at));
  enable(index);
}

void DeviceMesh::draw() const {
  if (count_ == 0) return;
  glBindVertexArray(array_.name());
  glDrawElements(GL_TRIANGLES, count_, GL_UNSIGNED_INT, nullptr);
}

void DeviceMesh::enable(GLuint index) {
  glEnableVertexArrayAttrib(array_.name(), index);
  glVertexArrayAttribBinding(array_.name(), index, 0);
}

DeviceMesh upload(const Mesh& mesh) {
  DeviceMesh out(std::span<const Vertex>(mesh.vertices),
                 std::span<const TriangleIndices>(mesh.triangles));
  out.add_floats(0, 3, offsetof(Vertex, position));
  out.add_floats(1, 3, offsetof(Vertex, normal));
  out.add_colour(2, offsetof(Vertex, colour));
  out.add_word(3, offsetof(Vertex, material));
  out.add_word(4, offsetof(Vertex, id));
  return out;
}

DeviceMesh upload(const Glass& glass) {
  DeviceMesh out(std::span<const GlassVertex>(glass.vertices),
                 std::span<const TriangleIndices>(glass.triangles));
  out.add_floats(0, 3, offsetof(GlassVertex, position));
  out.add_floats(1, 3, offsetof(GlassVertex, normal));
  out.add_floats(2, 2, offsetof(GlassVertex, time));
  return out;
}

GLuint Target::add_colour(GLenum format) {
  textures_.push_back(gl::make_texture(format, width_, height_));
  return attach(textures_.back().name());
}

GLuint Target::attach(GLuint texture) {
  const auto at = static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + attached_.size());
  glNamedFramebufferTexture(frame_.name(), at, texture, 0);
  attached_.push_back(at);
  glNamedFramebufferDrawBuffers(frame_.name(), static_cast<GLsizei>(attached_.size()),
                                attached_.data());
  return texture;
}

GLuint Target::add_depth() {
  textures_.push_back(gl::make_texture(GL_DEPTH_COMPONENT32F, width_, height_));
  glNamedFramebufferTexture(frame_.name(), GL_DEPTH_ATTACHMENT, textures_.back().name(), 0);
  return textures_.back().name();
}

void Target::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, frame_.name());
  glViewport(0, 0, width_, height_);
}

void Target::clear(GLint index, const std::array<float, 4>& value) const {
  glClearNamedFramebufferfv(frame_.name(), GL_COLOR, index, value.data());
}

void Target::clear_words(GLint index) const {
  constexpr std::array<GLuint, 4> kNone{};
  glClearNamedFramebufferuiv(frame_.name(), GL_COLOR, index, kNone.data());
}

void Target::clear_depth() const {
  constexpr GLfloat kFarthest = 1.0F;
  glClearNamedFramebufferfv(frame_.name(), GL_DEPTH, 0, &kFarthest);
}

void bind_textures(std::initializer_list<GLuint> textures) {
  GLuint unit = 0;
  for (const GLuint texture : textures) glBindTextureUnit(unit++, texture);
}

void FullDraw::operator()(const Target& target, const gl::Program& program,
                          std::initializer_list<GLuint> textures) const {
  target.bind();
  bind_textures(textures);
  glUseProgram(program.name());
  glBindVertexArray(no_attributes_.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

Image read_back(GLuint texture, int width, int height) {
  Image out{width, height, {}};
  const std::size_t row = 3 * static_cast<std::size_t>(width);
  std::vector<std::uint8_t> upward(row * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glGetTextureImage(texture, 0, GL_RGB, GL_UNSIGNED_BYTE, static_cast<GLsizei>(upward.size()),
                    upward.data());
  out.rgb.reserve(upward.size());
  for (std::size_t y = static_cast<std::size_t>(height); y-- > 0;) {
    const auto from = upward.begin() + static_cast<std::ptrdiff_t>(y * row);
    out.rgb.insert(out.rgb.end(), from, from + static_cast<std::ptrdiff_t>(row));
  }
  return out;
}

}  // namespace tocsin::view
