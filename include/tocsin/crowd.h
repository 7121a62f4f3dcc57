// A crowd: avatars that are checked together at successive instants. It reuses what earlier
// instants proved.
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

/// Checks the same avatars at successive instants and reuses what earlier instants proved. Reports
/// are identical to Detector::check_batch. It keeps the empty space around every avatar (Stream)
/// and the order of their boxes (sweep and prune with coherence, paper 000, section 4.2), and
/// allocates next to nothing. Used by one thread at a time, some 40 kB an avatar. Crowds of one
/// detector are independent.
class Crowd {
 public:
  /// Shares the detector's tree and environment and may outlive it; after
  /// Detector::with_environment a new crowd is needed for the new room. A crowd that was moved from
  /// can only be assigned to or destroyed.
  Crowd(const Detector& detector, std::vector<Member> members);
  Crowd(Crowd&&) noexcept;
  Crowd& operator=(Crowd&&) noexcept;
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd();

  [[nodiscard]] std::span<const Member> members() const;

  /// One step of every member: the reports that Detector::check_batch gives, error reports
  /// included. After an error, or `stop`, the crowd can check any steps, these too.
  [[nodiscard]] std::vector<StepReport> check(std::span<const Step> steps,
                                              const RunOptions& options = {});

 private:
  std::unique_ptr<detail::CrowdState> state_;
};

}  // namespace tocsin
