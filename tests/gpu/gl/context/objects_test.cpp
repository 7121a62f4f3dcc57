// Buffers, textures and programs: what is put in comes out again, and what a driver refuses is said
// by name.
#include "gpu/gl/context/objects.h"

#include <array>
#include <atomic>
#include <numeric>
#include <string>

#include "gpu/gl/context/program.h"
#include "gpu/gl/context/shader_text.h"
#include "gpu/gl/gl_test.h"

namespace tocsin::test::objects_test {
namespace {

using GlObjects = GlTest;

TEST_F(GlObjects, ABufferKeepsWhatIsWritten) {
  std::array<std::uint32_t, 1000> written{};
  std::iota(written.begin(), written.end(), 7U);
  std::array<std::uint32_t, 1000> read{};
  on_device([&] {
    const gl::Buffer fixed{std::span(written)};
    EXPECT_EQ(fixed.bytes(), sizeof written);
    fixed.read(std::span(read));
    EXPECT_EQ(read, written);

    gl::Buffer changing(sizeof written, GL_DYNAMIC_STORAGE_BIT);
    changing.fill(3);
    changing.write(std::span(written).first(10), 40);
    changing.read(std::span(read));
  });
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i], i >= 10 && i < 20 ? written[i - 10] : 3U) << i;
  }
}

TEST_F(GlObjects, AnEmptyBufferIsABuffer) {
  on_device([] {
    const gl::Buffer empty{std::span<const float>()};
    EXPECT_TRUE(static_cast<bool>(empty));
    EXPECT_EQ(empty.bytes(), 0U);
    empty.bind(GL_SHADER_STORAGE_BUFFER, 0);
  });
}

TEST_F(GlObjects, MovingMovesTheName) {
  on_device([] {
    gl::Texture a = gl::make_texture(GL_R32F, 4, 4);
    const GLuint name = a.name();
    gl::Texture b = std::move(a);
    EXPECT_EQ(b.name(), name);
    EXPECT_EQ(glIsTexture(name), GL_TRUE);
    b = gl::Texture();
    EXPECT_EQ(glIsTexture(name), GL_FALSE);
  });
}

TEST_F(GlObjects, AFramebufferIsDrawnIntoAndRead) {
  std::array<float, 6> pixels{};
  on_device([&] {
    const gl::Texture colour = gl::make_texture(GL_R32F, 3, 2);
    const gl::Framebuffer target = gl::make_framebuffer();
    glNamedFramebufferTexture(target.name(), GL_COLOR_ATTACHMENT0, colour.name(), 0);
    ASSERT_EQ(glCheckNamedFramebufferStatus(target.name(), GL_FRAMEBUFFER),
              static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE));
    const std::array<float, 4> value{0.3F, 0, 0, 0};
    glClearNamedFramebufferfv(target.name(), GL_COLOR, 0, value.data());
    glGetTextureImage(colour.name(), 0, GL_RED, GL_FLOAT, sizeof pixels, pixels.data());
  });
  for (const float pixel : pixels) EXPECT_EQ(pixel, 0.3F);
}

TEST_F(GlObjects, WhatIsLetGoIsDestroyedOnTheDevice) {
  GLuint name = 0;
  gl::Buffer buffer;
  on_device([&] {
    buffer = gl::Buffer(16, 0);
    name = buffer.name();
  });
  gl::let_go(*device(), std::move(buffer));
  on_device([&] { EXPECT_EQ(glIsBuffer(name), GL_FALSE); });
}

}  // namespace
}  // namespace tocsin::test::objects_test
