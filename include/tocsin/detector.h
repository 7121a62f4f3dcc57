// The detector: when, where and with what does a link of an avatar first touch the environment?
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tocsin/detector_options.h"
#include "tocsin/environment.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/step_report.h"

namespace tocsin {

/// How several steps are checked.
struct RunOptions {
  /// True: every link of one avatar is checked against every link of every other, both moving at
  /// once: local times of all steps are the same time. False: each is alone in the room.
  bool meet = false;
  int threads = 0;            ///< 0: all; 1: the calling thread alone
  std::stop_token stop = {};  ///< tested between steps, avatars, or rounds of a device
};

namespace detail {
class DetectorCore;
}

/// A room that is asked about steps. Immutable and safe to share between threads; copies share the
/// tree. One that was moved from can only be assigned to or destroyed.
class Detector {
 public:
  /// Builds the tree and opens the backend. kAuto is the CPU, the fastest everywhere so far (CUDA
  /// has not been measured on a GPU yet), unless a device is named (GlOptions::device,
  /// TOCSIN_GL_DEVICE): then that, and the CPU with a warning where it does not work. Without
  /// Experiments::certify it is OpenGL. Errors: kUsage: options out of range; kUnavailable: a
  /// backend that does not work here; kResource: memory, a device.
  static Result<Detector> make(Environment environment, const DetectorOptions& options = {});

  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] const DetectorOptions& options() const { return options_; }
  /// What was tolerated while the tree was built: a cache that could not be used, and why.
  [[nodiscard]] std::span<const std::string> warnings() const;
  /// Why the device was given up while this detector checked; empty while it was not. With kAuto
  /// and kCuda the CPU goes on, with the same contacts; with kGl every check is this error. Also
  /// said of a CUDA device that gave up the room before the first check, or single steps, which it
  /// has no memory for. Safe to ask at any time.
  [[nodiscard]] std::string fallback() const;
  /// The backend that this detector was built with, "cpu", "gl" or "cuda", and the device it runs
  /// on.
  [[nodiscard]] std::string backend_name() const;
  [[nodiscard]] std::string device_name() const;

  /// This detector for a new version of its environment (Environment::with_vertices), with its tree
  /// fitted to the moved vertices instead of built anew; no cache is read or written. This one and
  /// its streams go on with the old version. Errors: kUsage: objects (names, counts) or triangles
  /// that are others; kResource: memory, a device.
  [[nodiscard]] Result<Detector> with_environment(Environment environment) const;

  /// This detector's room with other options: contacts, margin, tolerance and clearance are those
  /// of `options`, everything else stays; the tree is shared. Errors: kUsage: options out of range;
  /// kResource: memory, a device.
  [[nodiscard]] Result<Detector> with_options(const DetectorOptions& options) const;

  /// Checks one step. The report's error: an avatar without links, or one of another skeleton
  /// (joint count); kUsage: pairs made for another avatar or environment; kResource: memory, a
  /// device that was lost.
  [[nodiscard]] StepReport check(const Member& member, const Step& step) const;

  /// Checks one step of each of several avatars, all at the same time: report i is that of
  /// members[i] along steps[i], with avatar = i. Contacts with the room and with itself are those
  /// that check() gives it alone. With `meet`, contacts between avatars come on top (docs/exact.md,
  /// "Two links"), told by the one with the lower index; safe_until and clearances of both know of
  /// them. The same members again and again: see Crowd. An avatar whose report has an error meets
  /// nobody; the others do. Errors, in every report: kUsage: not as many steps as members;
  /// kCancelled: `stop`.
  [[nodiscard]] std::vector<StepReport> check_batch(std::span<const Member> members,
                                                    std::span<const Step> steps,
                                                    const RunOptions& options = {}) const;

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
  friend class Stream;
  Detector(Environment environment, const DetectorOptions& options,
           std::shared_ptr<const detail::DetectorCore> core);

  Environment environment_;
  DetectorOptions options_;
  std::shared_ptr<const detail::DetectorCore> core_;
};

}  // namespace tocsin
