// `tocsin serve --osc-out`: contacts and predicted ones as OSC messages, for haptic suits and VR
// worlds.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "service/events/step_listener.h"
#include "service/live/udp_sender.h"
#include "service/log/leaky_counter.h"
#include "service/metrics/live_metrics.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// /tocsin/contact STATE SESSION LINK OBJECT SPEED X Y Z DEPTH (",ssssfffff"):
/// - begin: in this step the pair touches, in the one before it did not;
/// - hold: it still touches; at most kHoldsPerSecond a second of one pair;
/// - end: in this step it does not touch any more, or the session has had no step for kSilence, or
///   the server ends.
/// SPEED: approach_speed() at the begin, 0 else. X Y Z: where they touch first in the step, metres;
/// of an end as before. DEPTH: depth_at_end(), 0 where there is none.
///
/// /tocsin/ahead STATE SESSION LINK OBJECT SECONDS X Y Z (",ssssffff"), with
/// TrackOptions::lookahead:
/// - begin: the pair is predicted to touch, and was not before;
/// - hold: it still is; at most kHoldsPerSecond a second of one pair;
/// - end: it touches now, or it was not predicted for kLinger, or as above.
/// SECONDS: ForeseenContact::time_to_go; 0 at the end. X Y Z: where, in the predicted motion; of an
/// end as before. Thread-safe.
class OscOut final : public StepListener {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr double kHoldsPerSecond = 30.0;
  /// Messages of all sessions a second, and at once. Holds have half of it, what is predicted three
  /// quarters. Larger: a receiver on a network with losses misses beginnings.
  static constexpr double kPerSecond = 2000.0;
  /// A prediction that is missing for less goes on: it comes and goes with the noise of trackers.
  static constexpr std::chrono::milliseconds kLinger{33};
  static constexpr std::chrono::seconds kSilence{1};

  /// Errors: as UdpSender::to().
  static Result<std::shared_ptr<OscOut>> to(const std::string& target);

  void stepped(const SessionIdentity& session, const Step& step, const TrackReport& report,
               const MemberCards& others) override {
    stepped_at(session, step, report, others, std::chrono::steady_clock::now());
  }
  /// stepped(), at this time.
  void stepped_at(const SessionIdentity& session, const Step& step, const TrackReport& report,
                  const MemberCards& others, Time now);
  /// Ends the contacts of sessions that are silent. Call about once a second.
  void sweep(Time now);
  /// Ends all contacts, so that no receiver goes on with them. Call when no more steps come.
  void finish(Time now);

  [[nodiscard]] const std::shared_ptr<OscCounts>& counts() const { return counts_; }

 private:
  /// A pair that touches.
  struct Touch {
    std::string link;
    std::string object;
    Vec3 point;
    std::uint64_t step = 0;  ///< the newest
    Time told{};
  };
  /// A pair that is predicted to touch.
  struct Alarm {
    std::string link;
    std::string object;
    Vec3 point;
    Time seen{};  ///< the newest prediction
    Time told{};
  };
  using Pair = std::pair<std::int32_t, Touched>;
  struct Touches {
    std::map<Pair, Touch> pairs;
    std::map<Pair, Alarm> ahead;
    std::uint64_t steps = 0;
    Time last{};
  };
  struct Message;

  explicit OscOut(std::unique_ptr<UdpSender> to) : to_(std::move(to)) {}
  void take(Touches& touches, const SessionIdentity& session, const Step& step,
            const TrackReport& report, const MemberCards& others, Time now);
  void take_ahead(Touches& touches, const SessionIdentity& session, const TrackReport& report,
                  const MemberCards& others, Time now);
  void send(const Message& message, Time now);
  void send_ahead(std::string_view state, std::string_view session, const Alarm& alarm,
                  double seconds, Time now);
  void send_bytes(const std::string& message, double most, Time now);
  void end_all(const std::string& session, Touches& touches, Time now);

  const std::unique_ptr<UdpSender> to_;
  const std::shared_ptr<OscCounts> counts_ = std::make_shared<OscCounts>();
  std::mutex mutex_;                         ///< of those below
  std::map<std::string, Touches> sessions_;  ///< by SessionIdentity::shown()
  LeakyCounter rate_{kPerSecond};
};

}  // namespace tocsin::service
