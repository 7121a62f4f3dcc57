// What Backend::kAuto costs beside every backend that works here, in one room.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "selftest/measure/timing.h"
#include "selftest/scenes/standing_crowd.h"
#include "tocsin/detector.h"

namespace tocsin::bench {

/// A way to get the answer: a backend that was named, or a choice.
struct ChoiceWay {
  std::string name;  ///< "cpu", "auto", "auto, CUDA emulated"
  DetectorOptions options;
  bool chooses = false;  ///< it is compared with the best of those that do not
  /// The choice is among these and the CPU; of a backend: which choices have it.
  bool emulated = false;
};

/// Those that work here; without a CUDA device an emulated one as well.
std::vector<ChoiceWay> choice_ways();

/// A way in a room.
struct OpenedWay {
  ChoiceWay way;
  std::string backend;   ///< that it took
  std::string why;       ///< Detector::backend_reason()
  double seconds = 0.0;  ///< opening it: the tree, a device, what is measured
};

/// One number of avatars.
struct ChoiceRow {
  std::size_t avatars = 0;
  /// Of each way, an avatar-step: of every batch the least time of all passes, as what disturbs a
  /// run only makes it longer. By the clock on the wall, and of the processor, all threads
  /// together, which other programs disturb less and in which a device takes no part.
  std::vector<double> us;
  std::vector<double> processor_us;
  /// Of choices: divided by that of the best backend; 0 for others.
  std::vector<double> times_best;
  std::vector<double> processor_times_best;
  bool equal = true;  ///< contact by contact
};

struct ChoiceRoom {
  std::string name;
  std::size_t triangles = 0;
  std::vector<OpenedWay> ways;
  std::vector<ChoiceRow> rows;
};

/// Opens every way in a room and asks them in turns. Errors: those of Detector::make; a step's.
Result<ChoiceRoom> run_choice(std::string name, const Environment& room,
                              const std::vector<ChoiceWay>& ways,
                              const std::vector<std::size_t>& avatars, std::size_t passes);

}  // namespace tocsin::bench
