// OpenGL's objects as values that own them. Everything here needs the context to be current:
// objects are made and destroyed in jobs of a DeviceThread (let_go() carries one there).
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "gpu/gl/context/device_thread.h"
#include "gpu/gl/context/gl.h"

namespace tocsin::gl {

/// Owns one name of GL; Kind::destroy(name) frees it. 0 is nothing.
template <class Kind>
class Object {
 public:
  Object() = default;
  explicit Object(GLuint name) : name_(name) {}
  Object(Object&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() {
    if (name_ != 0) Kind::destroy(name_);
  }
  [[nodiscard]] GLuint name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  GLuint name_ = 0;
};

struct BufferKind {
  static void destroy(GLuint name) { glDeleteBuffers(1, &name); }
};
struct TextureKind {
  static void destroy(GLuint name) { glDeleteTextures(1, &name); }
};
struct FramebufferKind {
  static void destroy(GLuint name) { glDeleteFramebuffers(1, &name); }
};
struct RenderbufferKind {
  static void destroy(GLuint name) { glDeleteRenderbuffers(1, &name); }
};
struct VertexArrayKind {
  static void destroy(GLuint name) { glDeleteVertexArrays(1, &name); }
};
struct QueryKind {
  static void destroy(GLuint name) { glDeleteQueries(1, &name); }
};
struct SamplerKind {
  static void destroy(GLuint name) { glDeleteSamplers(1, &name); }
};
struct ShaderKind {
  static void destroy(GLuint name) { glDeleteShader(name); }
};
struct ProgramKind {
  static void destroy(GLuint name) { glDeleteProgram(name); }
};

using Texture = Object<TextureKind>;
using Framebuffer = Object<FramebufferKind>;
using Renderbuffer = Object<RenderbufferKind>;
using VertexArray = Object<VertexArrayKind>;
using Query = Object<QueryKind>;
using Sampler = Object<SamplerKind>;
using Shader = Object<ShaderKind>;
using Program = Object<ProgramKind>;

/// A buffer and its size in bytes. Errors (no memory) show at the next check_device().
class Buffer : public Object<BufferKind> {
 public:
  Buffer() = default;
  /// Without contents; `flags` as for glNamedBufferStorage: GL_DYNAMIC_STORAGE_BIT to write() it.
  Buffer(std::size_t bytes, GLbitfield flags);
  /// With these contents, which stay if `flags` is 0. At least one byte long.
  template <class T, std::size_t N>
  explicit Buffer(std::span<T, N> contents, GLbitfield flags = 0)
      : Buffer(contents.data(), contents.size_bytes(), flags) {
    static_assert(std::is_trivially_copyable_v<T>);
  }
  Buffer(const void* contents, std::size_t bytes, GLbitfield flags);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// Needs GL_DYNAMIC_STORAGE_BIT. Precondition: it fits.
  template <class T, std::size_t N>
  void write(std::span<T, N> contents, std::size_t at_byte = 0) {
    static_assert(std::is_trivially_copyable_v<T>);
    write(contents.data(), contents.size_bytes(), at_byte);
  }
  void write(const void* contents, std::size_t bytes, std::size_t at_byte);
  /// Waits for everything that writes it. Precondition: it is that long.
  template <class T, std::size_t N>
  void read(std::span<T, N> contents, std::size_t at_byte = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    read(contents.data(), contents.size_bytes(), at_byte);
  }
  void read(void* contents, std::size_t bytes, std::size_t at_byte) const;
  /// Sets all its words (GL_R32UI) to this value.
  void fill(GLuint word) const;

  /// As the block `binding = index` of shaders, all of it.
  void bind(GLenum target, GLuint index) const { glBindBufferBase(target, index, name()); }

 private:
  std::size_t bytes_ = 0;
};

/// A two-dimensional texture without mipmaps, sampled texel by texel (nearest, clamped to its
/// edge). Precondition: width, height >= 1.
Texture make_texture(GLenum format, GLsizei width, GLsizei height);
Framebuffer make_framebuffer();
Renderbuffer make_renderbuffer(GLenum format, GLsizei width, GLsizei height);
VertexArray make_vertex_array();
/// `target`: GL_ANY_SAMPLES_PASSED, GL_TIME_ELAPSED, ...
Query make_query(GLenum target);

/// Destroys `object`, which owns objects of GL, on the device's thread, some time before it ends:
/// for destructors that run on any thread. Where there is no memory for that it leaks: GL's objects
/// go when the context goes.
template <class T>
void let_go(DeviceThread& device, T object) noexcept {
  static_assert(std::is_nothrow_move_constructible_v<T>);
  T* const held = new (std::nothrow) T(std::move(object));
  if (held == nullptr) {
    // It was not moved. Where nothing destroys it: that would ask GL on a thread without the
    // context.
    alignas(T) std::array<std::byte, sizeof(T)> storage{};
    new (storage.data()) T(std::move(object));  // NOLINT(bugprone-use-after-move)
    return;
  }
  device.post([held] { delete held; });  // so small a function needs no memory
}

}  // namespace tocsin::gl
