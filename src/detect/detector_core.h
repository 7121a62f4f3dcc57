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
#include "detect/batch_size.h"
#include "detect/coherence.h"
#include "detect/cuda_stage.h"
#include "detect/gl_stage.h"
#include "detect/kept_clusters.h"
#include "detect/link_contact.h"
#include "detect/moving_links.h"
#include "detect/pair_contact.h"
#include "detect/triage.h"
#include "tocsin/detector.h"

namespace tocsin::detail {

/// The report of a step that was not checked, or not yet.
StepReport report_of(const Step& step, std::optional<Error> error);

/// Contacts::kFirst: keeps the one before which the step is proved free, if there is any.
void keep_least(std::vector<Contact>& contacts);

/// kUsage: pairs of links were asked about without certify.
Error pairs_need_certify();

/// Which pairs of a step are looked at.
struct Asked {
  const ActivePairs& active;
  const LinkPairs& self;
};
/// All pairs with the room, none of the avatar's own.
const Asked& all_of_the_room();

/// One of many steps that are asked about at once. What is pointed to must outlive the answer.
struct Question {
  const Avatar* avatar = nullptr;
  const Step* step = nullptr;
  Asked asked;
  std::size_t instant = 0;  ///< questions of one follow each other, in order of it and of `member`
  std::int32_t member = 0;  ///< how reports call the avatar
};

/// How many steps are asked about at once.
struct QuestionOptions {
  bool meet = false;      ///< avatars of one instant meet
  bool parallel = false;  ///< on all threads of the current arena
  std::stop_token stop = {};
};

/// Memory that one thread uses again from step to step.
struct Scratch {
  scene::Candidates candidates;
  scene::Candidates marching;  ///< those of the candidates that are looked at further, together
  detect::Triage triage;
  std::vector<detect::NearLinks> near;
};

/// What a step is checked in.
struct Workspace {
  detect::MovingLinks& links;
  Scratch& scratch;
};
struct OwnWorkspace {
  detect::MovingLinks links;
  Scratch scratch;
};

/// What is known about a step before it is looked at; nothing of it shows in the report but the
/// counters.
struct Known {
  detect::Coherence* coherence = nullptr;      ///< what a stream remembers
  const detect::KeptClusters* kept = nullptr;  ///< what a device has left of the room
  const std::stop_token* stop = nullptr;       ///< gives the step up between two links
  const core::Box* others = nullptr;  ///< holds the refs of all avatars that are checked together

  /// Throws Stopped if the step is to be given up.
  void go_on() const {
    if (stop != nullptr && stop->stop_requested()) throw Stopped();
  }
  struct Stopped {};
};

/// Immutable after construction and safe to share between threads, each with its own Workspace.
class DetectorCore {
 public:
  /// `gl`: the device that culls, `cuda`: the one that checks, or both null: the tree does. Throws
  /// std::bad_alloc only.
  DetectorCore(Environment environment, const DetectorOptions& options,
               std::shared_ptr<const cpu::TreeCuller> tree,
               std::shared_ptr<const detect::GlStage> gl, std::vector<std::string> warnings,
               std::shared_ptr<const detect::CudaStage> cuda = nullptr);

  /// Checks one step by the tree, or by what is known of it (Detector::check).
  [[nodiscard]] StepReport check(const Avatar& avatar, const Step& step, const Asked& asked,
                                 const Workspace& work, const Known& known) const;

  /// Checks one step with all that there is (Detector::check).
  [[nodiscard]] StepReport check_one(const Avatar& avatar, const Step& step,
                                     const Asked& asked) const;
  /// Checks steps with all that there is: threads of the current arena, and the device. reports[i]
  /// is that of steps[i]; some are left as they are if `stop` asks for it.
  void check_all(const Avatar& avatar, std::span<const Step> steps, const Asked& asked,
                 const std::stop_token& stop, std::span<StepReport> reports) const;

  /// Asks the CUDA device about all at once: reports[i] is that of questions[i], but for clearances
  /// between avatars that meet. Returns per instant, numbered from 0, whether the CPU has to be
  /// asked about it instead: the device has failed, or is too small for it. Some reports are left
  /// as they are once `stop` asks for it. Precondition: cuda().
  [[nodiscard]] std::vector<std::uint8_t> check_on_cuda(std::span<const Question> questions,
                                                        std::size_t instants,
                                                        const QuestionOptions& how,
                                                        std::span<StepReport> reports) const;

  /// The same for moved vertices; null if the environment has other triangles. Errors: the
  /// device's.
  [[nodiscard]] Result<std::shared_ptr<const DetectorCore>> moved(
      const Environment& environment) const;

  /// The same room with other options. Errors: the device's.
  [[nodiscard]] Result<std::shared_ptr<const DetectorCore>> asked(
      const DetectorOptions& options) const;

  /// True if a device is asked, or was and must not be replaced by the CPU.
  [[nodiscard]] bool uses_device() const;
  /// What the first batch is sized for.
  [[nodiscard]] detect::Checker checker() const;
  /// True if the device that is asked finds contacts by itself, for many steps at once.
  [[nodiscard]] bool uses_cuda() const { return cuda_ && uses_device(); }
  /// Why the CPU answers in place of the device, or empty.
  [[nodiscard]] std::string fallback() const;
  [[nodiscard]] const detect::GlStage* gl() const { return gl_.get(); }
  [[nodiscard]] const detect::CudaStage* cuda() const { return cuda_.get(); }
  [[nodiscard]] const cpu::TreeCuller& tree() const { return *tree_; }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] const DetectorOptions& options() const { return options_; }
  [[nodiscard]] std::span<const std::string> warnings() const { return warnings_; }

 private:
  /// Contacts with the room.
  void check_links(const ActivePairs& active, const Workspace& work, const Known& known,
                   StepReport& report, double& first_hi) const;
  /// Contacts of the avatar's own links, put in their places.
  void check_self(const LinkPairs& self, const Workspace& work, const Known& known,
                  StepReport& report, double& first_hi) const;
  void check_link(std::int32_t link, const ActivePairs& active, const Workspace& work,
                  const Known& known, StepReport& report, double& first_hi) const;
  /// Fills work.candidates.
  void cull(std::int32_t link, const scene::SweptLink& swept, const Workspace& work,
            const Known& known, StepCounters& counters) const;
  /// Looks once at the candidates: fills work.triage. False if nothing is left.
  bool triage(std::int32_t link, const ActivePairs& active, const Workspace& work,
              const core::AxisState& at0, StepCounters& counters) const;
  /// Precondition: problem_with() found none.
  StepReport check_sound(const Avatar& avatar, const Step& step, const Asked& asked,
                         const Workspace& work, const Known& known) const;
  detect::PairContact check_pair(const scene::SweptLink& swept, const core::AxisState& at0,
                                 const detect::Triage::Group& group, double stop_after,
                                 const Workspace& work, StepCounters& counters) const;
  /// cpu::march for up to scene::kBlockSize suspects. Bit i of the answer: the i-th is settled.
  std::uint32_t march(const core::LinkMotion& motion, const core::AxisState& at0,
                      std::span<const detect::Suspect> suspects, double stop_after,
                      const Workspace& work, StepCounters& counters) const;
  void add_self_clearances(const LinkPairs& self, const Workspace& work, const Known& known,
                           StepReport& report) const;
  void add_clearances(const Asked& asked, const Workspace& work, const Known& known,
                      StepReport& report) const;
  /// The same where contacts have made their zeros already.
  void lower_clearances(const Asked& asked, const Workspace& work, const Known& known,
                        StepReport& report) const;
  void add_room_clearances(const Question& question, StepReport& report) const;
  /// The contact's pair, without pruning by other pairs. Precondition: its link is the one that was
  /// looked at last; `at0`: evaluate(link, 0).
  Contact ask_again(const Contact& contact, const core::AxisState& at0, const Workspace& work,
                    StepCounters& counters) const;
  void keep_first(const ActivePairs& active, const Workspace& work, const Known& known,
                  StepReport& report) const;
  /// True if the CPU may answer in place of a device: it finds the same contacts, and nobody has
  /// asked for OpenGL by name.
  [[nodiscard]] bool may_fall_back() const;
  void check_on_cpu(const Avatar& avatar, std::span<const Step> steps, const Asked& asked,
                    const std::stop_token& stop, std::span<const detect::KeptClusters> kept,
                    std::span<StepReport> reports) const;
  void check_all_on_cuda(const Avatar& avatar, std::span<const Step> steps, const Asked& asked,
                         const std::stop_token& stop, std::span<StepReport> reports) const;
  Status check_on_device(const Avatar& avatar, std::span<const Step> steps, const Asked& asked,
                         const std::stop_token& stop, std::span<StepReport> reports) const;

  Environment environment_;
  DetectorOptions options_;
  std::shared_ptr<const cpu::TreeCuller> tree_;
  std::shared_ptr<const detect::GlStage> gl_;
  std::shared_ptr<const detect::CudaStage> cuda_;
  double farthest_ = 0.0;  ///< greatest |coordinate| of the environment, metres
  std::vector<std::string> warnings_;
};

}  // namespace tocsin::detail
