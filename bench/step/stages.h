// A case, stage by stage and whole, beside the frozen reference, in one run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shared/inputs.h"
#include "shared/timing.h"
#include "tocsin/detector.h"

namespace tocsin::bench {

/// What is timed. Microseconds of processor time per step, all links together.
enum Row : std::size_t {
  kPosition,   ///< forward kinematics: world positions of all links at the step's new pose
  kCoarse,     ///< coarse boxes of all links
  kNear,       ///< exact motions and swept boxes of the links that are near something
  kCulling,    ///< what the tree is asked: the avatar, the links, candidates
  kCertify,    ///< from candidates to contacts
  kStep,       ///< Detector::check: all of this, from two local poses to contacts
  kStream,     ///< Stream::check: the same by what the steps before have proved
  kReference,  ///< the frozen scalar reference, from two local poses to contacts
  kMotion,     ///< exact joint motions and bounds of all links
  kBounds,     ///< swept boxes of all links, with the world poses that they need
  kInterval,   ///< swept boxes of all links by interval matrices (paper 004, section 5)
  kRows
};

/// Name and meaning of a row, for tables and JSON.
struct RowText {
  const char* key;
  const char* text;
};
extern const std::array<RowText, kRows> kRowTexts;

/// How well the detector's contacts agree with those of the reference.
struct Agreement {
  std::uint64_t contacts = 0;   ///< the detector's, all steps
  std::uint64_t grazes = 0;     ///< of these; the reference may find either
  std::uint64_t touches = 0;    ///< the reference's
  std::uint64_t differing = 0;  ///< found by one only, or at times that cannot be the same touch
  double worst_time = 0.0;      ///< greatest difference in toc, step time
  bool stages_equal = true;     ///< the stages' contacts are the detector's, bit for bit
  bool stream_equal = true;     ///< the stream's contacts are, and safe_until
};

/// What a case costs.
struct CaseResult {
  Samples samples{kRows, 0};
  std::size_t steps = 0;
  std::size_t passes = 0;
  double candidates = 0.0;           ///< per step
  double evaluations = 0.0;          ///< per step
  double volume_tests = 0.0;         ///< per step, Detector::check
  double stream_volume_tests = 0.0;  ///< per step, Stream::check
  double reference_candidates = 0.0;
  double reference_evaluations = 0.0;
  Agreement agreement;
};

/// Steps that are timed together, so that a reading of the clock (some 300 ns) is small beside
/// them.
inline constexpr std::size_t kBatch = 16;

CaseResult run_case(const Inputs& inputs, const Case& which, const Detector& detector,
                    std::size_t passes);

}  // namespace tocsin::bench
