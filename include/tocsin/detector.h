// The detector: when, where and with what does a link of an avatar first touch the environment?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tocsin/active_pairs.h"
#include "tocsin/avatar.h"
#include "tocsin/contact.h"
#include "tocsin/detector_options.h"
#include "tocsin/environment.h"
#include "tocsin/link_pairs.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/step_report.h"

namespace tocsin {

/// How a whole motion is run.
struct RunOptions {
  int threads = 0;  ///< 0: all
  ActivePairs active;
  std::stop_token stop;  ///< looked at between steps, or between rounds of a device
  LinkPairs self = {};   ///< pairs of the avatar's own links
};

/// How several avatars are checked together.
struct BatchOptions {
  /// True: every link of one avatar is checked against every link of every other, both moving at
  /// once: local times of all steps are the same time. False: each is alone in the room.
  bool meet = false;
  int threads = 0;            ///< 0: all; 1: the calling thread alone
  std::stop_token stop = {};  ///< looked at between avatars
};

namespace detail {
class DetectorCore;
}

/// Immutable after construction and safe to share between threads.
class Detector {
 public:
  /// Builds the trees. A problem (an environment that failed to load, a backend that is not
  /// available, options out of range) is kept in error(), and every check then returns it. kAuto is
  /// the CPU, the fastest everywhere so far (CUDA has not been measured on a GPU yet), unless a
  /// device is named (GlOptions::device, TOCSIN_GL_DEVICE): then that, and the CPU with a warning
  /// where it does not work. Without certify it is OpenGL.
  explicit Detector(Environment environment, const DetectorOptions& options = {});
  explicit Detector(const Result<Environment>& environment, const DetectorOptions& options = {});

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] const DetectorOptions& options() const { return options_; }
  /// What was tolerated while the trees were built: a cache that could not be used, and why.
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
  /// its streams go on with the old version. Objects (names, counts) or triangles that are others:
  /// the result's error() is kUsage; a failed environment: its error.
  [[nodiscard]] Detector moved(Environment environment) const;
  [[nodiscard]] Detector moved(const Result<Environment>& environment) const;

  /// This detector's room asked otherwise: contacts, margin, tolerance and clearance are those of
  /// `options`, everything else stays; the tree is shared. Errors, in the result's error(): this
  /// one's; kUsage: options out of range; a device's.
  [[nodiscard]] Detector asked(const DetectorOptions& options) const;

  /// Checks one step. Errors: an avatar without links, or one of another skeleton (joint count);
  /// kUsage: `active` made for another avatar or environment; kResource: memory, a device
  /// that was lost.
  [[nodiscard]] StepReport check(const Avatar& avatar, const Step& step,
                                 const ActivePairs& active = {}, const LinkPairs& self = {}) const;

  /// Checks one step of each of several avatars, all at the same time: report i is that of
  /// members[i] along steps[i], with avatar = i. Contacts with the room and with itself are those
  /// that check() gives it alone. With `meet`, contacts between avatars come on top (docs/exact.md,
  /// "Two links"), told by the one with the lower index; safe_until and clearances of both know of
  /// them. The same members again and again: see Crowd. An avatar whose report has an error meets
  /// nobody; the others do. Errors, in every report: kUsage: not as many steps as members;
  /// kCancelled: `stop`.
  [[nodiscard]] std::vector<StepReport> check_batch(std::span<const Member> members,
                                                    std::span<const Step> steps,
                                                    const BatchOptions& options = {}) const;

  /// Checks many steps in parallel and hands the reports to `sink` in order, from the calling
  /// thread. The sink returns false to stop. Errors: kCancelled; the first step's error.
  Status run(const Avatar& avatar, std::span<const Step> steps, const RunOptions& run,
             const std::function<bool(const StepReport&)>& sink) const;

  /// The same for several avatars on one time line (on_one_time_line): steps[i] are those of
  /// members[i], in order of index(), none twice; avatars whose steps have one index are checked
  /// together as check_batch does. Reports come in order of (step, avatar). Errors, besides:
  /// kUsage: not as many lists of steps as members.
  Status run(std::span<const Member> members, std::span<const StepList> steps,
             const BatchOptions& options, const std::function<bool(const StepReport&)>& sink) const;

 private:
  friend class Crowd;
  friend class Stream;
  Detector() = default;
  void build();

  Environment environment_;
  DetectorOptions options_;
  std::optional<Error> error_;
  std::shared_ptr<const detail::DetectorCore> core_;
};

}  // namespace tocsin
