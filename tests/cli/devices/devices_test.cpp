// `tocsin devices`, and what it and --backend gl say where something of OpenGL is missing. What
// Mesa's and GLVND's own environment variables take away is as good as not there.
#include <gtest/gtest.h>
#include <tocsin_has_cuda.h>  // made by CMake

#include "cli/scenes.h"
#include "support/environment_variable.h"

namespace tocsin::test::devices_test {
namespace {

using Set = EnvironmentVariable;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr bool kHasCuda = TOCSIN_HAS_CUDA;

std::string list() {
  const CommandResult result = run_tocsin({"devices"});
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

/// The first line that begins with this word.
std::string line_of(const std::string& text, const std::string& word) {
  for (const std::string& line : lines_of(text)) {
    if (line.rfind(word + " ", 0) == 0) return line;
  }
  ADD_FAILURE() << "no line of " << word << " in:\n" << text;
  return {};
}

class Devices : public testing::Test {
 protected:
  const Set no_choice_{"TOCSIN_GL_DEVICE", std::nullopt};
};

/// With Mesa's drivers there is something to take away.
class DevicesOfMesa : public Devices {
 protected:
  void SetUp() override {
    const CommandResult result = run_tocsin({"devices"});
    if (!contains(result.out, "Mesa")) GTEST_SKIP() << "no OpenGL by Mesa here:\n" << result.out;
  }
  /// `reason` is why nothing can be used: the list says so, and so does --backend gl.
  static void expect_unusable(const std::string& reason) {
    const std::string all = list();
    EXPECT_TRUE(contains(line_of(all, "gl"), " no: ")) << all;
    EXPECT_TRUE(contains(line_of(all, "gl"), reason)) << all;
    EXPECT_TRUE(contains(all, "--backend gl cannot be used: ")) << all;
    EXPECT_TRUE(contains(line_of(all, "--backend gl"), reason)) << all;

    const PoleScene scene;
    const CommandResult asked = scene.check({"--backend", "gl"});
    EXPECT_EQ(asked.status, 2) << asked.err;
    EXPECT_TRUE(contains(asked.err, reason)) << asked.err;
    EXPECT_EQ(asked.out, "");
    const CommandResult any = scene.check({"--backend", "auto"});
    EXPECT_EQ(any.status, 0) << any.err;
  }
};

TEST_F(Devices, AreListed) {
  const std::string all = list();
  EXPECT_TRUE(matches(lines_of(all)[0], "^Backend +Device +Name +By +Version +Usable$")) << all;
  line_of(all, "gl");
  line_of(all, "cuda");
  line_of(all, "--backend gl");
  line_of(all, "--backend cuda");
}

TEST_F(Devices, TheWordIsKnown) {
  EXPECT_EQ(run_tocsin({"devices", "--help"}).status, 0);
  EXPECT_TRUE(contains(run_tocsin({"devices", "--help"}).out, "tocsin devices"));
  EXPECT_EQ(run_tocsin({"devices", "gl"}).status, 2);
  EXPECT_EQ(run_tocsin({"devices", "--fast"}).status, 2);
}

TEST_F(Devices, WithoutACudaDriver) {
  const TemporaryFolder folder;
  folder.write("libcuda.so.1", "");  // hides a real one: the loader stops at it
  const Set path("LD_LIBRARY_PATH", folder.path().string());
  const std::string all = list();
  const std::string line = line_of(all, "cuda");
  EXPECT_TRUE(contains(line, "no CUDA driver (libcuda.so.1) was found; NVIDIA's driver brings it"))
      << line;
  EXPECT_TRUE(contains(line, "https://www.nvidia.com/drivers")) << line;
  EXPECT_EQ(contains(line, "this Tocsin was built without CUDA"), !kHasCuda) << line;
  EXPECT_TRUE(contains(line_of(all, "--backend cuda"), "--emulate")) << all;
}

/// The line of each of the stand-in's two devices, and how it ends.
void expect_cuda_devices(const std::string& version, const std::string& first,
                         const std::string& second) {
  const Set path("LD_LIBRARY_PATH", TOCSIN_FAKE_CUDA_FOLDER);
  const std::string all = list();
  for (const std::string& device :
       {"0 +Imaginary 70 +" + version + first, "1 +Imaginary 71 +" + version + second}) {
    // A newline, because ^ is the whole text's beginning.
    EXPECT_TRUE(matches(all, "\ncuda +" + device)) << device << " in:\n" << all;
  }
}

TEST_F(Devices, OfACudaDriver) {
  const std::string why = kHasCuda ? "no: this Tocsin needs a driver of CUDA 13\\.0 or newer; "
                                     "NVIDIA's driver brings it, 580 or newer: https://"
                                   : "no: this Tocsin was built without CUDA";
  expect_cuda_devices("CUDA driver +CUDA 12\\.4 +", why, why);
}

TEST_F(Devices, OfACudaDriverThatIsNewEnough) {
  const Set fake("TOCSIN_FAKE_CUDA", "new");
  expect_cuda_devices("CUDA driver +CUDA 13\\.0 +",
                      kHasCuda ? "no: its compute capability is 7\\.5; this Tocsin was built for"
                               : "no: this Tocsin was built without CUDA",
                      kHasCuda ? "yes" : "no: this Tocsin was built without CUDA");
}

TEST_F(Devices, OfACudaDriverThatDoesNotStart) {
  const Set path("LD_LIBRARY_PATH", TOCSIN_FAKE_CUDA_FOLDER);
  const Set broken("TOCSIN_FAKE_CUDA", "broken");
  const std::string line = line_of(list(), "cuda");
  EXPECT_TRUE(contains(line, "the CUDA driver does not start: CUDA error 999: unknown error"))
      << line;
}

TEST_F(DevicesOfMesa, AreUsable) {
  const std::string all = list();
  EXPECT_TRUE(matches(line_of(all, "gl"), "^gl +0 .* EGL .* 4\\.[0-9].* yes")) << all;
  EXPECT_TRUE(matches(line_of(all, "--backend gl"), "^--backend gl takes device [0-9]+: ")) << all;
}

TEST_F(DevicesOfMesa, WithoutAnEglLibrary) {
  const TemporaryFolder folder;
  folder.write("libEGL.so.1", "");
  const Set path("LD_LIBRARY_PATH", folder.path().string());
  expect_unusable("the EGL library could not be loaded");
  expect_unusable("apt install libegl1 libegl-mesa0 libgl1-mesa-dri");
}

TEST_F(DevicesOfMesa, WithoutAnEglVendor) {
  const Set vendors("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent");
  expect_unusable("EGL knows no device");
}

TEST_F(DevicesOfMesa, WithoutADriver) {
  const Set drivers("LIBGL_DRIVERS_PATH", "/nonexistent");
  expect_unusable("its driver does not start (EGL_NOT_INITIALIZED)");
}

TEST_F(DevicesOfMesa, WithAnOlderVersion) {
  const Set version("MESA_GL_VERSION_OVERRIDE", "3.3");
  expect_unusable("OpenGL 4.5 is needed, this is 3.3");
}

TEST_F(DevicesOfMesa, WithoutAnExtension) {
  const Set extension("MESA_EXTENSION_OVERRIDE", "-GL_ARB_query_buffer_object");
  expect_unusable("without GL_ARB_query_buffer_object");
}

TEST_F(DevicesOfMesa, TheChoiceIsCheckedToo) {
  {
    const Set named("TOCSIN_GL_DEVICE", "the fast one");
    const std::string all = list();
    EXPECT_TRUE(contains(all, " yes")) << all;
    const std::string choice = line_of(all, "--backend gl");
    EXPECT_TRUE(contains(choice, "TOCSIN_GL_DEVICE: expected the index of a device")) << all;
    EXPECT_TRUE(contains(choice, "\"the fast one\"")) << all;
    const CommandResult asked = PoleScene().check({"--backend", "gl"});
    EXPECT_EQ(asked.status, 2);
    EXPECT_TRUE(contains(asked.err, "TOCSIN_GL_DEVICE")) << asked.err;
  }
  const Set choice("TOCSIN_GL_DEVICE", "77");
  EXPECT_TRUE(
      contains(line_of(list(), "--backend gl"), "TOCSIN_GL_DEVICE: there is no OpenGL device 77"));
}

}  // namespace
}  // namespace tocsin::test::devices_test
