// What a Detector keeps between calls: the culler, and the exact step that it feeds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cpu/tree_culler.h"
#include "detect/coherence.h"
#include "detect/pair_contact.h"
#include "detect/triage.h"
#include "scene/step_motion.h"
#include "tocsin/detector.h"

namespace tocsin::detail {

/// The report of a step that was not checked, or not yet.
StepReport report_of(const Step& step, std::optional<Error> error);

/// Memory that one thread uses again from step to step.
struct Workspace {
  scene::StepMotion motion;
  scene::Candidates candidates;
  scene::Candidates marching;  ///< those of the candidates that are looked at further, together
  detect::Triage triage;
};

/// Immutable after construction and safe to share between threads, each with its own Workspace.
class DetectorCore {
 public:
  /// Throws std::bad_alloc only.
  DetectorCore(Environment environment, const DetectorOptions& options,
               std::unique_ptr<const cpu::TreeCuller> tree, std::vector<std::string> warnings);

  /// Checks one step (Detector::check). `coherence`: what a stream remembers, or null; the report
  /// is the same.
  [[nodiscard]] StepReport check(const Avatar& avatar, const Step& step, const ActivePairs& active,
                                 Workspace& work, detect::Coherence* coherence) const;

  /// The same for moved vertices; null if the environment has other triangles.
  [[nodiscard]] std::shared_ptr<const DetectorCore> moved(const Environment& environment) const;

  [[nodiscard]] const scene::Culler& culler() const { return *tree_; }
  [[nodiscard]] const cpu::TreeCuller& tree() const { return *tree_; }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] std::span<const std::string> warnings() const { return warnings_; }

 private:
  void check_links(const ActivePairs& active, Workspace& work, detect::Coherence* coherence,
                   StepReport& report) const;
  void check_link(std::int32_t link, const ActivePairs& active, Workspace& work, StepReport& report,
                  double& first_hi) const;
  /// Culls and looks once at what is left: fills work.triage. False if nothing is.
  bool triage(std::int32_t link, const ActivePairs& active, Workspace& work,
              const core::AxisState& at0, StepCounters& counters) const;
  /// Precondition: problem_with() found none.
  StepReport check_sound(const Avatar& avatar, const Step& step, const ActivePairs& active,
                         Workspace& work, detect::Coherence* coherence) const;
  detect::PairContact check_pair(const scene::SweptLink& swept, const core::AxisState& at0,
                                 const detect::Triage::Group& group, double stop_after,
                                 Workspace& work, StepCounters& counters) const;
  /// cpu::march for up to scene::kBlockSize suspects. Bit i of the answer: the i-th is settled.
  std::uint32_t march(const core::LinkMotion& motion, const core::AxisState& at0,
                      std::span<const detect::Suspect> suspects, double stop_after, Workspace& work,
                      StepCounters& counters) const;
  Contact contact_of(std::int32_t link, std::uint32_t object, const core::LinkMotion& motion,
                     const core::AxisState& at0, const detect::PairContact& pair) const;
  core::Triangle triangle_of(std::uint32_t triangle, const Vec3& ref) const;
  void add_clearances(const ActivePairs& active, Workspace& work, StepReport& report) const;
  /// The contact's pair, without pruning by other pairs.
  Contact ask_again(const Contact& contact, const ActivePairs& active, Workspace& work,
                    StepReport& report) const;
  void keep_first(const ActivePairs& active, Workspace& work, StepReport& report) const;

  Environment environment_;
  DetectorOptions options_;
  std::unique_ptr<const cpu::TreeCuller> tree_;
  double farthest_ = 0.0;  ///< greatest |coordinate| of the environment, metres
  std::vector<std::string> warnings_;
};

}  // namespace tocsin::detail
