#include "view/renderer.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/gl/context/objects.h"
#include "gpu/gl/context/program.h"
#include "view/frame_block.h"

namespace tocsin::view {
namespace {

using gl::Buffer;
using gl::Framebuffer;
using gl::Program;
using gl::Texture;
using gl::VertexArray;

/// All programs of a picture.
struct Programs {
  Program solid, shadow, dim, smooth, light, through, glass, glass_over, mark, resolve;
};

Status build(Program& out, std::string_view vertex, std::string_view fragment,
             const std::vector<std::string>& defines = {}) {
  auto built = gl::build_program(
      {{GL_VERTEX_SHADER, {"view_frame", vertex}}, {GL_FRAGMENT_SHADER, {"view_frame", fragment}}},
      defines);
  if (!built) return built.error();
  out = std::move(built).value();
  return Nothing{};
}

Status build_all(Programs& p) {
  struct Part {
    Program& program;
    std::string_view vertex;
    std::string_view fragment;
    std::vector<std::string> defines;
  };
  for (const Part& part : {Part{p.solid, "view_mesh.vert", "view_solid.frag", {}},
                           Part{p.shadow, "view_mesh.vert", "view_shadow.frag", {"LIGHT"}},
                           Part{p.dim, "view_full.vert", "view_dim.frag", {}},
                           Part{p.smooth, "view_full.vert", "view_smooth.frag", {}},
                           Part{p.light, "view_full.vert", "view_light.frag", {}},
                           Part{p.through, "view_full.vert", "view_through.frag", {}},
                           Part{p.glass, "view_glass.vert", "view_glass.frag", {}},
                           Part{p.glass_over, "view_full.vert", "view_glass_over.frag", {}},
                           Part{p.mark, "view_mesh.vert", "view_mark.frag", {}},
                           Part{p.resolve, "view_full.vert", "view_resolve.frag", {}}}) {
    if (auto built = build(part.program, part.vertex, part.fragment, part.defines); !built) {
      return built;
    }
  }
  return Nothing{};
}

/// Triangles in the device's memory.
class DeviceMesh {
 public:
  template <class V>
  DeviceMesh(std::span<const V> vertices, std::span<const TriangleIndices> triangles)
      : vertices_(vertices),
        triangles_(triangles),
        array_(gl::make_vertex_array()),
        count_(static_cast<GLsizei>(3 * triangles.size())) {
    glVertexArrayVertexBuffer(array_.name(), 0, vertices_.name(), 0, sizeof(V));
    glVertexArrayElementBuffer(array_.name(), triangles_.name());
  }

  void add_floats(GLuint index, GLint count, std::size_t at) {
    glVertexArrayAttribFormat(array_.name(), index, count, GL_FLOAT, GL_FALSE,
                              static_cast<GLuint>(at));
    enable(index);
  }
  void add_colour(GLuint index, std::size_t at) {
    glVertexArrayAttribFormat(array_.name(), index, 4, GL_UNSIGNED_BYTE, GL_TRUE,
                              static_cast<GLuint>(at));
    enable(index);
  }
  void add_word(GLuint index, std::size_t at) {
    glVertexArrayAttribIFormat(array_.name(), index, 1, GL_UNSIGNED_INT, static_cast<GLuint>(at));
    enable(index);
  }
  void draw() const {
    if (count_ == 0) return;
    glBindVertexArray(array_.name());
    glDrawElements(GL_TRIANGLES, count_, GL_UNSIGNED_INT, nullptr);
  }

 private:
  void enable(GLuint index) {
    glEnableVertexArrayAttrib(array_.name(), index);
    glVertexArrayAttribBinding(array_.name(), index, 0);
  }

  Buffer vertices_;
  Buffer triangles_;
  VertexArray array_;
  GLsizei count_;
};

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

/// Textures that are drawn into together.
class Target {
 public:
  Target(GLsizei width, GLsizei height) : width_(width), height_(height) {}

  GLuint add_colour(GLenum format) {
    textures_.push_back(gl::make_texture(format, width_, height_));
    return attach(textures_.back().name());
  }
  /// One that belongs to another target.
  GLuint attach(GLuint texture) {
    const auto at = static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + attached_.size());
    glNamedFramebufferTexture(frame_.name(), at, texture, 0);
    attached_.push_back(at);
    glNamedFramebufferDrawBuffers(frame_.name(), static_cast<GLsizei>(attached_.size()),
                                  attached_.data());
    return texture;
  }
  GLuint add_depth() {
    textures_.push_back(gl::make_texture(GL_DEPTH_COMPONENT32F, width_, height_));
    glNamedFramebufferTexture(frame_.name(), GL_DEPTH_ATTACHMENT, textures_.back().name(), 0);
    return textures_.back().name();
  }
  void bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, frame_.name());
    glViewport(0, 0, width_, height_);
  }
  void clear(GLint index, const std::array<float, 4>& value) const {
    glClearNamedFramebufferfv(frame_.name(), GL_COLOR, index, value.data());
  }
  void clear_words(GLint index) const {
    constexpr std::array<GLuint, 4> kNone{};
    glClearNamedFramebufferuiv(frame_.name(), GL_COLOR, index, kNone.data());
  }
  void clear_depth() const {
    constexpr GLfloat kFarthest = 1.0F;
    glClearNamedFramebufferfv(frame_.name(), GL_DEPTH, 0, &kFarthest);
  }

 private:
  GLsizei width_;
  GLsizei height_;
  std::vector<Texture> textures_;
  std::vector<GLenum> attached_;
  Framebuffer frame_ = gl::make_framebuffer();
};

void bind_textures(std::initializer_list<GLuint> textures) {
  GLuint unit = 0;
  for (const GLuint texture : textures) glBindTextureUnit(unit++, texture);
}

/// Runs programs over whole targets.
class FullDraw {
 public:
  void operator()(const Target& target, const Program& program,
                  std::initializer_list<GLuint> textures) const {
    target.bind();
    bind_textures(textures);
    glUseProgram(program.name());
    glBindVertexArray(no_attributes_.name());
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }

 private:
  VertexArray no_attributes_ = gl::make_vertex_array();
};

void draw_shadows(const Target& target, GLuint map, const Program& program,
                  const DeviceMesh& solids) {
  // Compared and filtered when it is sampled.
  glTextureParameteri(map, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTextureParameteri(map, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(map, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  target.bind();
  target.clear_depth();
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_DEPTH_CLAMP);
  glUseProgram(program.name());
  solids.draw();
  glDisable(GL_DEPTH_CLAMP);
}

void draw_solids(const Target& target, const Program& program, const DeviceMesh& solids) {
  target.bind();
  target.clear(0, {});
  target.clear(1, {});
  target.clear_words(2);
  target.clear_depth();
  glUseProgram(program.name());
  solids.draw();
  glDisable(GL_DEPTH_TEST);
}

/// Bodies alone, whatever is in front of them: colours and depths.
void draw_bodies(const Target& target, const Program& program, const DeviceMesh& bodies) {
  target.bind();
  target.clear(0, {});
  target.clear_depth();
  glEnable(GL_DEPTH_TEST);
  glUseProgram(program.name());
  bodies.draw();
  glDisable(GL_DEPTH_TEST);
}

/// Lets bodies shine through what hides them. `seen`: depths and ids. `bodies`: of draw_bodies().
void draw_through(const Target& light, const std::array<GLuint, 2>& seen,
                  const std::array<GLuint, 2>& bodies, const FullDraw& fill,
                  const Program& program) {
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  fill(light, program, {seen[0], seen[1], bodies[1], bodies[0]});
  glDisable(GL_BLEND);
}

/// `solid`: depths and ids of the solid surfaces; the shader compares with them.
void draw_glass(const Target& target, const Program& program, const DeviceMesh& glass,
                const std::array<GLuint, 2>& solid) {
  target.bind();
  target.clear(0, {});
  target.clear(1, {1.0F, 1.0F, 1.0F, 1.0F});
  bind_textures({solid[0], solid[1]});
  glEnable(GL_BLEND);
  glBlendFunci(0, GL_ONE, GL_ONE);
  glBlendFunci(1, GL_ZERO, GL_ONE_MINUS_SRC_COLOR);
  glUseProgram(program.name());
  glass.draw();
}

/// Draws everything over the solid surfaces. Leaves blending off.
void draw_over(const Target& light, const Target& glass, const std::array<GLuint, 2>& glass_seen,
               const std::array<GLuint, 2>& solid, const FullDraw& fill, const Programs& programs,
               const DeviceMesh& glass_mesh, const DeviceMesh& marks) {
  draw_glass(glass, programs.glass, glass_mesh, solid);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  fill(light, programs.glass_over, {glass_seen[0], glass_seen[1]});
  glDisable(GL_BLEND);
  glUseProgram(programs.mark.name());
  marks.draw();
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

/// Samples across a pixel: two, but for pictures whose samples would take gigabytes.
int samples_for(const Camera& camera) {
  constexpr std::int64_t kManyPixels = 6'000'000;
  const std::int64_t pixels = std::int64_t{camera.width} * camera.height;
  return pixels > kManyPixels ? 1 : 2;
}

Status draw_job(const Drawing& drawing, Image& image) {
  Programs programs;
  if (auto built = build_all(programs); !built) return built;
  const Camera& camera = drawing.view.camera;
  const int samples = samples_for(camera);
  const GLsizei width = camera.width * samples;
  const GLsizei height = camera.height * samples;

  const FrameBlock frame = frame_block(drawing, samples);
  const Buffer block{std::span<const FrameBlock>(&frame, 1)};
  block.bind(GL_UNIFORM_BUFFER, 0);
  const DeviceMesh solids = upload(drawing.solids);
  const DeviceMesh bodies = upload(drawing.bodies);
  const DeviceMesh glass_mesh = upload(drawing.glass);
  const DeviceMesh marks = upload(drawing.marks);

  Target shadow(kShadowSize, kShadowSize);
  const GLuint shadow_map = shadow.add_depth();
  Target seen(width, height);
  const GLuint colours = seen.add_colour(GL_RGBA8);
  const GLuint normals = seen.add_colour(GL_RGBA16F);
  const GLuint ids = seen.add_colour(GL_R32UI);
  const GLuint depths = seen.add_depth();
  Target alone(width, height);
  const GLuint body_colours = alone.add_colour(GL_RGBA8);
  const GLuint body_depths = alone.add_depth();
  Target rough(camera.width, camera.height);
  const GLuint rough_dim = rough.add_colour(GL_RG8);
  Target even(camera.width, camera.height);
  const GLuint dim = even.add_colour(GL_RG8);
  Target light(width, height);
  const GLuint lit = light.add_colour(GL_RGBA16F);
  Target glass(width, height);
  const GLuint sums = glass.add_colour(GL_RGBA16F);
  const GLuint left = glass.add_colour(GL_R16F);
  Target result(camera.width, camera.height);
  const GLuint pixels = result.add_colour(GL_RGBA8);
  const std::string what = fmt::format("a picture of {} x {} pixels and {} triangles", camera.width,
                                       camera.height, drawing.solids.triangles.size());
  if (auto fine = gl::check_device(what.c_str()); !fine) return fine;

  const FullDraw fill;
  draw_shadows(shadow, shadow_map, programs.shadow, solids);
  draw_solids(seen, programs.solid, solids);
  draw_bodies(alone, programs.solid, bodies);
  fill(rough, programs.dim, {depths, normals, shadow_map});
  fill(even, programs.smooth, {depths, rough_dim});
  fill(light, programs.light, {depths, normals, colours, ids, dim});
  draw_through(light, {depths, ids}, {body_colours, body_depths}, fill, programs.through);
  draw_over(light, glass, {sums, left}, {depths, ids}, fill, programs, glass_mesh, marks);
  fill(result, programs.resolve, {lit});
  image = read_back(pixels, camera.width, camera.height);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glUseProgram(0);
  glBindVertexArray(0);
  return gl::check_device(what.c_str());
}

}  // namespace

Result<Image> draw(gl::DeviceThread& device, const Drawing& drawing) {
  Image image;
  auto drawn = device.run([&] { return draw_job(drawing, image); });
  if (!drawn) return drawn.error();
  return image;
}

}  // namespace tocsin::view
