// Contexts by EGL and by SDL: what they run on, how one is chosen, and that they leave each other
// and the caller's own context alone.
#include "gpu/gl/context/context.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "gpu/gl/context/egl_display.h"
#include "gpu/gl/context/gl.h"
#include "gpu/gl/context/objects.h"
#include "gpu/gl/gl_test.h"
#include "support/contains.h"
#include "support/environment_variable.h"

namespace tocsin::test::context_test {
namespace {

using gl::Context;
using gl::make_egl_context;
using gl::make_sdl_context;

/// What the context that is current says when a red pixel of it is read.
std::array<float, 4> drawn_red() {
  const gl::Texture colour = gl::make_texture(GL_RGBA32F, 1, 1);
  const gl::Framebuffer target = gl::make_framebuffer();
  glNamedFramebufferTexture(target.name(), GL_COLOR_ATTACHMENT0, colour.name(), 0);
  const std::array<float, 4> red{1, 0, 0, 1};
  glClearNamedFramebufferfv(target.name(), GL_COLOR, 0, red.data());
  std::array<float, 4> out{};
  glGetTextureImage(colour.name(), 0, GL_RGBA, GL_FLOAT, sizeof out, out.data());
  return out;
}

const std::array<float, 4> kRed{1, 0, 0, 1};

/// Not set from outside, so that the tests see the library's own choice.
class GlContext : public testing::Test {
 protected:
  void SetUp() override {
    const auto context = make_egl_context({});
    if (!context) skip_without_gl(context.error());
  }
  const EnvironmentVariable none_{gl::kDeviceVariable, std::nullopt};
};

TEST_F(GlContext, SaysWhatItRunsOn) {
  const auto context = make_egl_context({});
  ASSERT_TRUE(context) << context.error().message;
  const gl::ContextInfo& info = (*context)->info();
  EXPECT_FALSE(info.renderer.empty());
  EXPECT_FALSE(info.vendor.empty());
  EXPECT_EQ(info.version, reinterpret_cast<const char*>(glGetString(GL_VERSION)));
  EXPECT_TRUE(contains(info.way, "EGL ")) << info.way;
  EXPECT_GE(info.index, 0);
  EXPECT_EQ(info.software, contains(info.renderer, "llvmpipe")) << info.renderer;
  EXPECT_EQ(drawn_red(), kRed);
}

TEST_F(GlContext, NeedsNothingOfSdl) {
  // Where another test of this process opened a window there is nothing to see.
  const auto loaded = [] { return dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_NOLOAD) != nullptr; };
  if (loaded()) GTEST_SKIP() << "SDL is loaded already";
  EXPECT_TRUE(make_egl_context({}));
  EXPECT_FALSE(loaded());
}

TEST_F(GlContext, ADeviceIsChosenByIndex) {
  for (const DeviceInfo& device : gl::list_gl_devices()) {
    const auto context = make_egl_context({.device = device.index});
    EXPECT_EQ(context.ok(), device.usable) << context.error().message;
    if (!context) continue;
    EXPECT_EQ((*context)->info().index, device.index);
    EXPECT_EQ((*context)->info().renderer, device.name);
    EXPECT_EQ((*context)->info().software, device.software);
  }
}

TEST_F(GlContext, ADeviceThatIsNotThereIsSaid) {
  for (const int index : {-1, 99}) {
    const auto context = make_egl_context({.device = index});
    ASSERT_FALSE(context);
    EXPECT_EQ(context.error().code, ErrorCode::kUnavailable);
    EXPECT_TRUE(contains(context.error().message, std::to_string(index)))
        << context.error().message;
  }
}

TEST_F(GlContext, TheEnvironmentChoosesWhereNothingElseDoes) {
  const auto by_itself = make_egl_context({});
  ASSERT_TRUE(by_itself);
  const int good = (*by_itself)->info().index;
  {
    const EnvironmentVariable set(gl::kDeviceVariable, std::to_string(good));
    EXPECT_EQ(make_egl_context({}).value()->info().index, good);
  }
  {
    const EnvironmentVariable set(gl::kDeviceVariable, "");
    EXPECT_TRUE(make_egl_context({})) << "as if it were not set";
  }
  {
    const EnvironmentVariable set(gl::kDeviceVariable, "99");
    const auto context = make_egl_context({});
    EXPECT_EQ(context.error().code, ErrorCode::kUnavailable);
    EXPECT_TRUE(contains(context.error().message, "TOCSIN_GL_DEVICE")) << context.error().message;
    EXPECT_TRUE(make_egl_context({.device = good})) << "an option wins";
  }
  for (const char* bad : {"first", "-1", "1.0", "0 ", "99999999999999999999"}) {
    const EnvironmentVariable set(gl::kDeviceVariable, bad);
    const auto context = make_egl_context({});
    EXPECT_EQ(context.error().code, ErrorCode::kUsage) << bad;
    EXPECT_TRUE(contains(context.error().message, "TOCSIN_GL_DEVICE")) << context.error().message;
    EXPECT_TRUE(contains(context.error().message, bad)) << context.error().message;
  }
}

TEST_F(GlContext, MovesToAnotherThread) {
  auto context = make_egl_context({});
  ASSERT_TRUE(context);
  (*context)->release();
  EXPECT_EQ(glGetString(GL_VERSION), nullptr);
  std::thread other([&] {
    EXPECT_TRUE((*context)->make_current().ok());
    EXPECT_EQ(drawn_red(), kRed);
    (*context)->release();
  });
  other.join();
  EXPECT_TRUE((*context)->make_current().ok());
  EXPECT_EQ(drawn_red(), kRed);
}

TEST_F(GlContext, ComplaintsAreKeptUntilTaken) {
  auto context = make_egl_context({.debug = true});
  ASSERT_TRUE(context);
  EXPECT_TRUE((*context)->take_complaints().empty());
  glBindTexture(GL_TEXTURE_2D, 12345);  // a core profile knows only names that it gave
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_INVALID_OPERATION));
  const auto complaints = (*context)->take_complaints();
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_EQ(complaints[0].rfind("error: ", 0), 0U) << complaints[0];
  EXPECT_TRUE((*context)->take_complaints().empty());
  for (int i = 0; i < 250; ++i) glBindTexture(GL_TEXTURE_2D, 12345);
  const auto many = (*context)->take_complaints();
  EXPECT_EQ(many.size(), 101U);
  EXPECT_EQ(many.back(), "and 150 more");
}

TEST_F(GlContext, WithoutDebugNothingIsCollected) {
  auto context = make_egl_context({});
  ASSERT_TRUE(context);
  glBindTexture(GL_TEXTURE_2D, 12345);
  EXPECT_TRUE((*context)->take_complaints().empty());
}

TEST_F(GlContext, ListingLeavesTheCallersContextCurrent) {
  const auto context = make_egl_context({});
  ASSERT_TRUE(context);
  const gl::Texture texture = gl::make_texture(GL_R32F, 1, 1);
  const auto devices = gl::list_gl_devices();
  EXPECT_EQ(glIsTexture(texture.name()), GL_TRUE);
  EXPECT_EQ(drawn_red(), kRed);
  ASSERT_FALSE(devices.empty());
  for (const DeviceInfo& device : devices) {
    EXPECT_EQ(device.backend, Backend::kGl);
    EXPECT_EQ(device.usable, device.reason.empty()) << device.reason;
    EXPECT_FALSE(device.way.empty());
  }
}

TEST_F(GlContext, ManyOpenAndCloseAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 3; ++i) {
        const auto context = make_egl_context({});
        ASSERT_TRUE(context) << context.error().message;
        EXPECT_EQ(drawn_red(), kRed);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(EglPlaces, HardwareIsTriedFirst) {
  // Any pointer stands for a device; none for the platform without devices.
  std::array<int, 4> handles{};
  const std::vector<gl::EglPlace> places{{&handles[0], 0, true},
                                         {&handles[1], 1, false},
                                         {&handles[2], 2, true},
                                         {&handles[3], 3, false},
                                         {nullptr, 4, false}};
  std::vector<int> order;
  for (const gl::EglPlace& place : gl::by_preference(places)) order.push_back(place.index);
  EXPECT_EQ(order, (std::vector<int>{1, 3, 0, 2, 4}));
}

class SdlWindow : public GlContext {};

TEST_F(SdlWindow, DrawsWithoutADisplay) {
  auto window = make_sdl_context({.width = 64, .height = 48, .visible = false, .debug = true});
  if (!window) return skip_without_gl(window.error());
  EXPECT_TRUE(contains((*window)->info().way, "SDL window")) << (*window)->info().way;
  EXPECT_EQ((*window)->info().index, -1);
  EXPECT_EQ(drawn_red(), kRed);
  glClearColor(0, 1, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  std::array<unsigned char, 4> pixel{};
  glReadPixels(63, 47, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
  EXPECT_EQ(pixel[0], 0);
  EXPECT_EQ(pixel[1], 255);
  (*window)->swap();
  (*window)->release();
  EXPECT_TRUE((*window)->make_current().ok());
  EXPECT_EQ(drawn_red(), kRed);
  for (const std::string& complaint : (*window)->take_complaints()) ADD_FAILURE() << complaint;
}

TEST_F(SdlWindow, StandsBesideADevice) {
  // SDL's offscreen driver uses the same EGL display, and ends it when the window closes.
  const std::shared_ptr<gl::DeviceThread> device = gl::DeviceThread::start({.debug = true}).value();
  ASSERT_NE(device, nullptr);
  const auto draws = [&] {
    const Status status = device->run([]() -> Status {
      EXPECT_EQ(drawn_red(), kRed);
      return Nothing{};
    });
    EXPECT_TRUE(status.ok()) << status.error().message;
  };
  {
    const auto window = make_sdl_context({.width = 8, .height = 8, .visible = false});
    if (!window) GTEST_SKIP() << window.error().message;
    draws();
    EXPECT_EQ(drawn_red(), kRed);
  }
  draws();
  const std::shared_ptr<gl::DeviceThread> another = gl::DeviceThread::start({}).value();
  EXPECT_NE(another, nullptr);
  draws();
}

}  // namespace
}  // namespace tocsin::test::context_test
