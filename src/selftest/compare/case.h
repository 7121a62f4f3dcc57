// A case of the selftest: avatars, their steps and a room, asked of every backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "tocsin/detector.h"

namespace tocsin::selftest {

/// Immutable once made.
struct Case {
  std::string kind;  ///< of several cases: "crowd"
  std::string name;  ///< unique: "crowd of 400"
  std::string what;  ///< for a person
  /// Versions of one room: the same triangles, other vertices. Instant i is asked in the i-th, or
  /// in the last.
  std::vector<Environment> rooms;
  std::vector<Member> members;
  std::vector<std::vector<Step>> instants;  ///< per instant: one step of each member
  bool meet = false;                        ///< the members meet each other
  double margin = 0.0;                      ///< metres
  /// The device is made to fail on its way: the CPU must take over. Only CUDA can be asked for
  /// that.
  bool fails = false;

  [[nodiscard]] std::size_t steps() const { return instants.size() * members.size(); }
  [[nodiscard]] const Environment& room(std::size_t instant) const {
    return rooms[instant < rooms.size() ? instant : rooms.size() - 1];
  }
};

/// A way to get an answer that must be that of all others.
struct Way {
  std::string name;  ///< "gl, query"
  DetectorOptions options;
  int threads = 0;        ///< of RunOptions
  std::int64_t simd = 0;  ///< a target of cpu/kernels/only_simd_target.h; 0: the best
};

/// The reports of every instant, one instant after the other. Many members, each alone, are asked
/// in pieces: where `stop` ends it on the way, reports that are not there have the error
/// kCancelled. `fallback`, if not null, gets why the CPU answered in place of the device; empty: it
/// did not. Errors: those of Detector::make and of the steps; kCancelled: `stop`, before the first
/// report.
Result<std::vector<StepReport>> ask(const Case& question, const Way& way,
                                    const std::stop_token& stop, std::string* fallback = nullptr);

/// True if both say the same, bit for bit: contacts, until when nothing is touched.
bool same(const StepReport& a, const StepReport& b);

}  // namespace tocsin::selftest
