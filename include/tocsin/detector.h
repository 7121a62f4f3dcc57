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

#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/link_pairs.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"

namespace tocsin {

/// Who culls. Every backend returns the same contacts, bit for bit.
enum class Backend : std::uint8_t { kAuto, kCpu, kGl, kCuda };

/// Which contacts of a step are wanted.
enum class Contacts : std::uint8_t {
  kPairs,  ///< the first contact of every active (link, object) pair
  kFirst,  ///< the earliest contact of the step only
};

/// What is proved about a pair over a step. docs/exact.md, "Outcomes".
enum class ContactStatus : std::uint8_t {
  kOverlap,  ///< touching at t = 0; toc = [0, 0]
  kHit,      ///< free on [0, lo), touching at hi
  kGraze,    ///< free outside [lo, hi]; neither touch nor freedom could be proved inside
};

/// A link of another avatar, or another link of the same.
struct OtherLink {
  std::int32_t avatar = 0;  ///< index into the avatars that are checked together
  std::int32_t link = 0;    ///< index into its links
  friend bool operator==(const OtherLink&, const OtherLink&) = default;
};

/// Where a link and an object, or two links, first touch in a step.
struct Contact {
  std::int32_t link = 0;       ///< index into the avatar's links
  std::uint32_t object = 0;    ///< index into the environment's objects; 0 if `other` is set
  std::uint32_t triangle = 0;  ///< index within the object, from 0; 0 if `other` is set
  ContactStatus status = ContactStatus::kHit;
  std::array<double, 2> toc{};  ///< bracket of the time of collision, step-local, 0 to 1
  /// On the triangle, nearest to the link's axis at toc[0]; world, metres. Of two links: on the
  /// other's surface, where the line between the axes' nearest points at toc[0] leaves it (on both
  /// axes where they meet).
  Vec3 point;
  /// Unit vector from `point` to the link's axis at toc[0]; none where the axis meets the triangle.
  /// Of two links: from the other's axis to this one's; none where they meet.
  std::optional<Vec3> normal;
  bool limited = false;  ///< an iteration limit was reached: kGraze is only what was proved so far
  /// Set: the contact is one of two links, told once, by the link that comes first in order of
  /// (avatar, link).
  std::optional<OtherLink> other = std::nullopt;
  friend bool operator==(const Contact&, const Contact&) = default;
};

/// Work done for a step; no part of its answer: a Stream does less of it than Detector::check. Nv,
/// Np and Nu are the terms of paper 001's cost, section 3.2.
struct StepCounters {
  std::uint64_t near_links = 0;  ///< links whose quick box meets some triangle's box
  /// gl: (slab, cluster) pairs whose boxes overlap, and those that visibility left of them
  std::uint64_t box_pairs = 0;
  std::uint64_t seen_pairs = 0;
  /// Np: (link, triangle) pairs that the culler kept and that are active
  std::uint64_t candidates = 0;
  std::uint64_t evaluations = 0;   ///< looks at a link and a triangle, by certify or in its place
  std::uint64_t tree_queries = 0;  ///< questions asked of the tree
  std::uint64_t volume_tests = 0;  ///< Nv: bounding volumes of the tree tested to cull
  std::uint64_t primitive_tests = 0;  ///< triangles tested in its leaves
  std::uint64_t updates = 0;          ///< Nu: bounding volumes made for links
  std::uint64_t link_pairs = 0;  ///< pairs of links whose swept boxes meet, told by the first link
};

/// The answer for one step.
struct StepReport {
  std::int64_t step = 0;  ///< index of the step's first frame
  std::array<std::int64_t, 2> frames{};
  std::int32_t avatar = 0;  ///< index into the avatars that are checked together
  /// Nothing active is touched on [0, safe_until): proved. 1 if the whole step is free; 0 on an
  /// error, and with GlSurface::kPaper, which proves nothing.
  double safe_until = 0.0;
  /// In order of link; of one link, objects first, then other links in order of (avatar, link).
  std::vector<Contact> contacts;
  /// Per link, if asked for: a proved lower bound, metres, of the least distance over the step
  /// between the link's surface and anything active; 0 for a link in contact.
  std::vector<double> clearances;
  StepCounters counters;
  std::optional<Error> error;  ///< set if the step could not be checked; nothing is proved then
};

/// Which (link, object) pairs are looked at. All of them, unless switched off.
class ActivePairs {
 public:
  ActivePairs() = default;
  /// Switches off every pair that matches a pattern `LINK:OBJECT`, two shell globs
  /// (`*foot:Floor*`); the first ':' separates them. Errors (kUsage): a pattern without ':'.
  static Result<ActivePairs> ignoring(const Avatar& avatar, const Environment& environment,
                                      std::span<const std::string> patterns);
  [[nodiscard]] bool active(std::int32_t link, std::uint32_t object) const {
    return off_.empty() || off_[static_cast<std::size_t>(link) * objects_ + object] == 0;
  }
  /// True if nothing is switched off.
  [[nodiscard]] bool all() const { return off_.empty(); }
  /// True if these are pairs of so many links and objects, or nothing is switched off.
  [[nodiscard]] bool fits(std::size_t links, std::size_t objects) const {
    return off_.empty() || (objects == objects_ && off_.size() == links * objects + 1);
  }
  /// How many pairs each pattern switched off, in the order given; 0 hints at a typing error.
  [[nodiscard]] std::span<const std::uint64_t> matches() const { return matches_; }

 private:
  std::size_t objects_ = 0;
  std::vector<std::uint8_t> off_;
  std::vector<std::uint64_t> matches_;
};

/// How the OpenGL backend gathers its answers. Both find the same.
enum class GlMethod : std::uint8_t {
  kFlags,  ///< many views at once, fragments set bits
  kQuery,  ///< an occlusion query for each pair and view (paper 004)
};

/// What the OpenGL backend draws and how.
enum class GlSurface : std::uint8_t {
  kSkin,  ///< closed convex hulls around time slabs, conservatively: misses nothing
  /// The main paper's swept surface, pixel centres only: to count what that misses. Only without
  /// certify.
  kPaper,
};

/// The OpenGL backend. docs/gl.md.
struct GlOptions {
  /// As `tocsin devices` counts them; none: TOCSIN_GL_DEVICE, else the first usable one.
  std::optional<int> device = std::nullopt;
  int width = 64;  ///< pixels of a view of one slab; 8 to 8192. More culls more and costs more.
  int height = 64;
  GlMethod method = GlMethod::kFlags;
  GlSurface surface = GlSurface::kSkin;
};

/// The CUDA backend: the device finds the contacts of many steps at once by itself. docs/cuda.md.
struct CudaOptions {
  /// As `tocsin devices` counts them; none: TOCSIN_CUDA_DEVICE, else the first.
  std::optional<int> device = std::nullopt;
  /// Kernel bodies run on the CPU, on all threads: what a device would answer, bit for bit, and far
  /// slower than Backend::kCpu. For tests, and where there is no device.
  bool emulate = false;
  /// Bytes of the device that may be used; 0: nearly all that is free. Less makes batches smaller;
  /// what does not fit at all, a step or the room, the CPU checks (Detector::fallback).
  std::size_t memory = 0;
};

struct DetectorOptions {
  Backend backend = Backend::kAuto;
  Contacts contacts = Contacts::kPairs;
  double margin = 0.0;      ///< grows every link's radius, metres, >= 0
  double tolerance = 1e-9;  ///< wanted width of a toc bracket, step time, > 0
  bool clearance = false;   ///< fill StepReport::clearances
  /// A folder in which trees are kept between runs; empty: none are. A damaged or stale file is
  /// built anew (see Detector::warnings()).
  std::string tree_cache = {};
  GlOptions gl = {};      ///< for Backend::kGl; with kAuto a device named here asks for it
  CudaOptions cuda = {};  ///< for Backend::kCuda
  /// False: the answer that Backend::kGl has in image space (paper 004, section 7.2): a contact is
  /// kGraze, free before toc[0] (proved but for GlSurface::kPaper), toc[1] an estimate; there may
  /// be contacts that are none.
  bool certify = true;
};

/// How a whole motion is run.
struct RunOptions {
  int threads = 0;  ///< 0: all
  ActivePairs active;
  std::stop_token stop;  ///< looked at between steps, or between rounds of a device
  LinkPairs self = {};   ///< pairs of the avatar's own links
};

/// One of several avatars that are checked together.
struct Member {
  Avatar avatar;
  ActivePairs active = {};  ///< against the environment
  LinkPairs self = {};      ///< against itself
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
