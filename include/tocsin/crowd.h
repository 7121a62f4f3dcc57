// A crowd: avatars who are checked together, instant after instant, and what one instant proves
// spares the next.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin {

namespace detail {
struct CrowdState;
}

/// What a Stream is to Detector::check, this is to Detector::check_batch: every report is the same,
/// whatever came before; only the work differs. It remembers the room around every avatar (Stream)
/// and the order of their boxes (sweep and prune with coherence, paper 000, section 4.2), and
/// allocates next to nothing. Owned by one thread at a time, some 40 kB an avatar; crowds of one
/// detector do not disturb each other.
class Crowd {
 public:
  /// Shares the detector's tree and environment and may outlive it; after Detector::moved a new
  /// crowd is needed for the new room. A detector with an error gives a crowd whose every report is
  /// that error. A crowd that was moved from can only be assigned to or destroyed.
  Crowd(const Detector& detector, std::vector<Member> members);
  Crowd(Crowd&&) noexcept;
  Crowd& operator=(Crowd&&) noexcept;
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd();

  [[nodiscard]] std::span<const Member> members() const;

  /// One step of every member: the reports that Detector::check_batch gives, error reports
  /// included. After an error, or `stop`, the crowd can go on with any steps, these too.
  [[nodiscard]] std::vector<StepReport> check(std::span<const Step> steps,
                                              const BatchOptions& options = {});

 private:
  std::unique_ptr<detail::CrowdState> state_;
};

}  // namespace tocsin
