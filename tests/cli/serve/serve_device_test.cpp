// `tocsin serve --backend cuda`, emulated: what its operator and clients see, also when it fails.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>

#include "cli/scenes.h"
#include "cli/serve/live_pole.h"
#include "soak/serve_process.h"
#include "support/environment_variable.h"
#include "tocsin/client.h"

namespace tocsin::test {
namespace {

namespace fs = std::filesystem;

// The device is asked for before anything is loaded.
TEST(Serve, WithoutADeviceSaysHowToGoOn) {
  const PoleScene scene;
  const CommandResult result = run_tocsin(
      {"serve", "--backend", "cuda", "--env", "none.obj", "--listen", "127.0.0.1:0"}, scene.path());
  if (contains(result.err, "none.obj")) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "--emulate")) << result.err;
  EXPECT_EQ(result.out, "");
}

/// One pole after the other, as many as `count`; how many of its reports say that the device
/// failed.
std::size_t send_poles(const ServeProcess& server, const PoleScene& scene,
                       const std::string& backend, int count) {
  const Connection connection = connect(server);
  std::atomic<std::size_t> told{0};
  for (int i = 0; i < count; ++i) {
    Pole pole(scene);
    TrackHandler handler = pole.handler;
    handler.report = [&](const TrackReport& report) {
      told += report.fallback.empty() ? 0 : 1;
      pole.handler.report(report);
    };
    handler.opened = [&](const TrackOpened& opened) {
      if (!backend.empty()) {
        EXPECT_EQ(opened.backend, backend);
      }
    };
    auto session = connection.track(pole.options, handler);
    EXPECT_TRUE(session.ok()) << session.error().message;
    if (!session.ok()) return told;
    EXPECT_TRUE(session->send(pole.frames()).ok());
    EXPECT_TRUE(session->finish().ok());
    EXPECT_TRUE(session->wait(kTimeLimit));
    EXPECT_EQ(pole.end(), StreamEnd::kEnded);
    EXPECT_EQ(pole.steps(), 8U);
    EXPECT_EQ(pole.contacts(), 8U);
  }
  return told;
}

TEST(Serve, OnAnEmulatedDevice) {
  const PoleScene scene;
  ServeProcess server({"--env", "pole=" + scene.full("room.obj"), "--backend", "cuda", "--emulate",
                       "--record", scene.full("records")},
                      scene.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  EXPECT_TRUE(contains(server.said(), "1 room (pole: 6 triangles), checked by cuda (emulated"))
      << server.said();
  EXPECT_EQ(send_poles(server, scene, "cuda", 2), 0U);
  const CommandResult sent =
      run_tocsin({"send", scene.full("take.bvh"), "--motion-unit", "m", "--avatar",
                  scene.full("pole.json"), "--to", server.address()});
  EXPECT_EQ(sent.status, 0) << sent.err;
  EXPECT_TRUE(contains(sent.out, ", cuda (emulated")) << sent.out;
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 0) << server.log();
  EXPECT_TRUE(contains(server.log(), "; on the device: ")) << server.log();
  for (const auto& entry : fs::directory_iterator(scene.full("records"))) {
    if (entry.path().extension() != ".jsonl") continue;
    const CommandResult verified = run_tocsin({"verify", entry.path().string()});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  }
}

TEST(Serve, ADeviceThatFailsLosesNothing) {
  const PoleScene scene;
  const EnvironmentVariable fails("TOCSIN_CUDA_FAIL_AT", "150");
  ServeProcess server({"--env", "pole=" + scene.full("room.obj"), "--backend", "cuda", "--emulate"},
                      scene.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  // Sessions whose steps take long are none of the device's: more of them, where the machine stops.
  std::size_t told = 0;
  for (int i = 0; i < 100 && told == 0; ++i) told = send_poles(server, scene, "", 1);
  EXPECT_EQ(told, 1U);
  EXPECT_EQ(send_poles(server, scene, "cpu", 2), 0U);
  {
    const auto rooms = connect(server).environments();
    ASSERT_TRUE(rooms.ok());
    ASSERT_EQ(rooms.value().size(), 1U);
    EXPECT_EQ(rooms.value()[0].backend, "cpu");
    EXPECT_FALSE(rooms.value()[0].fallback.empty());
  }
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 0) << server.log();
  EXPECT_TRUE(contains(server.log(), "room pole: the CPU checks from here on, as cuda (emulated"))
      << server.log();
}

}  // namespace
}  // namespace tocsin::test
