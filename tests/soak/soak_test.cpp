// Fifty sessions for a minute, or for as long as TOCSIN_SOAK_SECONDS says, on a lossy line: clients
// die and come back, rooms come and go, hostile ones visit. Every report is computed once more,
// memory stays flat, and SIGTERM under load loses nothing. Until enough has happened and memory is
// flat it goes on, for up to four times as long: others may take the machine. TOCSIN_SOAK_OUT: a
// folder for soak.csv and soak.svg.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "base/sanitized.h"
#include "soak/memory_watch.h"
#include "soak/serve_process.h"
#include "soak/soak_client.h"
#include "soak/visitors.h"
#include "soak/world.h"
#include "support/eventually.h"
#include "support/places.h"
#include "support/test_folder.h"

namespace tocsin::test::soak_test {
namespace {

constexpr int kClients = 50;
constexpr double kSessionTtl = 5.0;
constexpr int kGrace = 60;  ///< seconds; it takes 4
/// So many times as long it may take until everything has happened.
constexpr double kMostExtension = 4.0;
constexpr int kPendingFrames = 16;  ///< the server's default

/// Under a sanitizer what was given back stays in quarantine: memory says nothing.
constexpr bool kMemoryCounts = !base::kSanitized;

/// MiB, of what the server's memory falls back to, from the first third after the warm-up to the
/// last. What comes and goes makes malloc's heaps, one for each of some threads, settle ever more
/// slowly: 1 to 4 MiB were seen, in a minute as in ten (and 12 and once 120 MiB, before the server
/// gave free pages back: app/serve/heap.h). Were every session kept (its stream, its queues: some
/// 200 KiB), it would be 20 MiB a minute; every room, 2 MiB each. Where it is more, the soak goes
/// on: what settles stops growing, what leaks does not.
constexpr double kMostGrowth = 6.0;

double environment_number(const char* name, double otherwise) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return text != nullptr && *text != '\0' ? std::atof(text) : otherwise;
}

std::size_t sessions_of(const Connection& connection) {
  std::size_t out = 0;
  const auto rooms = connection.environments();
  EXPECT_TRUE(rooms.ok()) << rooms.error().message;
  if (!rooms) return out;
  for (const EnvironmentInfo& room : *rooms) out += room.sessions;
  return out;
}

void print(const World& world, const MemoryWatch& watch) {
  const SoakCounts& c = world.counts;
  std::printf(
      "%llu frames sent, %llu reports (all as the Detector's), %llu contacts, %llu frames skipped\n"
      "%llu sessions opened, %llu resumed, %llu ended; streams: %llu broken by clients (%llu never "
      "resumed), %llu came back too late, %llu outrun, %llu lost\n"
      "%llu rooms came and went, %llu hostile visits\n"
      "server-side latency: p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms\n",
      static_cast<unsigned long long>(c.frames), static_cast<unsigned long long>(c.reports),
      static_cast<unsigned long long>(c.contacts), static_cast<unsigned long long>(c.skipped),
      static_cast<unsigned long long>(c.opened), static_cast<unsigned long long>(c.resumed),
      static_cast<unsigned long long>(c.ended), static_cast<unsigned long long>(c.abandoned),
      static_cast<unsigned long long>(c.forgotten), static_cast<unsigned long long>(c.expired),
      static_cast<unsigned long long>(c.outrun), static_cast<unsigned long long>(c.lost),
      static_cast<unsigned long long>(c.rooms), static_cast<unsigned long long>(c.hostile),
      world.latency(0.5) / 1e3, world.latency(0.99) / 1e3, world.latency(0.999) / 1e3);
  const MemorySample most = watch.most();
  std::printf(
      "memory: falls back to %.1f MiB after the warm-up, %+.2f MiB at the end; at most %.1f MiB, "
      "%zu descriptors, %zu "
      "threads, %zu sessions\n",
      watch.level(), watch.growth(), most.resident_mib, most.descriptors, most.threads,
      most.sessions);
}

/// Of the server's last line; -1: it does not say.
int left_unchecked(const std::string& log) {
  const std::size_t end = log.rfind(" left unchecked");
  const std::size_t begin = log.rfind("; ", end);
  return end == std::string::npos || begin == std::string::npos
             ? -1
             : std::atoi(log.c_str() + begin + 2);
}

struct Demand {
  const char* what;
  std::uint64_t count;
  double least;  ///< more than this
};

/// That it was a soak of so many seconds: a fourth of what happens on two idle cores, or less.
std::vector<Demand> demands(const SoakCounts& counts, double seconds) {
  return {{"reports", counts.reports, 250 * seconds}, {"contacts", counts.contacts, 100 * seconds},
          {"resumed", counts.resumed, seconds},       {"ended", counts.ended, seconds},
          {"rooms", counts.rooms, seconds / 20},      {"hostile visits", counts.hostile, seconds}};
}

bool all_happened(const SoakCounts& counts, double seconds) {
  const auto list = demands(counts, seconds);
  return std::all_of(list.begin(), list.end(), [](const Demand& demand) {
    return static_cast<double>(demand.count) > demand.least;
  });
}

/// Looks at the server's memory until the time is over, everything has happened and memory is flat;
/// or until a mistake was made, or nobody would wait any longer.
void watch_memory(const ServeProcess& server, const Connection& connection, const World& world,
                  double seconds, MemoryWatch& watch) {
  const auto start = std::chrono::steady_clock::now();
  const auto enough = [&] {
    return all_happened(world.counts, seconds) && (!kMemoryCounts || watch.growth() < kMostGrowth);
  };
  double now = 0.0;
  while ((now < seconds || !enough()) && now < seconds * kMostExtension && server.running() &&
         world.mistakes.count() == 0) {
    now = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    watch.add({now, server.resident_mib(), server.descriptors(), server.threads(),
               sessions_of(connection)});
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
}

TEST(Soak, FiftySessionsThroughEverything) {
  const double seconds = environment_number("TOCSIN_SOAK_SECONDS", 60.0);
  const TestFolder folder;
  const std::filesystem::path repository = source_dir();
  const std::filesystem::path room_file = repository / "environments/music_room.obj";
  const auto take = load_motion(repository / "motions/walk_and_reach.bvh");
  ASSERT_TRUE(take.ok()) << take.error().message;
  const auto avatar = choose_avatar(take->skeleton());
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  World world(room_file, *take, *avatar, Detector::make(*load_environment(room_file)).value());

  ServeProcess server(
      {"--env", "music=" + room_file.string(), "--environments", room_file.parent_path().string(),
       "--session-ttl", fmt::format("{}", kSessionTtl), "--grace", fmt::format("{}", kGrace)},
      folder.path() / "serve.log");
  ASSERT_FALSE(server.address().empty()) << server.log();

  SoakOrders orders;
  orders.address = server.address();
  orders.session_ttl = kSessionTtl;
  ConnectionOptions to_server;
  to_server.target = server.address();
  const auto connection = Connection::open(to_server);
  ASSERT_TRUE(connection.ok()) << connection.error().message;

  std::vector<std::thread> threads;
  for (int i = 0; i < kClients; ++i) {
    threads.emplace_back([&world, &orders, i] { SoakClient(world, orders, i).live(); });
  }
  threads.emplace_back([&] { change_rooms(world, orders, room_file.filename().string()); });
  threads.emplace_back([&] { visit_hostilely(world, orders); });
  threads.emplace_back([&] { read_slowly(world, orders); });

  MemoryWatch watch(seconds * 0.4);
  watch_memory(server, *connection, world, seconds, watch);
  EXPECT_TRUE(server.running()) << server.log();
  const std::vector<Demand> happened = demands(world.counts, seconds);

  // SIGTERM while everybody streams, faster than ever.
  orders.stay = true;
  const bool all =
      eventually([&] { return orders.streaming == kClients || world.mistakes.count() > 0; });
  EXPECT_TRUE(all) << orders.streaming << " of " << kClients << " clients stream";
  orders.hurry = true;
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const std::uint64_t told_before = world.counts.told;
  const auto told_at = std::chrono::steady_clock::now();
  server.send(SIGTERM);
  const int status = server.wait(kGrace + 10.0);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - told_at;
  EXPECT_EQ(status, 0) << server.log();
  EXPECT_LE(took.count(), kGrace);
  eventually(
      [&] { return world.counts.told - told_before == kClients || world.mistakes.count() > 0; });
  orders.over = true;
  for (std::thread& thread : threads) thread.join();

  print(world, watch);
  const std::string log = server.log();
  std::printf("SIGTERM: ended in %.2f s; %llu streams were told\n%s", took.count(),
              static_cast<unsigned long long>(world.counts.told - told_before),
              log.substr(log.rfind('\n', log.size() - 2) + 1).c_str());
  if (const char* const out = std::getenv("TOCSIN_SOAK_OUT")) watch.save(out);

  EXPECT_EQ(world.mistakes.count(), 0U) << world.mistakes.text();
  EXPECT_EQ(world.counts.told - told_before, static_cast<std::uint64_t>(kClients));
  // Steps whose reports nobody takes are not checked: the queue of the one stream that is deaf.
  EXPECT_GE(left_unchecked(log), 0) << log;
  EXPECT_LE(left_unchecked(log), kPendingFrames) << log;
  EXPECT_EQ(world.counts.lost, 0U);
  for (const Demand& demand : happened) {
    EXPECT_GT(static_cast<double>(demand.count), demand.least) << demand.what;
  }
  if (!kMemoryCounts) return;
  EXPECT_LT(watch.growth(), kMostGrowth);
  // Connections of clients, of visitors, and of those that are not closed yet.
  EXPECT_LT(watch.most().descriptors, 400U);
}

}  // namespace
}  // namespace tocsin::test::soak_test
