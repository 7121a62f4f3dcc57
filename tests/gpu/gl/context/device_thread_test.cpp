// The device's thread: jobs in order, from many threads, from within jobs; what goes wrong in them;
// and the end of the thread.
#include "gpu/gl/context/device_thread.h"

#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gpu/gl/context/gl.h"
#include "gpu/gl/gl_test.h"
#include "support/contains.h"

namespace tocsin::test::device_thread_test {
namespace {

using gl::check_device;
using gl::DeviceThread;

class GlDeviceThread : public GlTest {
 protected:
  /// What run() says about a job that only asks check_device().
  Status checked(const char* what) {
    return device()->run([what] { return check_device(what); });
  }
};

TEST_F(GlDeviceThread, SaysWhatItRunsOn) {
  EXPECT_FALSE(device()->info().renderer.empty());
  EXPECT_TRUE(contains(device()->info().version, "4.")) << device()->info().version;
  EXPECT_TRUE(contains(device()->info().way, "EGL ")) << device()->info().way;
  EXPECT_FALSE(device()->lost());
}

TEST_F(GlDeviceThread, AJobsErrorIsHandedOn) {
  const Status status = device()->run([]() -> Status { return {ErrorCode::kInput, "no such"}; });
  EXPECT_EQ(status.error().code, ErrorCode::kInput);
  EXPECT_EQ(status.error().message, "no such");
}

TEST_F(GlDeviceThread, RunsJobsOfManyThreadsOneAfterAnother) {
  std::atomic<int> inside = 0;
  int done = 0;  // no atomic: jobs must not overlap
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        on_device([&] {
          EXPECT_EQ(inside.fetch_add(1), 0);
          ++done;
          inside.fetch_sub(1);
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  on_device([&] { EXPECT_EQ(done, 400); });
}

TEST_F(GlDeviceThread, AJobWithinAJobRunsAtOnce) {
  std::string order;
  on_device([&] {
    order += "a";
    on_device([&] { order += "b"; });
    order += "c";
  });
  EXPECT_EQ(order, "abc");
}

TEST_F(GlDeviceThread, ExceptionsBecomeErrors) {
  const Status memory = device()->run([]() -> Status { throw std::bad_alloc(); });
  EXPECT_EQ(memory.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(memory.error().message, "out of memory")) << memory.error().message;
  const Status other = device()->run([]() -> Status { throw std::runtime_error("of nerves"); });
  EXPECT_EQ(other.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(other.error().message, "of nerves")) << other.error().message;
  const Status odd = device()->run([]() -> Status { throw 7; });  // NOLINT: of any kind
  EXPECT_EQ(odd.error().code, ErrorCode::kResource);
  EXPECT_FALSE(odd.error().message.empty());
  device()->post([] { throw std::runtime_error("nobody hears"); });
  device()->post([] { throw 7; });  // NOLINT: of any kind
  EXPECT_TRUE(checked("after exceptions").ok());
}

TEST_F(GlDeviceThread, AnErrorThatAJobLeavesBehindIsOurDefect) {
  const Status status = device()->run([]() -> Status {
    glEnable(GL_TEXTURE_2D + 0x4000);  // no such thing
    return Nothing{};
  });
  EXPECT_EQ(status.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(status.error().message, "GL_INVALID_ENUM")) << status.error().message;
  EXPECT_TRUE(contains(status.error().message, "defect")) << status.error().message;
  const auto complaints = device()->take_complaints();
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_TRUE(contains(complaints[0], "error: ")) << complaints[0];
  EXPECT_TRUE(checked("the error does not stay").ok());
}

TEST_F(GlDeviceThread, APostedJobsErrorIsNotTheNextJobs) {
  device()->post([] { glEnable(GL_TEXTURE_2D + 0x4000); });
  EXPECT_TRUE(checked("something else").ok());
  forget_complaints();
}

TEST_F(GlDeviceThread, InjectedLossIsForEver) {
  device()->inject(DeviceThread::Fault::kContextLost, 1);
  EXPECT_TRUE(checked("the first").ok());
  const Status lost = checked("the second");
  EXPECT_EQ(lost.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(lost.error().message, "context was lost")) << lost.error().message;
  EXPECT_TRUE(contains(lost.error().message, device()->info().renderer)) << lost.error().message;
  EXPECT_TRUE(device()->lost());
  bool ran = false;
  const Status refused = device()->run([&]() -> Status {
    ran = true;
    return Nothing{};
  });
  EXPECT_FALSE(ran);
  EXPECT_EQ(refused.error().message, lost.error().message);
}

TEST_F(GlDeviceThread, InjectedMemoryFaultPasses) {
  device()->inject(DeviceThread::Fault::kOutOfMemory, 0);
  const Status full = checked("the atlas of 64 x 64 texels");
  EXPECT_EQ(full.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(full.error().message, "memory")) << full.error().message;
  EXPECT_TRUE(contains(full.error().message, "the atlas of 64 x 64")) << full.error().message;
  EXPECT_FALSE(device()->lost());
  EXPECT_TRUE(checked("a smaller atlas").ok());
  device()->inject(DeviceThread::Fault::kOutOfMemory, 0);
  on_device([&] {
    EXPECT_FALSE(check_device("the atlas").ok());
    EXPECT_TRUE(device()->exhausted());
    EXPECT_TRUE(check_device("a smaller atlas").ok());
    EXPECT_FALSE(device()->exhausted());
    glEnable(GL_TEXTURE_2D + 0x4000);  // no such thing
    EXPECT_FALSE(check_device("a defect").ok());
    EXPECT_FALSE(device()->exhausted());
  });
  forget_complaints();
}

TEST_F(GlDeviceThread, RealMemoryRunsOut) {
  const Status full = device()->run([]() -> Status {
    GLuint name = 0;
    glCreateBuffers(1, &name);
    glNamedBufferStorage(name, GLsizeiptr{1} << 52, nullptr, 0);
    Status status = check_device("a buffer of 4 PiB");
    glDeleteBuffers(1, &name);
    return status;
  });
  EXPECT_EQ(full.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(full.error().message, "memory")) << full.error().message;
  EXPECT_TRUE(contains(full.error().message, "a buffer of 4 PiB")) << full.error().message;
  forget_complaints();
  EXPECT_TRUE(checked("a smaller buffer").ok());
}

TEST_F(GlDeviceThread, PostedJobsRunAfterTheLossAndBeforeTheEnd) {
  device()->inject(DeviceThread::Fault::kContextLost, 0);
  EXPECT_FALSE(checked("the loss").ok());
  std::shared_ptr<DeviceThread> another = DeviceThread::start({}).value();
  ASSERT_NE(another, nullptr);
  std::atomic<int> ran = 0;
  another->inject(DeviceThread::Fault::kContextLost, 0);
  (void)another->run([] { return check_device("x"); });
  for (int i = 0; i < 20; ++i) another->post([&] { ++ran; });
  another.reset();
  EXPECT_EQ(ran, 20);
}

TEST_F(GlDeviceThread, MayEndOnItsOwnThread) {
  auto started = DeviceThread::start({});
  ASSERT_TRUE(started) << started.error().message;
  std::atomic<bool> done = false;
  auto last = std::make_shared<std::shared_ptr<DeviceThread>>(std::move(started).value());
  (*last)->post([last, &done] {
    last->reset();
    done = true;
  });
  last.reset();
  while (!done) std::this_thread::yield();
}

TEST_F(GlDeviceThread, DevicesDoNotDisturbEachOther) {
  // Contexts on one display: the display must not end with the first of them.
  std::shared_ptr<DeviceThread> a = DeviceThread::start({}).value();
  std::shared_ptr<DeviceThread> b = DeviceThread::start({}).value();
  ASSERT_NE(a, nullptr);
  ASSERT_NE(b, nullptr);
  a.reset();
  const Status status = b->run([]() -> Status {
    glFinish();
    return check_device("the other one");
  });
  EXPECT_TRUE(status.ok()) << status.error().message;
  EXPECT_TRUE(checked("the first one").ok());
}

TEST(DeviceThreadAlone, CheckDeviceNeedsAJob) {
  EXPECT_EQ(check_device("nothing").error().code, ErrorCode::kResource);
}

}  // namespace
}  // namespace tocsin::test::device_thread_test
