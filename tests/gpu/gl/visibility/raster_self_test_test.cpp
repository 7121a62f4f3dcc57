// The test that a device's own conservative rasterisation must pass. No extension is at hand where
// these tests run: plain rasterisation takes its place, and must be refused.
#include "gpu/gl/visibility/raster_self_test.h"

#include <cstdint>
#include <cstdio>

#include "gpu/gl/gl_test.h"

namespace tocsin::test::raster_self_test_test {
namespace {

using RasterSelfTest = GlTest;

TEST_F(RasterSelfTest, TheShaderAgreesWithItself) {
  on_device([] {
    const auto compared = gl::compare_with_shader(gl::RasterWay::kShader);
    ASSERT_TRUE(compared.ok()) << compared.error().message;
    EXPECT_GT(compared->drawn, 50'000U);
    EXPECT_EQ(compared->missing, 0U);
  });
}

TEST_F(RasterSelfTest, TrianglesWithoutTheExtensionAreRefused) {
  for (const gl::RasterWay way : {gl::RasterWay::kPretend, gl::RasterWay::kPlain}) {
    on_device([way] {
      const auto compared = gl::compare_with_shader(way);
      ASSERT_TRUE(compared.ok()) << compared.error().message;
      std::printf("%s: %llu of %llu pixels missed\n", gl::name_of(way),
                  static_cast<unsigned long long>(compared->missing),
                  static_cast<unsigned long long>(compared->drawn));
      EXPECT_GT(compared->missing, compared->drawn / 20);
      EXPECT_LT(compared->missing, compared->drawn);
    });
  }
}

TEST(RasterChoice, OneMissingPixelIsOneTooMany) {
  const auto trusted = gl::choose_raster(gl::RasterWay::kNvidia, {.drawn = 1000, .missing = 0});
  EXPECT_EQ(trusted.way, gl::RasterWay::kNvidia);
  EXPECT_EQ(trusted.words, "GL_NV_conservative_raster");
  const auto refused = gl::choose_raster(gl::RasterWay::kNvidia, {.drawn = 1000, .missing = 1});
  EXPECT_EQ(refused.way, gl::RasterWay::kShader);
  EXPECT_EQ(refused.words, "shader (GL_NV_conservative_raster missed 1 of 1000 pixels of a test)");
  EXPECT_EQ(gl::choose_raster(gl::RasterWay::kNvidia, {}).way, gl::RasterWay::kShader);
}

TEST_F(RasterSelfTest, WhatTheDeviceDoesNotKnowMeansTheShader) {
  on_device([] {
    if (gl::extension_here() != gl::RasterWay::kShader) GTEST_SKIP() << "it has the extension";
    // A device without the extension, on which GLEW has loaded functions for another one.
    const auto set_integer = glConservativeRasterParameteriNV;
    const auto set_number = glConservativeRasterParameterfNV;
    glConservativeRasterParameteriNV = [](GLenum /*name*/, GLint /*value*/) {};
    glConservativeRasterParameterfNV = [](GLenum /*name*/, GLfloat /*value*/) {};
    const gl::RasterChoice choice = gl::try_extension(gl::RasterWay::kNvidia);
    glConservativeRasterParameteriNV = set_integer;
    glConservativeRasterParameterfNV = set_number;
    EXPECT_EQ(choice.way, gl::RasterWay::kShader);
    EXPECT_NE(choice.words.find("shader (GL_NV_conservative_raster: "), std::string::npos)
        << choice.words;
    EXPECT_NE(choice.words.find("GL_INVALID_ENUM"), std::string::npos) << choice.words;
    EXPECT_TRUE(gl::check_device("nothing is left behind").ok());
  });
  forget_complaints();
}

TEST_F(RasterSelfTest, AnExtensionThatIsThereIsTested) {
  on_device([] {
    const gl::RasterWay way = gl::extension_here();
    if (way == gl::RasterWay::kShader) GTEST_SKIP() << "no conservative rasterisation here";
    const auto compared = gl::compare_with_shader(way);
    ASSERT_TRUE(compared.ok()) << compared.error().message;
    std::printf("%s: %llu of %llu pixels missed\n", gl::name_of(way),
                static_cast<unsigned long long>(compared->missing),
                static_cast<unsigned long long>(compared->drawn));
  });
}

}  // namespace
}  // namespace tocsin::test::raster_self_test_test
