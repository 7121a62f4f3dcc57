// Visibility on devices that fail: exhausted memory is answered with less at a time, a lost context
// with an error, and whatever is not known touches.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gl/context/gl.h"
#include "gpu/gl/gl_test.h"
#include "gpu/gl/visibility/visibility.h"
#include "gpu/gl/visibility/visibility_scene.h"

namespace tocsin::test::visibility_fault_test {
namespace {

using Fault = gl::DeviceThread::Fault;

struct Opened {
  std::unique_ptr<gl::Visibility> visibility;
  std::shared_ptr<const gl::DeviceRoom> room;
};

class FailingVisibilities : public GlTest {
 protected:
  void open(const VisibilityScene& scene, const gl::VisibilityOptions& options, Opened& out) {
    auto visibility = gl::Visibility::create(device(), options);
    ASSERT_TRUE(visibility.ok()) << visibility.error().message;
    out.visibility = std::move(visibility).value();
    auto room = out.visibility->upload(scene.environment, scene.clusters);
    ASSERT_TRUE(room.ok()) << room.error().message;
    out.room = std::move(room).value();
  }
};

TEST_F(FailingVisibilities, ExhaustedMemoryMeansSmallerAtlasesAndTheSameAnswers) {
  const VisibilityScene scene = wavy_scene(11, 36);
  for (const gl::Method method : {gl::Method::kFlags, gl::Method::kQuery}) {
    Opened opened;
    ASSERT_NO_FATAL_FAILURE(open(scene, {.width = 512, .height = 384, .method = method}, opened));
    std::vector<gl::Seen> expected;
    gl::VisibilityCounters before;
    ASSERT_TRUE(opened.visibility->test(*opened.room, scene.batch, expected, before).ok());
    std::uint64_t atlases = 0;
    // Each of the first checkpoints in turn: atlas, buffers, answers.
    for (int after = 0; after < 3; ++after) {
      device()->inject(Fault::kOutOfMemory, after);
      std::vector<gl::Seen> seen;
      gl::VisibilityCounters counters;
      const Status status = opened.visibility->test(*opened.room, scene.batch, seen, counters);
      EXPECT_TRUE(status.ok()) << status.error().message;
      EXPECT_EQ(seen, expected);
      EXPECT_EQ(counters.kept, before.kept);
      EXPECT_EQ(counters.room_triangles, before.room_triangles);
      EXPECT_GE(counters.atlases, before.atlases);
      atlases = counters.atlases;
    }
    EXPECT_GT(atlases, before.atlases);
  }
}

TEST_F(FailingVisibilities, NoMemoryForAnythingIsAnErrorAndEverythingTouches) {
  VisibilityScene scene = wavy_scene(14, 3);
  Opened opened;
  ASSERT_NO_FATAL_FAILURE(open(scene, {}, opened));
  std::vector<gl::Seen> seen;
  gl::VisibilityCounters counters;
  Status status = Nothing{};
  // One fault halves once; the test asks until nothing is left to be halved.
  for (int i = 0; i < 40 && status.ok(); ++i) {
    device()->inject(Fault::kOutOfMemory, 0);
    status = opened.visibility->test(*opened.room, scene.batch, seen, counters);
  }
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kResource);
  EXPECT_NE(status.error().message.find("memory"), std::string::npos) << status.error().message;
  EXPECT_TRUE(std::ranges::all_of(seen, gl::kept));
  // It was the memory, not the device: the next question is answered.
  EXPECT_TRUE(opened.visibility->test(*opened.room, scene.batch, seen, counters).ok());
}

TEST_F(FailingVisibilities, ALostContextIsAnErrorAndEverythingTouches) {
  const VisibilityScene scene = wavy_scene(12, 20);
  for (int after = 0; after < 3; ++after) {
    const auto device = gl::DeviceThread::start({.debug = true}).value();
    const auto visibility = gl::Visibility::create(device, {.width = 32, .height = 32}).value();
    const auto room = visibility->upload(scene.environment, scene.clusters).value();
    device->inject(Fault::kContextLost, after);
    std::vector<gl::Seen> seen;
    gl::VisibilityCounters counters;
    const Status status = visibility->test(*room, scene.batch, seen, counters);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kResource);
    EXPECT_NE(status.error().message.find("lost"), std::string::npos) << status.error().message;
    ASSERT_EQ(seen.size(), scene.batch.pairs.size());
    EXPECT_TRUE(std::ranges::all_of(seen, gl::kept));
    EXPECT_EQ(counters.pairs, 0U);
    // And every question after it.
    EXPECT_FALSE(visibility->test(*room, scene.batch, seen, counters).ok());
    EXPECT_TRUE(std::ranges::all_of(seen, gl::kept));
    EXPECT_FALSE(visibility->upload(scene.environment, scene.clusters).ok());
    EXPECT_FALSE(gl::Visibility::create(device, {}).ok());
  }
}

/// While it lives, a function of GL is another one, on all devices: GLEW's pointers are global.
template <class Function>
class Swapped {
 public:
  Swapped(Function& function, Function other) : function_(function), was_(function) {
    function_ = other;
  }
  Swapped(const Swapped&) = delete;
  Swapped& operator=(const Swapped&) = delete;
  ~Swapped() { function_ = was_; }

 private:
  Function& function_;
  Function was_;
};

class SilentVisibilities : public FailingVisibilities {
 protected:
  /// What the scene is answered while `function` does nothing: an error that says `message`, and
  /// that everything touches. And that it was the function.
  template <class Function>
  void check(gl::Method method, Function& function, Function other, const std::string& message) {
    for (const bool all_views : {false, true}) {
      const VisibilityScene scene = wavy_scene(21, 12);
      Opened opened;
      ASSERT_NO_FATAL_FAILURE(open(scene, {.method = method, .all_views = all_views}, opened));
      std::vector<gl::Seen> seen;
      gl::VisibilityCounters counters;
      // The first question finds nothing in the device's memory, the second the first's answers.
      for (const bool again : {false, true}) {
        Status status = Nothing{};
        {
          const Swapped<Function> swapped(function, other);
          status = opened.visibility->test(*opened.room, scene.batch, seen, counters);
        }
        ASSERT_FALSE(status.ok()) << again;
        EXPECT_EQ(status.error().code, ErrorCode::kResource);
        EXPECT_NE(status.error().message.find(message), std::string::npos)
            << status.error().message;
        ASSERT_EQ(seen.size(), scene.batch.pairs.size());
        EXPECT_TRUE(std::ranges::all_of(seen, gl::kept));
        EXPECT_EQ(counters.pairs, again ? scene.batch.pairs.size() : 0U);
        if (again) break;
        EXPECT_TRUE(opened.visibility->test(*opened.room, scene.batch, seen, counters).ok());
        EXPECT_FALSE(std::ranges::all_of(seen, gl::kept));
      }
    }
  }
};

constexpr const char* kControlUnseen = "a control was not seen";

TEST_F(SilentVisibilities, NothingDrawnIsAnErrorAndEverythingTouches) {
  check(gl::Method::kFlags, glMultiDrawArraysIndirect,
        PFNGLMULTIDRAWARRAYSINDIRECTPROC{
            [](GLenum /*mode*/, const void* /*at*/, GLsizei /*count*/, GLsizei /*stride*/) {}},
        kControlUnseen);
  check(gl::Method::kQuery, glDrawArraysIndirect,
        PFNGLDRAWARRAYSINDIRECTPROC{[](GLenum /*mode*/, const void* /*at*/) {}}, kControlUnseen);
}

TEST_F(SilentVisibilities, NoSkinsAreAnErrorAndEverythingTouches) {
  // With queries nothing but skins is drawn in this way.
  check(gl::Method::kQuery, glMultiDrawArraysIndirect,
        PFNGLMULTIDRAWARRAYSINDIRECTPROC{
            [](GLenum /*mode*/, const void* /*at*/, GLsizei /*count*/, GLsizei /*stride*/) {}},
        kControlUnseen);
}

TEST_F(SilentVisibilities, NothingReadIsAnErrorAndEverythingTouches) {
  for (const gl::Method method : {gl::Method::kFlags, gl::Method::kQuery}) {
    check(method, glGetNamedBufferSubData,
          PFNGLGETNAMEDBUFFERSUBDATAPROC{
              [](GLuint /*name*/, GLintptr /*at*/, GLsizeiptr /*size*/, void* /*to*/) {}},
          kControlUnseen);
  }
}

TEST_F(SilentVisibilities, NothingGatheredIsAnErrorAndEverythingTouches) {
  // Draw commands are 0 then, the first time.
  const VisibilityScene scene = wavy_scene(22, 12);
  for (const gl::Method method : {gl::Method::kFlags, gl::Method::kQuery}) {
    Opened opened;
    ASSERT_NO_FATAL_FAILURE(open(scene, {.method = method}, opened));
    const Swapped<PFNGLDISPATCHCOMPUTEPROC> swapped(
        glDispatchCompute, [](GLuint /*x*/, GLuint /*y*/, GLuint /*z*/) {});
    std::vector<gl::Seen> seen;
    gl::VisibilityCounters counters;
    EXPECT_FALSE(opened.visibility->test(*opened.room, scene.batch, seen, counters).ok());
    EXPECT_TRUE(std::ranges::all_of(seen, gl::kept));
  }
}

TEST_F(SilentVisibilities, AnEndlessWaitEnds) {
  check(gl::Method::kQuery, glClientWaitSync,
        PFNGLCLIENTWAITSYNCPROC{[](GLsync /*fence*/, GLbitfield /*flags*/, GLuint64 /*nanoseconds*/)
                                    -> GLenum { return GL_TIMEOUT_EXPIRED; }},
        "has not answered for 60 s");
}

int dispatches = 0;

TEST_F(SilentVisibilities, ADefectIsNotTriedAgain) {
  const VisibilityScene scene = wavy_scene(23, 12);
  Opened opened;
  ASSERT_NO_FATAL_FAILURE(open(scene, {.all_views = true}, opened));
  std::vector<gl::Seen> seen;
  gl::VisibilityCounters counters;
  dispatches = 0;
  const auto defect = [](GLuint /*x*/, GLuint /*y*/, GLuint /*z*/) {
    ++dispatches;
    glEnable(GL_TEXTURE_2D + 0x4000);  // no such thing
  };
  Status status = Nothing{};
  {
    const Swapped<PFNGLDISPATCHCOMPUTEPROC> swapped(glDispatchCompute, defect);
    status = opened.visibility->test(*opened.room, scene.batch, seen, counters);
  }
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("GL_INVALID_ENUM"), std::string::npos)
      << status.error().message;
  EXPECT_EQ(dispatches, 3);  // of one chunk
  EXPECT_TRUE(std::ranges::all_of(seen, gl::kept));
  forget_complaints();
  EXPECT_TRUE(opened.visibility->test(*opened.room, scene.batch, seen, counters).ok());
}

TEST_F(FailingVisibilities, NoMemoryForARoomOrForTheStartIsAnError) {
  const VisibilityScene scene = wavy_scene(13, 1);
  device()->inject(Fault::kOutOfMemory, 0);
  const auto refused = gl::Visibility::create(device(), {});
  EXPECT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kResource);
  const auto visibility = gl::Visibility::create(device(), {}).value();
  for (const int after : {0, 1}) {
    device()->inject(Fault::kOutOfMemory, after);
    const auto room = visibility->upload(scene.environment, scene.clusters);
    EXPECT_FALSE(room.ok());
    EXPECT_EQ(room.error().code, ErrorCode::kResource);
  }
}

}  // namespace
}  // namespace tocsin::test::visibility_fault_test
