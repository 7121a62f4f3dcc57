#include "soak/soak_client.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace tocsin::test {
namespace {

using Clock = SoakSession::Clock;

/// Seconds between two looks: as often as a 90 Hz client sends.
constexpr double kTick = 1.0 / 90.0;
constexpr double kUsualRate = 20.0;
constexpr double kHurriedRate = 90.0;

}  // namespace

TrackOptions soak_options(const World& world, int index) {
  TrackOptions out;
  out.environment = "music";
  out.skeleton = world.take.skeleton();
  out.avatar.place.translation = {0.4 * (index % 7 - 3), 0.0, 0.4 * (index / 7 % 7 - 3)};
  out.avatar.place.yaw_degrees = 7.2 * index;
  out.spec.in_between = index % 3 == 0 ? InBetween::kTranslateRotate : InBetween::kScrew;
  out.spec.contacts = index % 4 == 1 ? Contacts::kFirst : Contacts::kPairs;
  out.spec.margin = index % 5 == 2 ? 0.02 : 0.0;
  out.spec.clearance = index % 10 == 3;
  out.stop_pose = index % 4 == 2;
  out.label = fmt::format("soak {}", index);
  return out;
}

SoakClient::SoakClient(World& world, SoakOrders& orders, int index)
    : world_(world),
      orders_(orders),
      index_(index),
      random_(static_cast<std::uint64_t>(index) + 1000) {}

void SoakClient::live() {
  while (!orders_.over && !told_ && world_.mistakes.count() == 0) {
    if (!connect()) return;
    one_session();
  }
}

bool SoakClient::connect() {
  ConnectionOptions options;
  options.target = orders_.address;
  options.timeout = kTimeLimit;
  auto connection = Connection::open(options);
  if (!connection.ok()) {
    // Once it has begun to end, a server takes nobody in.
    if (!orders_.stay) world_.mistakes.add("cannot connect: " + connection.error().message);
    return false;
  }
  connection_ = std::move(connection).value();
  return true;
}

void SoakClient::rest(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

void SoakClient::stream_for(SoakSession& session, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  bool counted = false;
  while (!orders_.over && world_.mistakes.count() == 0 && (orders_.stay || Clock::now() < end)) {
    session.set_rate(orders_.hurry ? kHurriedRate : kUsualRate);
    session.tick();
    const bool streaming = session.state() == SoakSession::State::kStreaming;
    if (orders_.stay && streaming && !counted) {
      counted = true;
      ++orders_.streaming;
    }
    if (!streaming && session.state() != SoakSession::State::kOpening) break;
    rest(kTick);
  }
  if (counted) --orders_.streaming;
}

bool SoakClient::wait_for_end(SoakSession& session) {
  const auto limit = Clock::now() + kTimeLimit;
  session.finish();
  while (session.state() == SoakSession::State::kStreaming) {
    if (Clock::now() > limit) {
      world_.mistakes.add(fmt::format("client {}: the session does not end", index_));
      return false;
    }
    session.tick();
    rest(kTick);
  }
  return session.state() == SoakSession::State::kEnded;
}

bool SoakClient::come_back(SoakSession& session) {
  // Now and then a little too late.
  rest(chance(0.1) ? orders_.session_ttl * (0.8 + 0.5 * number()) : 1.5 * number());
  if (orders_.over) return false;
  if (chance(0.5) && !connect()) return false;
  return session.start(connection_);
}

void SoakClient::one_session() {
  Manners manners;
  manners.loss = chance(0.2) ? 0.4 : 0.05;
  manners.jitter = chance(0.2) ? 0.5 : 0.06;
  const std::uint64_t seed = random_();
  SoakSession session(world_, fmt::format("client {}, session {}", index_, sessions_++),
                      soak_options(world_, index_), manners, seed);
  if (!session.start(connection_)) return;
  while (true) {
    stream_for(session, 2.0 + 10.0 * number());
    if (session.state() == SoakSession::State::kClosing) told_ = true;
    if (session.state() == SoakSession::State::kStreaming && !orders_.over) {
      if (chance(0.3) && wait_for_end(session)) return;
      if (session.state() == SoakSession::State::kClosing) told_ = true;
      if (session.state() == SoakSession::State::kStreaming) session.abandon();
    } else if (session.state() == SoakSession::State::kOpening) {
      session.abandon();  // died before the answer
    }
    if (session.state() != SoakSession::State::kBroken) return;
    if (chance(0.15)) {
      ++world_.counts.forgotten;
      return;
    }
    if (!come_back(session)) return;
  }
}

}  // namespace tocsin::test
