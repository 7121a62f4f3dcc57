// What a device is worth in a room: how long it and the CPU take for steps that are asked at once.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "detect/backends/room_backend.h"
#include "detect/choice/sample_steps.h"
#include "tocsin/result.h"

namespace tocsin::detect {

/// So many steps are never asked at once.
inline constexpr std::size_t kNeverAsked = std::numeric_limits<std::size_t>::max();

struct Calibration {
  struct Point {
    std::size_t steps = 0;  ///< asked at once
    double cpu = 0.0;       ///< seconds for all of them
    double device = 0.0;    ///< seconds for all of them
  };
  std::vector<Point> points;  ///< in order of steps

  /// The least number of steps at once for which the device is asked: there and for all more that
  /// were measured it takes at most kWorth of the CPU's time. kNeverAsked: for none.
  [[nodiscard]] std::size_t least_batch() const;
  /// "of 4096 steps asked at once it takes 3.1 us each, the CPU 9.8 us". Precondition: there are
  /// points.
  [[nodiscard]] std::string in_words() const;
};

/// A device is asked where it takes at most this share of the CPU's time. Larger: what two runs of
/// one work differ by would decide.
inline constexpr double kWorth = 0.9;

/// The most steps that are measured at once; sizes are powers of 4 from 1 on.
inline constexpr std::size_t kMostMeasured = 4096;

/// Seconds that measuring may take, without what a device needs for its first answer. Before every
/// size, the time is foreseen from the size before; the first that would not fit ends it. A single
/// step is asked at least once.
inline constexpr double kCalibrationTime = 0.15;

/// Measures both on sample steps, on the threads of the current arena. `seconds`: the time now.
/// Errors: kResource: the device has failed, or has not answered; kInput: its contacts differ from
/// the CPU's. Throws std::bad_alloc.
[[nodiscard]] Result<Calibration> calibrate(const RoomBackend& cpu, const RoomBackend& device,
                                            const SampleSteps& sample,
                                            const std::function<double()>& seconds);

/// A calibration as text for a cache, and back. `key`: what it is of, one line. Errors (kInput):
/// why this is no such text; kUsage: it is one of another key.
[[nodiscard]] std::string to_text(const Calibration& calibration, std::string_view key);
[[nodiscard]] Result<Calibration> calibration_from_text(std::string_view text,
                                                        std::string_view key);

}  // namespace tocsin::detect
