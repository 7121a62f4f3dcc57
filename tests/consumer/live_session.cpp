// The C++ that docs/service-client.md shows, as it stands there: a take, live, alone and three
// times on one stream. With an address it talks to the server there; without one it finds that
// nobody answers.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// clang-format off
// [snippet]
#include <tocsin/client.h>
#include <tocsin/tocsin.h>

void on_report(const tocsin::TrackReport& report) {
  for (const tocsin::ContactNames& touch : report.names) {
    std::printf("at %.3f s: %s touches %s\n", report.safe_until_time, touch.link.c_str(), touch.object.c_str());
  }
}

void on_over(tocsin::StreamEnd end, const tocsin::TrackEnded& ended, const tocsin::Error& error) {
  const bool well = end == tocsin::StreamEnd::kEnded;
  std::printf("%d steps. %s\n", static_cast<int>(ended.steps), well ? "The end." : error.message.c_str());
}

int send_take(const std::string& target) {
  const auto take = tocsin::load_motion("take.bvh");
  const auto connection = tocsin::Connection::open({.target = target});
  if (!take || !connection) return 1;           // .error().message says why

  tocsin::TrackOptions options;
  options.skeleton = take->skeleton();
  options.frame_seconds = take->frame_time();   // frames are evenly spaced
  auto session = connection->track(options, {.report = on_report, .over = on_over});
  if (!session) return 1;

  for (std::int64_t k = 0; k < take->frame_count(); ++k) {
    tocsin::TrackFrame frame;
    frame.id = static_cast<std::uint64_t>(k);
    frame.pose.assign(take->pose(k).begin(), take->pose(k).end());
    if (!session->send({&frame, 1})) break;
    std::this_thread::sleep_for(std::chrono::duration<double>(take->frame_time()));
  }
  return session->finish() && session->wait(std::chrono::seconds(10)) ? 0 : 1;
}
int send_crowd(const std::string& target) {
  const auto take = tocsin::load_motion("take.bvh");
  const auto connection = tocsin::Connection::open({.target = target});
  if (!take || !connection) return 1;
  auto crowd = connection->crowd();
  if (!crowd) return 1;
  crowd->collect();                             // frames wait for flush()

  tocsin::TrackOptions options;
  options.skeleton = take->skeleton();
  options.frame_seconds = take->frame_time();
  std::vector<tocsin::LiveSession> sessions;    // each as Connection::track() makes it
  for (int i = 0; i < 3; ++i) {
    options.avatar.place.translation.x = i;     // a metre from each other
    auto session = crowd->track(options, {.report = on_report, .over = on_over});
    if (!session) return 1;
    sessions.push_back(std::move(*session));
  }
  for (std::int64_t k = 0; k < take->frame_count(); ++k) {
    tocsin::TrackFrame frame;
    frame.id = static_cast<std::uint64_t>(k);
    frame.pose.assign(take->pose(k).begin(), take->pose(k).end());
    for (auto& session : sessions) {
      if (!session.send({&frame, 1})) return 1;
    }
    crowd->flush();                             // those of all in one message
    std::this_thread::sleep_for(std::chrono::duration<double>(take->frame_time()));
  }
  for (auto& session : sessions) {
    if (!session.finish() || !session.wait(std::chrono::seconds(10))) return 1;
  }
  return 0;
}
// [end]
// clang-format on

int main(int argc, char** argv) {
  if (argc > 1) return send_take(argv[1]) + send_crowd(argv[1]);
  const auto nobody = tocsin::Connection::open(
      {.target = "127.0.0.1:1", .timeout = std::chrono::milliseconds(500)});
  std::printf("%s\n", nobody.error().message.c_str());
  return !nobody && !nobody.error().message.empty() ? 0 : 1;
}
