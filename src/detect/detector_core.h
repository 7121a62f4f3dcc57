// What a Detector keeps between calls: the culler, and the exact step that it feeds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "cpu/tree_culler.h"
#include "detect/coherence.h"
#include "detect/gl_stage.h"
#include "detect/kept_clusters.h"
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

/// What is known about a step before it is looked at; nothing of it shows in the report but the
/// counters.
struct Known {
  detect::Coherence* coherence = nullptr;      ///< what a stream remembers
  const detect::KeptClusters* kept = nullptr;  ///< what a device has left of the room
};

/// Immutable after construction and safe to share between threads, each with its own Workspace.
class DetectorCore {
 public:
  /// `gl`: the device that culls, or null: the tree does. Throws std::bad_alloc only.
  DetectorCore(Environment environment, const DetectorOptions& options,
               std::shared_ptr<const cpu::TreeCuller> tree,
               std::shared_ptr<const detect::GlStage> gl, std::vector<std::string> warnings);

  /// Checks one step by the tree, or by what is known of it (Detector::check).
  [[nodiscard]] StepReport check(const Avatar& avatar, const Step& step, const ActivePairs& active,
                                 Workspace& work, const Known& known) const;

  /// Checks one step with all that there is (Detector::check).
  [[nodiscard]] StepReport check_one(const Avatar& avatar, const Step& step,
                                     const ActivePairs& active) const;
  /// Checks steps with all that there is: threads of the current arena, and the device. reports[i]
  /// is that of steps[i]; some are left as they are if `stop` asks for it.
  void check_all(const Avatar& avatar, std::span<const Step> steps, const ActivePairs& active,
                 const std::stop_token& stop, std::span<StepReport> reports) const;

  /// The same for moved vertices; null if the environment has other triangles. Errors: the
  /// device's.
  [[nodiscard]] Result<std::shared_ptr<const DetectorCore>> moved(
      const Environment& environment) const;

  /// True if a device is asked, or was and must not be replaced by the CPU.
  [[nodiscard]] bool uses_device() const;
  /// Why the device was given up, or empty.
  [[nodiscard]] std::string fallback() const;
  [[nodiscard]] const detect::GlStage* gl() const { return gl_.get(); }
  [[nodiscard]] const cpu::TreeCuller& tree() const { return *tree_; }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] std::span<const std::string> warnings() const { return warnings_; }

 private:
  void check_links(const ActivePairs& active, Workspace& work, const Known& known,
                   StepReport& report) const;
  void check_link(std::int32_t link, const ActivePairs& active, Workspace& work, const Known& known,
                  StepReport& report, double& first_hi) const;
  /// Fills work.candidates.
  void cull(std::int32_t link, const scene::SweptLink& swept, Workspace& work, const Known& known,
            StepCounters& counters) const;
  /// Looks once at the candidates: fills work.triage. False if nothing is left.
  bool triage(std::int32_t link, const ActivePairs& active, Workspace& work,
              const core::AxisState& at0, StepCounters& counters) const;
  /// Precondition: problem_with() found none.
  StepReport check_sound(const Avatar& avatar, const Step& step, const ActivePairs& active,
                         Workspace& work, const Known& known) const;
  detect::PairContact check_pair(const scene::SweptLink& swept, const core::AxisState& at0,
                                 const detect::Triage::Group& group, double stop_after,
                                 Workspace& work, StepCounters& counters) const;
  /// cpu::march for up to scene::kBlockSize suspects. Bit i of the answer: the i-th is settled.
  std::uint32_t march(const core::LinkMotion& motion, const core::AxisState& at0,
                      std::span<const detect::Suspect> suspects, double stop_after, Workspace& work,
                      StepCounters& counters) const;
  void add_clearances(const ActivePairs& active, Workspace& work, StepReport& report) const;
  /// The contact's pair, without pruning by other pairs.
  Contact ask_again(const Contact& contact, const ActivePairs& active, Workspace& work,
                    const Known& known, StepReport& report) const;
  void keep_first(const ActivePairs& active, Workspace& work, const Known& known,
                  StepReport& report) const;
  /// True if the CPU may answer in place of a device: it finds the same contacts, and nobody has
  /// asked for the device by name.
  [[nodiscard]] bool may_fall_back() const;
  void check_on_cpu(const Avatar& avatar, std::span<const Step> steps, const ActivePairs& active,
                    const std::stop_token& stop, std::span<const detect::KeptClusters> kept,
                    std::span<StepReport> reports) const;
  Status check_on_device(const Avatar& avatar, std::span<const Step> steps,
                         const ActivePairs& active, const std::stop_token& stop,
                         std::span<StepReport> reports) const;

  Environment environment_;
  DetectorOptions options_;
  std::shared_ptr<const cpu::TreeCuller> tree_;
  std::shared_ptr<const detect::GlStage> gl_;
  double farthest_ = 0.0;  ///< greatest |coordinate| of the environment, metres
  std::vector<std::string> warnings_;
};

}  // namespace tocsin::detail
