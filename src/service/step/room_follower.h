// A session in a room that changes: which version its next step has.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "detect/scene/versions/scene_versions.h"
#include "service/session/problem.h"
#include "tocsin/depth.h"
#include "tocsin/detector.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"
#include "tocsin/stream.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// The step of a session goes to the newest version of its room when it begins. Until it is done it
/// keeps that. Used by one thread at a time: the run of the session.
class RoomFollower {
 public:
  /// `links`: of the avatar. `pattern_bytes`: of all patterns of `ignore`. Problems: kOverloaded:
  /// the room has too many objects for these.
  static std::unique_ptr<RoomFollower> enter(const std::shared_ptr<detect::SceneVersions>& scene,
                                             const detect::ReaderLimits& limits, Problem& problem);

  /// The room as it was when the session came.
  [[nodiscard]] const Detector& room() const { return now_.rest; }
  /// For a record: as it differed from its files then. Null: it did not.
  [[nodiscard]] const SceneState* first_state() const { return state_ ? &*state_ : nullptr; }
  /// Call before the first step. `asked`: options of its checks. `member`: all but its pairs with
  /// the room, from which `ignore` leaves some out. `records`: somebody asks for news().
  void begin(const DetectorOptions& asked, Member member, std::vector<std::string> ignore,
             bool records);

  /// Goes to the newest version, which the next step has; but not on from one whose motions no step
  /// has seen. Errors: kResource: memory.
  Status advance();
  /// The stream that checks the next step; none: the one of before still does. Errors: as
  /// advance().
  Result<std::optional<Stream>> next_stream();
  /// Sets what the step saw, and numbers the objects in its contacts.
  void describe(StepReport& result) const;
  /// Detector::nearest where the step ends, in the room as the step has it; objects are numbered.
  /// Call after next_stream(), and before advance().
  [[nodiscard]] Result<std::vector<LinkDistance>> nearest_at_end(const Step& step, double within,
                                                                 const std::stop_token& stop) const;
  [[nodiscard]] const RoomVersions& versions() const { return step_; }
  /// The room where the step ends, with these options: nothing moves. Call after next_stream(), and
  /// before advance(). Errors: as Detector::with_options.
  [[nodiscard]] Result<Detector> at_rest(const DetectorOptions& options) const {
    return now_.rest.with_options(options);
  }
  /// The avatar with its pairs in that room.
  [[nodiscard]] const Member& member() const { return member_; }
  /// Numbers the objects in contacts of a report of at_rest()'s.
  void number(const Detector& room, StepReport& report) const;
  /// What the record must know before the step that was begun: once. None: nothing came.
  std::optional<detect::SceneNews> take_news();

 private:
  RoomFollower(std::unique_ptr<detect::SceneReader> reader, detect::SceneMoment now,
               std::optional<SceneState> state)
      : reader_(std::move(reader)), now_(std::move(now)), state_(std::move(state)) {}
  Result<Stream> stream_in(const Detector& room);

  std::unique_ptr<detect::SceneReader> reader_;
  detect::SceneMoment now_;
  std::optional<SceneState> state_;
  DetectorOptions asked_;
  Member member_;
  std::optional<Detector> of_step_;  ///< checks the step that was begun
  std::vector<std::string> ignore_;
  bool records_ = false;
  bool fresh_ = false;       ///< the next step is the first of this version
  bool moved_ = false;       ///< the step before saw motions
  std::uint64_t table_ = 0;  ///< member_'s pairs are for its objects
  RoomVersions step_;
  RoomVersions next_;
  detect::SceneNews news_;
  bool has_news_ = false;
};

}  // namespace tocsin::service
