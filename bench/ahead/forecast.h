// Contacts that a motion's lookahead predicts, and those that the motion then has.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "tocsin/tocsin.h"

namespace tocsin::bench {

/// Counts over motions.
struct ForecastTally {
  std::size_t touches = 0;     ///< that begin: of a pair that was free for 50 ms
  std::size_t predicted = 0;   ///< of these, at any pose from the lookahead before on
  std::size_t half_lead = 0;   ///< of these, at least half the lookahead before
  std::vector<double> leads;   ///< of each predicted one: seconds from its first prediction to it
  std::vector<double> errors;  ///< of all its predictions: seconds, |predicted - true|
  std::vector<double> last_errors;  ///< of its last one
  std::size_t alarms = 0;           ///< predictions of one pair that follow each other
  std::size_t false_alarms = 0;     ///< that no touch of the pair follows
  double seconds = 0.0;             ///< of motions
  std::size_t steps = 0;
  double step_seconds = 0.0;   ///< time that checking these took
  double ahead_seconds = 0.0;  ///< and those ahead

  [[nodiscard]] double step_us() const { return 1e6 * step_seconds / double(steps); }
  [[nodiscard]] double ahead_us() const { return 1e6 * ahead_seconds / double(steps); }
};

/// @return the value below which the share `of` lies; 0: there is none
double percentile(std::vector<double> values, double of);

/// A motion in a room at one rate: what it touches, and when.
class Course {
 public:
  Course(const Detector& detector, const Avatar& avatar, const Motion& motion, int stride,
         bool quick);
  /// Adds what is predicted at all poses. `base`: frames over which velocities are taken. `damp`:
  /// share of the way that joints go.
  void forecast(double seconds, int base, double damp, ForecastTally& all, ForecastTally& floor);

 private:
  using Pair = std::pair<std::int32_t, std::uint32_t>;
  struct Touch {
    double time = 0.0;
    double free_since = 0.0;  ///< the last touch before
    std::size_t step = 0;
  };
  /// Predictions of a pair: the pose's time, and the time that was predicted.
  using Predictions = std::vector<std::pair<double, double>>;

  void find_touches();
  void judge(double seconds, const Pair& pair, const Predictions& predictions,
             const std::vector<Touch>& touches, ForecastTally& out) const;

  const Detector& detector_;
  const Avatar& avatar_;
  const Motion& motion_;
  int stride_;
  StepList steps_;
  std::vector<double> times_;  ///< of each step's start, and the last one's end
  std::map<Pair, std::vector<Touch>> touches_;
  double step_seconds_ = 0.0;
};

}  // namespace tocsin::bench
