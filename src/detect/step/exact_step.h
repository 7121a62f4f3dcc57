// One step of one avatar, proved: cull, triage, certify.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "cpu/tree/tree_culler.h"
#include "detect/crowd/link_contact.h"
#include "detect/scene/scene_view.h"
#include "detect/shapes/shape_contacts.h"
#include "detect/step/coherence.h"
#include "detect/step/kept_clusters.h"
#include "detect/step/moving_links.h"
#include "detect/step/pair_contact.h"
#include "detect/step/question.h"
#include "detect/step/solid_objects.h"
#include "detect/step/triage.h"
#include "tocsin/depth.h"
#include "tocsin/detector.h"

namespace tocsin::detect {

/// The report of a step that was not checked, or not yet.
StepReport report_of(const Step& step, std::optional<Error> error);

/// That of a step for which memory ran out.
StepReport report_without_memory(const Step& step);

/// Contacts::kFirst: keeps the one before which the step is proved free, if there is any.
void keep_least(std::vector<Contact>& contacts);

/// Names the avatar in a report that was made for it alone.
void set_avatar(StepReport& report, std::int32_t avatar);

/// kUsage: pairs of links were asked about without certify.
Error pairs_need_certify();

/// Memory that one thread uses again from step to step.
struct Scratch {
  scene::Candidates candidates;
  scene::Candidates together;  ///< those of the candidates that are advanced in lanes
  Triage triage;
  std::vector<NearLinks> near;
  ShapeContacts shapes;
  std::vector<std::uint32_t> triangles;  ///< of one object, for shapes
};

/// How far a link's question about one object has come.
struct PairCursor {
  std::size_t next = 0;       ///< index of the suspect that comes next
  std::uint32_t settled = 0;  ///< bit i: of the i-th from the last multiple of kBlockSize on
  PairContact pair;           ///< of the suspects before
  bool searching = false;     ///< of a shape: its search has begun, and can go on
};

/// What a step is checked in.
struct Workspace {
  MovingLinks& links;
  Scratch& scratch;
};
struct OwnWorkspace {
  MovingLinks links;
  Scratch scratch;
};

/// What is known about a step before its check. It changes the report's counters, and nothing else
/// in the report.
struct Known {
  Coherence* coherence = nullptr;         ///< what a stream remembers
  const KeptClusters* kept = nullptr;     ///< what a device has left of the room
  const std::stop_token* stop = nullptr;  ///< gives the step up between two links
  const core::Box* others = nullptr;  ///< holds the refs of all avatars that are checked together
  Meter* meter = nullptr;             ///< what may be spent on it; null: no limit
  Asker asker = {};                   ///< who asks, if it is an object of a scene

  /// Throws Stopped if the step is to be given up.
  void go_on() const { detect::go_on(stop); }
};

/// A room with its tree, and how it is asked. Immutable and safe to share between threads, each
/// with its own Workspace.
class ExactStep {
  friend class PartsRun;  // detect/step/parts_run.h

 public:
  /// `tree`: of the environment. `scene`: what else there is in a scene; null: it is a room.
  ExactStep(Environment environment, const DetectorOptions& options,
            std::shared_ptr<const cpu::TreeCuller> tree,
            std::shared_ptr<const SceneView> scene = nullptr);

  /// Checks one step by the tree, or by what is known of it (Detector::check).
  [[nodiscard]] StepReport check(const Member& member, const Step& step, const Workspace& work,
                                 const Known& known) const;
  /// Contacts are in the report already, with their zeros among the clearances, which are infinite
  /// else: lowers those to what the room and the avatar's own links leave.
  void add_room_clearances(const Question& question, StepReport& report) const;
  /// All other contacts with the room are in the report: adds those of links inside solids, with
  /// what they mean for safe_until and clearances.
  void finish_inside(const Question& question, StepReport& report) const;

  /// Detector::depth. Precondition: all that it names exists.
  [[nodiscard]] Depth depth(const Avatar& avatar, const Step& step, double time, std::int32_t link,
                            std::uint32_t object) const;
  /// The box of all refs that a step's own are checked with, made in `room`; null: there are none.
  const core::Box* refs_around(const Known& known, core::Box& room) const;
  [[nodiscard]] const SolidObjects& solid() const { return solid_; }

  [[nodiscard]] const std::shared_ptr<const cpu::TreeCuller>& shared_tree() const { return tree_; }
  [[nodiscard]] const cpu::TreeCuller& tree() const { return *tree_; }
  [[nodiscard]] const std::shared_ptr<const SceneView>& shared_scene() const { return scene_; }
  /// Null: it is a room.
  [[nodiscard]] const SceneView* scene() const { return scene_.get(); }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] const DetectorOptions& options() const { return options_; }

 private:
  /// Contacts with the room. False: nothing of it is near: no triangle's box meets the avatar's.
  bool check_links(const ActivePairs& active, const Workspace& work, const Known& known,
                   StepReport& report, double& first_hi) const;
  /// Contacts of the avatar's own links, put in their places.
  void check_self(const LinkPairs& self, const Workspace& work, const Known& known,
                  StepReport& report, double& first_hi) const;
  void check_link(std::int32_t link, const ActivePairs& active, const Workspace& work,
                  const Known& known, StepReport& report, double& first_hi) const;
  /// Fills work.candidates.
  void cull(std::int32_t link, const scene::SweptLink& swept, const Workspace& work,
            const Known& known, StepCounters& counters) const;
  /// The early-out of all candidates: fills work.triage. False if nothing is left.
  bool triage(std::int32_t link, const ActivePairs& active, const Workspace& work,
              const core::AxisState& at0, StepCounters& counters) const;
  /// Contacts with objects that move, in their places.
  void add_movers(const Member& member, const Workspace& work, const Known& known,
                  StepReport& report) const;
  void lower_mover_clearances(const Member& member, const Workspace& work, const Known& known,
                              StepReport& report) const;
  /// False: no link is inside a solid. `near`: a triangle's box meets `links`, which holds them.
  [[nodiscard]] bool may_be_inside(bool near, const core::Box& links) const;
  /// Precondition: problem_with() found none.
  StepReport check_sound(const Member& member, const Step& step, const Workspace& work,
                         const Known& known) const;
  PairContact check_pair(const scene::SweptLink& swept, const core::AxisState& at0,
                         const Triage::Group& group, double stop_after, const Workspace& work,
                         const Known& known, PairCursor& cursor, StepCounters& counters) const;
  /// The contact of a link with one of the objects that triage() left.
  std::optional<Contact> check_object(std::int32_t link, const core::AxisState& at0,
                                      const Triage::Group& group, double stop_after,
                                      const Workspace& work, const Known& known,
                                      StepCounters& counters) const;
  /// The same from where the cursor is. Throws Spent, and can then be called again with all that it
  /// was given.
  std::optional<Contact> check_object(std::int32_t link, const core::AxisState& at0,
                                      const Triage::Group& group, double stop_after,
                                      const Workspace& work, const Known& known, PairCursor& cursor,
                                      StepCounters& counters) const;
  /// cpu::advance for up to scene::kBlockSize suspects. Bit i of the answer: the i-th is settled.
  std::uint32_t advance(const core::LinkMotion& motion, const core::AxisState& at0,
                        std::span<const Suspect> suspects, double stop_after, const Workspace& work,
                        StepCounters& counters) const;
  /// Lowers a link's clearance to what the room, or the avatar's other links, leave.
  void lower_room_clearance(std::size_t link, const Member& member, const Workspace& work,
                            const Known& known, StepReport& report) const;
  void lower_self_clearance(std::size_t link, const LinkPairs& self, const Workspace& work,
                            const Known& known, StepReport& report) const;
  /// Infinite, and 0 for links in contact.
  static void begin_clearances(std::size_t links, StepReport& report);
  void add_clearances(const Member& member, const Workspace& work, const Known& known,
                      StepReport& report) const;
  /// The same where contacts have made their zeros already.
  void lower_clearances(const Member& member, const Workspace& work, const Known& known,
                        StepReport& report) const;
  /// The contact's pair, without pruning by other pairs. Precondition: its link is the one that was
  /// looked at last; `at0`: evaluate(link, 0).
  Contact ask_again(const Contact& contact, const core::AxisState& at0, const Workspace& work,
                    const Known& known, StepCounters& counters) const;
  /// True if no solid holds the box, which no triangle's box meets.
  [[nodiscard]] bool nothing_around(const core::Box& clear) const;
  /// `motion`: of the link's axis, or of a point of its shape.
  [[nodiscard]] Contact inside_contact(std::int32_t link, std::uint32_t object,
                                       const core::LinkMotion& motion) const;
  /// Contacts of what is at `point` at t = 0. True if any is new. motion_of(): how it moves, which
  /// costs more than to find that nothing holds it.
  template <class MotionOf>
  bool add_inside(std::int32_t link, const Vec3& point, const MotionOf& motion_of,
                  const ActivePairs& active, const Asker& asker, StepReport& report) const;
  /// Contacts of links inside solids; all others with the room are in the report.
  void add_inside(const ActivePairs& active, MovingLinks& links, StepReport& report,
                  const Asker& asker = {}) const;
  void keep_first(const ActivePairs& active, const Workspace& work, const Known& known,
                  StepReport& report) const;

  Environment environment_;
  DetectorOptions options_;
  std::shared_ptr<const cpu::TreeCuller> tree_;
  std::shared_ptr<const SceneView> scene_;
  SolidObjects solid_;
  double farthest_ = 0.0;  ///< greatest |coordinate| of the environment, metres
};

}  // namespace tocsin::detect
