// Sessions of one room that meet, without a network or threads: ticks come and steps run when a
// test says so.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "service/meeting/meeting.h"
#include "service/session/session_rig.h"

namespace tocsin::test {

/// Someone in the room, with his stream.
struct Visitor {
  std::shared_ptr<FakeOutlet> outlet = std::make_shared<FakeOutlet>();
  std::shared_ptr<Session> session;
  TrackOpened opened;

  [[nodiscard]] std::uint32_t number() const { return opened.meeting.value().member; }
  std::optional<Problem> offer(TrackFrame frame) const {
    return session->offer(outlet.get(), std::move(frame), Clock::now());
  }
  [[nodiscard]] std::vector<TrackReport> pull(std::size_t most = 1000) const {
    return session->pull(outlet.get(), most);
  }
  /// Another stream, after so many reports.
  std::optional<Problem> attach(std::uint64_t received) {
    outlet = std::make_shared<FakeOutlet>();
    return session->attach(outlet, received, opened);
  }
};

struct MeetingRig {
  std::shared_ptr<ManualScheduler> scheduler = std::make_shared<ManualScheduler>();
  std::shared_ptr<service::Principal> principal = std::make_shared<service::Principal>();
  std::shared_ptr<std::atomic<std::size_t>> slots = std::make_shared<std::atomic<std::size_t>>(0);
  std::shared_ptr<const service::Room> room;
  std::shared_ptr<service::Meeting> meeting;
  service::SessionLimits limits;
  std::deque<Visitor> visitors;
  Problem problem;
  std::uint32_t numbers = 0;
  std::uint64_t now = 100;  ///< the last tick

  explicit MeetingRig(std::shared_ptr<const service::Room> in,
                      const service::MeetingLimits& meeting_limits = {}, double rate = 100.0)
      : room(std::move(in)),
        meeting(std::make_shared<service::Meeting>(room, rate, meeting_limits)) {
    principal->name = "tester";
  }
  MeetingRig(const MeetingRig&) = delete;
  MeetingRig& operator=(const MeetingRig&) = delete;
  ~MeetingRig() {
    for (const Visitor& visitor : visitors) visitor.session->close();
    scheduler->run_all();
  }

  /// Null: `problem` says why.
  Visitor* open(const TrackOptions& options, service::MakeRecorder record = nullptr) {
    Visitor out;
    out.session = Session::create({.id = "secret" + std::to_string(++numbers),
                                   .options = options,
                                   .room = room,
                                   .principal = principal,
                                   .limits = limits,
                                   .scheduler = scheduler,
                                   .slot = service::SessionSlot(room, principal, slots),
                                   .meeting = options.meet ? meeting : nullptr,
                                   .number = numbers,
                                   .record = std::move(record)},
                                  problem);
    if (!out.session) return nullptr;
    EXPECT_FALSE(out.session->attach(out.outlet, 0, out.opened));
    visitors.push_back(std::move(out));
    return &visitors.back();
  }
  /// The next tick, and all that it gives workers to do; returns how many took part.
  std::size_t tick() {
    const std::size_t out = meeting->tick(++now);
    scheduler->run_all();
    return out;
  }
};

/// One upright link, 0.2 m thick, that stands at a place of the floor.
inline TrackOptions pillar_options() {
  TrackOptions out;
  out.skeleton = Skeleton::create({{"root", -1, {}}}).value();
  out.model.emplace();
  out.model->name = "pillar";
  LinkModel link;
  link.name = "pillar";
  link.joint = "root";
  link.b.offset = {0.0, 1.8, 0.0};
  link.radius = 0.2;
  out.model->links.push_back(link);
  out.meet = true;
  return out;
}
inline TrackFrame pillar_at(std::uint64_t id, double x, double z) {
  return {id, static_cast<double>(id) / 100.0, {{{}, {x, 0.0, z}}}};
}

/// A triangle far below everybody's feet.
inline Environment far_room() {
  ObjectMesh mesh;
  mesh.name = "deep";
  mesh.vertices = {{0, -50, 0}, {1, -50, 0}, {0, -50, 1}};
  mesh.triangles = {{0, 1, 2}};
  return Environment::create({mesh}).value();
}

}  // namespace tocsin::test
