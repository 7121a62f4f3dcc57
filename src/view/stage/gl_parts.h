// Parts of OpenGL that draw pictures: meshes on the device, targets, programs over whole targets.
// All of it in jobs of a DeviceThread.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/gl/context/objects.h"
#include "tocsin/result.h"
#include "view/image.h"
#include "view/mesh.h"
#include "view/stage/glass.h"

namespace tocsin::view {

/// Compiles a vertex and a fragment shader behind view_frame.glsl. Errors: as gl::build_program().
Status build_view_program(gl::Program& out, std::string_view vertex, std::string_view fragment,
                          const std::vector<std::string>& defines = {});

/// Triangles in the device's memory.
class DeviceMesh {
 public:
  DeviceMesh() = default;
  template <class V>
  DeviceMesh(std::span<const V> vertices, std::span<const TriangleIndices> triangles)
      : vertices_(vertices),
        triangles_(triangles),
        array_(gl::make_vertex_array()),
        count_(static_cast<GLsizei>(3 * triangles.size())) {
    glVertexArrayVertexBuffer(array_.name(), 0, vertices_.name(), 0, sizeof(V));
    glVertexArrayElementBuffer(array_.name(), triangles_.name());
  }

  void add_floats(GLuint index, GLint count, std::size_t at);
  void add_colour(GLuint index, std::size_t at);
  void add_word(GLuint index, std::size_t at);
  void draw() const;
  [[nodiscard]] bool empty() const { return count_ == 0; }

 private:
  void enable(GLuint index);

  gl::Buffer vertices_;
  gl::Buffer triangles_;
  gl::VertexArray array_;
  GLsizei count_ = 0;
};

DeviceMesh upload(const Mesh& mesh);
DeviceMesh upload(const Glass& glass);

/// Textures that are drawn into together.
class Target {
 public:
  Target(GLsizei width, GLsizei height) : width_(width), height_(height) {}

  GLuint add_colour(GLenum format);
  /// One that belongs to another target.
  GLuint attach(GLuint texture);
  GLuint add_depth();
  void bind() const;
  void clear(GLint index, const std::array<float, 4>& value) const;
  void clear_words(GLint index) const;
  void clear_depth() const;
  [[nodiscard]] GLuint frame() const { return frame_.name(); }

 private:
  GLsizei width_;
  GLsizei height_;
  std::vector<gl::Texture> textures_;
  std::vector<GLenum> attached_;
  gl::Framebuffer frame_ = gl::make_framebuffer();
};

void bind_textures(std::initializer_list<GLuint> textures);

/// Runs programs over whole targets.
class FullDraw {
 public:
  void operator()(const Target& target, const gl::Program& program,
                  std::initializer_list<GLuint> textures) const;

 private:
  gl::VertexArray no_attributes_ = gl::make_vertex_array();
};

/// The pixels of an RGB or RGBA texture, from the top.
Image read_back(GLuint texture, int width, int height);

}  // namespace tocsin::view
