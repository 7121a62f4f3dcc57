#include "gpu/gl/context/objects.h"

#include <algorithm>

namespace tocsin::gl {
namespace {

template <class Object, class Create>
Object created(Create create) {
  GLuint name = 0;
  create(&name);
  return Object(name);
}

GLuint new_buffer() {
  GLuint name = 0;
  glCreateBuffers(1, &name);
  return name;
}

}  // namespace

Buffer::Buffer(std::size_t bytes, GLbitfield flags) : Buffer(nullptr, bytes, flags) {}

Buffer::Buffer(const void* contents, std::size_t bytes, GLbitfield flags)
    : Object(new_buffer()), bytes_(bytes) {
  // GL knows no storage of no bytes.
  const void* initial = bytes > 0 ? contents : nullptr;
  glNamedBufferStorage(name(), static_cast<GLsizeiptr>(std::max<std::size_t>(bytes, 1)), initial,
                       flags);
}

void Buffer::write(const void* contents, std::size_t bytes, std::size_t at_byte) {
  if (bytes == 0) return;
  glNamedBufferSubData(name(), static_cast<GLintptr>(at_byte), static_cast<GLsizeiptr>(bytes),
                       contents);
}

void Buffer::read(void* contents, std::size_t bytes, std::size_t at_byte) const {
  if (bytes == 0) return;
  glGetNamedBufferSubData(name(), static_cast<GLintptr>(at_byte), static_cast<GLsizeiptr>(bytes),
                          contents);
}

void Buffer::fill(GLuint word) const {
  if (bytes_ < sizeof word) return;
  const auto whole_words = static_cast<GLsizeiptr>(bytes_ / sizeof word * sizeof word);
  glClearNamedBufferSubData(name(), GL_R32UI, 0, whole_words, GL_RED_INTEGER, GL_UNSIGNED_INT,
                            &word);
}

Texture make_texture(GLenum format, GLsizei width, GLsizei height) {
  auto out = created<Texture>([](GLuint* name) { glCreateTextures(GL_TEXTURE_2D, 1, name); });
  glTextureStorage2D(out.name(), 1, format, width, height);
  glTextureParameteri(out.name(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(out.name(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTextureParameteri(out.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(out.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return out;
}

Framebuffer make_framebuffer() {
  return created<Framebuffer>([](GLuint* name) { glCreateFramebuffers(1, name); });
}

Renderbuffer make_renderbuffer(GLenum format, GLsizei width, GLsizei height) {
  auto out = created<Renderbuffer>([](GLuint* name) { glCreateRenderbuffers(1, name); });
  glNamedRenderbufferStorage(out.name(), format, width, height);
  return out;
}

VertexArray make_vertex_array() {
  return created<VertexArray>([](GLuint* name) { glCreateVertexArrays(1, name); });
}

Query make_query(GLenum target) {
  return created<Query>([target](GLuint* name) { glCreateQueries(target, 1, name); });
}

}  // namespace tocsin::gl
