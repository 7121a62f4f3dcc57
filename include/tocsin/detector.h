// The detector: when, where and with what does a link of an avatar first touch the environment?
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tocsin/depth.h"
#include "tocsin/detector_options.h"
#include "tocsin/environment.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/step_budget.h"
#include "tocsin/step_report.h"

namespace tocsin {

/// How several steps are checked.
struct RunOptions {
  /// True: every link of each avatar is checked against every link of every other avatar, both
  /// moving, at the same local times. False: each avatar is alone in the room.
  bool meet = false;
  int threads = 0;            ///< 0: all; 1: the calling thread alone
  std::stop_token stop = {};  ///< tested between steps, avatars, or rounds of a device
  /// check_batch and Crowd on the CPU: what may be done for each avatar, and for every two whose
  /// boxes meet. Reports may then be parts (StepReport::complete). With `meet` all have one
  /// checked_until, so that none lacks a contact that another tells of. Clearances between avatars
  /// are not counted, and `budget.stop` is not used. A device heeds no budget.
  std::optional<StepBudget> budget = std::nullopt;
};

/// The report of an object of a scene that moves or deforms (Scene::move, deform). Its contacts
/// name other objects as RoomTriangle; their link is 0, and link_feature is the object's own
/// triangle.
struct ObjectReport {
  std::uint32_t object = 0;  ///< index in environment().objects()
  StepReport report;         ///< of the one step that it moves in
};

namespace detail {
class DetectorCore;
}

/// Checks steps of avatars in one room. Immutable and safe to share between threads. Copies share
/// the tree. A detector that was moved from can only be assigned to or destroyed.
class Detector {
 public:
  /// Builds the tree and opens the backend. kAuto is the CPU, or, for so many steps at once that it
  /// is faster, a GPU: where there is one, both are measured in this room, in less than 0.2 s
  /// beside opening it, and DetectorOptions::tree_cache keeps the outcome (backend_reason()). If an
  /// OpenGL device is named (GlOptions::device, TOCSIN_GL_DEVICE), kAuto is that one, and the CPU
  /// with a warning where it does not work. Without Experiments::certify it is OpenGL. Errors:
  /// kUsage: options out of range; kUnavailable: a backend that does not work here; kResource:
  /// memory, a device.
  static Result<Detector> make(Environment environment, const DetectorOptions& options = {});

  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] const DetectorOptions& options() const { return options_; }
  /// What was tolerated while the tree was built: a cache that could not be used, and why.
  [[nodiscard]] std::span<const std::string> warnings() const;
  /// Why a device did not answer; empty if all always did. It failed, or CUDA had no memory for the
  /// room or for single steps. With kAuto and kCuda another device (CudaOptions::devices) or the
  /// CPU then finds the same contacts; for CUDA the text says which. With kGl every check has this
  /// error. May be called at any time.
  [[nodiscard]] std::string fallback() const;
  /// The backend that this detector was built with, "cpu", "gl" or "cuda", and the device it runs
  /// on.
  [[nodiscard]] std::string backend_name() const;
  [[nodiscard]] std::string device_name() const;
  /// Why kAuto took this backend, for a person; empty if it was named, or a device was.
  [[nodiscard]] std::string backend_reason() const;

  /// This detector for a new version of its environment (Environment::with_vertices), with its tree
  /// fitted to the moved vertices instead of built anew; no cache is read or written. This one and
  /// its streams go on with the old version. Errors: kUsage: objects (names, counts) or triangles
  /// that are others; a detector of a scene; kResource: memory, a device.
  [[nodiscard]] Result<Detector> with_environment(Environment environment) const;

  /// This detector's room with other options: contacts, margin, tolerance, clearance and surfaces
  /// are those of `options`, everything else stays; the tree is shared. Errors: kUsage: options out
  /// of range; of a scene, other surfaces; kResource: memory, a device.
  [[nodiscard]] Result<Detector> with_options(const DetectorOptions& options) const;

  /// This detector's room with all of `options`, on the backend that they name; the tree is shared,
  /// no cache is read or written. To check one room in several ways. Errors: as make(); kUsage: a
  /// detector of a scene.
  [[nodiscard]] Result<Detector> with_backend(const DetectorOptions& options) const;

  /// Checks one step. The report's error: an avatar without links, or one of another skeleton
  /// (joint count); kUsage: pairs made for another avatar or environment; kResource: memory, a
  /// device that was lost. Of a scene: objects that move do so at the step's local times.
  [[nodiscard]] StepReport check(const Member& member, const Step& step) const;

  /// Checks one step for as long as the budget lasts (Stream::check_within, which can also
  /// continue).
  [[nodiscard]] StepReport check_within(const Member& member, const Step& step,
                                        const StepBudget& budget) const;

  /// How deep link `link` is in object `object` of environment() at local time `time`, 0 to 1, of a
  /// step; the link's radius includes options().margin. Errors: kInput: as check(); kUsage: a link,
  /// object or time that there is not, an object without triangles, or, of a scene, one that is not
  /// there or moves.
  [[nodiscard]] Result<Depth> depth(const Avatar& avatar, const Step& step, double time,
                                    std::int32_t link, std::uint32_t object) const;

  /// All active pairs of a link and an object of environment() that are within `within` metres of
  /// each other at local time `time`, 0 to 1, of a step: the nearest first, equal distances in
  /// order of (link, object). So the first that names an object tells how far the whole avatar is
  /// from it. A link inside a solid object is within every distance. Radii include
  /// options().margin. A still step (StepRange::still) asks about one pose. Of a scene, objects
  /// that move or deform are where they are at that time; those that are not there, or switched
  /// off, do not count. The answer depends neither on the tree nor on the backend: the CPU gives
  /// it. Each nearest triangle is the one of the least (distance, index); where a shape meets the
  /// surface, the first that it meets (of an object that moves, one of them, always the same).
  /// Errors: kInput: as check(); kUsage: as check(); a time outside 0 to 1; `within` outside 0 to
  /// 1e6; kResource: memory; kCancelled: `stop`.
  [[nodiscard]] Result<std::vector<LinkDistance>> nearest(const Member& member, const Step& step,
                                                          double time, double within,
                                                          const std::stop_token& stop = {}) const;

  /// Checks one step of each of several avatars, all at the same time. Report i is that of
  /// members[i] along steps[i], with avatar = i. Contacts with the room and of its own links are
  /// those of check(). With `meet`, contacts between avatars are added (docs/exact.md, "Two
  /// links"). The avatar with the lower index reports them. They count in safe_until and clearances
  /// of both. An avatar whose report has an error takes no part in this. To check the same members
  /// repeatedly, use Crowd. Errors, in every report: kUsage: the numbers of steps and members
  /// differ; kCancelled: `stop`.
  [[nodiscard]] std::vector<StepReport> check_batch(std::span<const Member> members,
                                                    std::span<const Step> steps,
                                                    const RunOptions& options = {}) const;

  /// Of a scene (Scene::snapshot): checks all objects that move or deform against each other and
  /// against all that stand, in order of index. Of two that move, or two that deform, the one with
  /// the lower index reports the contact; of one that moves and one that deforms, the former.
  /// safe_until and clearances of the other do not count it. So a pair is told once, also where one
  /// is inside the other. Objects that stand are asked nothing, however they touch each other: one
  /// in motion that holds another says so. Contacts with avatars are in the avatars' reports.
  /// Errors, in every report: as check(); kCancelled: `options.stop`.
  [[nodiscard]] std::vector<ObjectReport> check_objects(const RunOptions& options = {}) const;

  /// Checks many steps of one avatar in parallel and hands the reports to `sink` in order, from the
  /// calling thread. The sink returns false to stop. Errors: kCancelled; the first step's error.
  Status run(const Member& member, std::span<const Step> steps, const RunOptions& options,
             const std::function<bool(const StepReport&)>& sink) const;

  /// The same for several avatars on one time line (on_one_time_line): steps[i] are those of
  /// members[i], in order of index(), none twice; avatars whose steps have one index are checked
  /// together as check_batch does. Reports come in order of (step, avatar). Errors, besides:
  /// kUsage: not as many lists of steps as members.
  Status run(std::span<const Member> members, std::span<const StepList> steps,
             const RunOptions& options, const std::function<bool(const StepReport&)>& sink) const;

 private:
  friend class Crowd;
  friend class Scene;
  friend class Stream;
  Detector(Environment environment, const DetectorOptions& options,
           std::shared_ptr<const detail::DetectorCore> core);

  Environment environment_;
  DetectorOptions options_;
  std::shared_ptr<const detail::DetectorCore> core_;
};

}  // namespace tocsin
