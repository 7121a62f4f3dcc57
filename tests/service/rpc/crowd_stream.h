// A TrackMany stream, and what a session is told, on whatever streams.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/rpc/live_server.h"
#include "wire/crowds.h"

namespace tocsin::test {

/// A session as its client knows it. Every step must come once, in a report or as a free one, and
/// begin where the one before ends.
struct ToldSession {
  std::string id;
  std::map<std::uint64_t, v1::StepReport> whole;  ///< reports, by step
  std::vector<std::int64_t> covered;              ///< ids, in order
  std::uint64_t free_steps = 0;
  std::optional<v1::Ended> ended;
  std::optional<v1::SlotRefusal> refused;

  [[nodiscard]] std::uint64_t steps() const { return covered.empty() ? 0 : covered.size() - 1; }

  void take(const v1::StepReport& report) {
    ASSERT_EQ(report.step(), steps()) << "a hole, or a step twice";
    begin(static_cast<std::int64_t>(report.from().id()));
    ASSERT_EQ(covered.back(), static_cast<std::int64_t>(report.from().id()));
    covered.push_back(static_cast<std::int64_t>(report.to().id()));
    whole[report.step()] = report;
  }
  /// A free step. The first one is never free.
  void take(std::uint64_t step, std::uint64_t to) {
    ASSERT_EQ(step, steps()) << "a hole, or a step twice";
    ASSERT_FALSE(covered.empty());
    covered.push_back(static_cast<std::int64_t>(to));
    ++free_steps;
  }
  void begin(std::int64_t from) {
    if (covered.empty()) covered.push_back(from);
  }

  /// All steps are what the detector itself says of the covered frames; gives the contacts.
  std::size_t expect_checked(const Walk& walk, const LiveServer& live) const {
    if (covered.empty()) return 0;
    const auto expected = walk.expected(live.hall(), covered);
    EXPECT_EQ(expected.size(), steps());
    std::size_t contacts = 0;
    for (const StepReport& step : expected) {
      const auto found = whole.find(static_cast<std::uint64_t>(step.step));
      contacts += step.contacts.size();
      if (found != whole.end()) {
        expect_same(found->second, step, walk.codec);
      } else {
        EXPECT_TRUE(step.contacts.empty()) << "a contact in a free step";
        EXPECT_EQ(step.safe_until, 1.0);
      }
    }
    return contacts;
  }
};

/// A walk whose left hand alone passes through walls: some of its steps are free.
inline Walk walk_with_free_steps() {
  Walk out;
  out.ignore = {"*:floor",  "pelvis:*", "torso:*",      "neck:*",     "head:*",      "*shin:*",
                "*thigh:*", "*foot:*",  "*upper_arm:*", "*forearm:*", "right_hand:*"};
  return out;
}

/// Messages.
inline v1::TrackManyRequest opening(std::uint32_t slot, const Walk& walk) {
  v1::TrackManyRequest out;
  v1::SlotOpening& made = *out.add_openings();
  made.set_slot(slot);
  *made.mutable_open() = walk.open().open();
  return out;
}

inline v1::TrackManyRequest resuming(std::uint32_t slot, const ToldSession& session) {
  v1::TrackManyRequest out;
  v1::SlotOpening& made = *out.add_openings();
  made.set_slot(slot);
  made.mutable_resume()->set_session_id(session.id);
  made.mutable_resume()->set_received_steps(session.steps());
  return out;
}

/// Adds frame `id` of the walk to columns.
inline void add_frame(std::uint32_t slot, std::uint64_t id, const Walk& walk, v1::SlotFrames& out) {
  out.add_slots(slot);
  out.add_ids(id);
  out.add_capture_times(static_cast<double>(id) * walk.motion.frame_time());
  const auto pose = walk.motion.pose(static_cast<std::int64_t>(id) % walk.count());
  walk.codec.append(pose, walk.codec.is_at_rest(pose), out);
}

inline v1::TrackManyRequest ending(std::uint32_t slot) {
  v1::TrackManyRequest out;
  out.add_ends(slot);
  return out;
}

class CrowdStream {
 public:
  explicit CrowdStream(v1::CollisionService::Stub& stub) {
    prepare(context_);
    stream_ = stub.TrackMany(&context_);
  }
  CrowdStream(const CrowdStream&) = delete;
  CrowdStream& operator=(const CrowdStream&) = delete;
  ~CrowdStream() {
    if (over_) return;
    context_.TryCancel();
    stream_->Finish();
  }

  bool write(const v1::TrackManyRequest& request) { return stream_->Write(request); }
  void half_close() { stream_->WritesDone(); }
  void cancel() { context_.TryCancel(); }
  grpc::Status status() {
    over_ = true;
    return stream_->Finish();
  }

  /// Sends frame `id` of one session.
  bool send(std::uint32_t slot, std::uint64_t id, const Walk& walk) {
    v1::TrackManyRequest message;
    add_frame(slot, id, walk, *message.add_frames());
    return write(message);
  }
  /// Opens or resumes the session in a slot. False: it was refused.
  bool try_to_begin(std::uint32_t slot, ToldSession& session, const v1::TrackManyRequest& message) {
    slots[slot] = &session;
    opened.erase(slot);
    EXPECT_TRUE(write(message));
    while (!opened.contains(slot) && !session.refused && read()) {
    }
    if (opened.contains(slot)) session.id = opened[slot].session_id();
    return opened.contains(slot);
  }
  /// The same; the answer.
  v1::Opened begin(std::uint32_t slot, ToldSession& session, const v1::TrackManyRequest& message) {
    EXPECT_TRUE(try_to_begin(slot, session, message))
        << (session.refused ? session.refused->message() : "the stream is over");
    return opened[slot];
  }

  /// Takes a message. False: the stream is over.
  bool read() {
    v1::TrackManyResponse message;
    if (!stream_->Read(&message)) return false;
    ++messages;
    take(message);
    return !testing::Test::HasFatalFailure();
  }
  template <class Test>
  bool read_until(const Test& test) {
    while (!test()) {
      if (!read()) return test();
    }
    return true;
  }

  std::map<std::uint32_t, ToldSession*> slots;
  std::map<std::uint32_t, v1::Opened> opened;
  std::string closing;
  std::size_t messages = 0;

 private:
  void take(const v1::TrackManyResponse& message) {
    for (const v1::SlotOpened& one : message.opened()) opened[one.slot()] = one.opened();
    const v1::FreeSteps& free = message.free();
    ASSERT_TRUE(wire::is_even(free));
    // Of one slot, in order of step.
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> rows;
    for (int i = 0; i < free.slots_size(); ++i) {
      rows[{free.slots(i), free.steps(i)}] = free.to_ids(i);
    }
    const auto take_rows = [&](std::uint32_t slot, std::uint64_t before) {
      auto row = rows.lower_bound({slot, 0});
      while (row != rows.end() && row->first.first == slot && row->first.second < before) {
        slots.at(slot)->take(row->first.second, row->second);
        row = rows.erase(row);
      }
    };
    for (const v1::SlotReport& one : message.reports()) {
      take_rows(one.slot(), one.report().step());
      slots.at(one.slot())->take(one.report());
    }
    while (!rows.empty()) take_rows(rows.begin()->first.first, ~std::uint64_t{0});
    for (const v1::SlotEnd& end : message.ends()) {
      ToldSession& session = *slots.at(end.slot());
      if (end.has_ended()) session.ended = end.ended();
      if (end.has_refused()) session.refused = end.refused();
    }
    if (!message.closing().empty()) closing = message.closing();
  }

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::TrackManyRequest, v1::TrackManyResponse>> stream_;
  bool over_ = false;
};

}  // namespace tocsin::test
