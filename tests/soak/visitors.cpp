#include "soak/visitors.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "support/net/hostile_visits.h"

namespace tocsin::test {
namespace {

using Clock = SoakSession::Clock;
using namespace std::chrono_literals;

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

void stream(SoakSession& session, std::chrono::duration<double> time) {
  const auto end = Clock::now() + time;
  while (Clock::now() < end && (session.state() == SoakSession::State::kOpening ||
                                session.state() == SoakSession::State::kStreaming)) {
    session.tick();
    sleep(0.01);
  }
}

/// One room's life: false if anything about it was wrong.
bool room_comes_and_goes(World& world, const Connection& connection, const std::string& file,
                         int turn) {
  const std::string name = fmt::format("room-{}", turn);
  const auto fail = [&](const std::string& what) {
    world.mistakes.add(name + ": " + what);
    return false;
  };
  const std::vector<std::string> paths{file};
  const auto loaded = turn % 2 == 0 ? connection.load_environment(name, paths)
                                    : connection.upload_environment(name, world.room_file);
  if (!loaded.ok()) return fail(loaded.error().message);
  TrackOptions options = soak_options(world, turn);
  options.environment = name;
  SoakSession session(world, name, options, {}, static_cast<std::uint64_t>(turn) + 77);
  if (!session.start(connection)) return false;
  stream(session, 1s);
  // Where others take the machine, opening takes its time.
  for (int i = 0; i < 1200 && session.state() == SoakSession::State::kOpening; ++i) {
    stream(session, 100ms);
  }
  const auto unloaded = connection.unload_environment(name);
  if (!unloaded.ok()) return fail(unloaded.error().message);
  if (unloaded->sessions != 1) return fail(fmt::format("{} sessions go on", unloaded->sessions));
  stream(session, 1s);  // it goes on in it
  session.finish();
  stream(session, kTimeLimit);
  ++world.counts.rooms;
  return session.state() == SoakSession::State::kEnded || fail("the session does not end");
}

}  // namespace

void change_rooms(World& world, SoakOrders& orders, const std::string& file) {
  ConnectionOptions options;
  options.target = orders.address;
  options.timeout = kTimeLimit;
  const Connection connection = Connection::open(options).value();
  for (int turn = 0; !orders.stay && world.mistakes.count() == 0; ++turn) {
    if (!room_comes_and_goes(world, connection, file, turn)) return;
    sleep(0.5);
  }
}

void visit_hostilely(World& world, SoakOrders& orders) {
  std::vector<HostileVisit> visits;
  for (const auto& list : {visits_without_grpc(), visits_of_bad_messages(),
                           visits_of_bad_sessions("music"), visits_of_bad_frames("music")}) {
    visits.insert(visits.end(), list.begin(), list.end());
  }
  for (std::size_t i = 0; !orders.over; ++i) {
    const HostileVisit& visit = visits[i % visits.size()];
    const RawEnd end = visit.call(orders.address);
    ++world.counts.hostile;
    if (!orders.stay && end.status != visit.status) {
      world.mistakes.add(fmt::format("hostile visit \"{}\": status {}, not {}", visit.name,
                                     end.status.value_or(-1), visit.status.value_or(-1)));
    }
    sleep(0.05);
  }
}

void read_slowly(World& world, SoakOrders& orders) {
  while (!orders.over && world.mistakes.count() == 0) {
    RawCall deaf(orders.address, kTrackPath, 0);  // no window: nothing can be answered
    deaf.send(grpc_message(sound_open("music")));
    RawSocket silent(orders.address);
    RawSocket half_open(orders.address);
    half_open.send(std::string(kPreface) + http2_setting(4, 65'535));
    RawCall speechless(orders.address, kTrackPath);
    const auto end = Clock::now() + std::chrono::seconds(4);
    for (std::uint64_t id = 1; !orders.over && Clock::now() < end; id += 4) {
      if (!deaf.send(grpc_message(sound_frames(id, 4)))) break;
      sleep(0.02);
    }
    ++world.counts.hostile;
    silent.half_close();
    half_open.reset();
    sleep(0.05);
  }
}

}  // namespace tocsin::test
