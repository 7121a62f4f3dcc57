// A report: what a check found, as JSON lines ("tocsin.report.v1"). docs/report.schema.json is its
// schema, docs/command-line.md describes it for people.
//
// Lines come in order of step, avatar, link; of one link, objects first, then other links. Every
// number is the shortest decimal that reads back as the same double; no field depends on the
// locale. Lengths in metres, times in seconds.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/episodes.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"
#include "tocsin/time_line.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// FNV-1a, 64 bits (Fowler, Noll, Vo): the report's hash. It finds accidents; it is no signature.
class Fnv1a64 {
 public:
  void update(std::string_view bytes);
  [[nodiscard]] std::uint64_t value() const { return value_; }
  /// Sixteen lower-case hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// A file that a check read.
struct InputRecord {
  std::string role;    ///< "motion", "skeleton", "avatar", "environment" or "buffer"
  std::string file;    ///< as given; the name of an avatar model that Tocsin ships
  std::string sha256;  ///< of its bytes, 64 hexadecimal digits
};

/// How one take was read, placed and given a body, after everything "auto" was decided.
struct ReportTake {
  std::string avatar;                   ///< a model's name or file; "auto": one link per bone
  double motion_unit = 1.0;             ///< metres
  std::optional<std::string> skeleton;  ///< none: the motion file holds it
  std::optional<double> rate;           ///< Hz; none: the motion file says it
  std::optional<std::string> clip;      ///< none: the motion file holds one motion
  std::optional<std::string> skin;      ///< none: the motion file holds one skeleton
  double scale_radii = 1.0;             ///< what the avatar model's radii were multiplied by
  UpAxis motion_up = UpAxis::kY;
  Placement place;
  std::array<std::int64_t, 3> frames{0, 0, 1};  ///< first, last (inclusive), stride
  double start = 0.0;  ///< of several takes: seconds on the time line at which its frame 0 is
};

/// Every option of a check. Itself it is the first take, most often the only one.
struct ReportOptions : ReportTake {
  std::vector<ReportTake> others;  ///< the takes after the first, in order
  UpAxis env_up = UpAxis::kY;
  double env_scale = 1.0;
  InBetween in_between = InBetween::kScrew;
  double margin = 0.0;  ///< metres
  std::vector<std::string> ignore;
  Contacts contacts = Contacts::kPairs;
  bool clearance = false;
  bool sampled = false;             ///< only the sampled poses were looked at
  bool self = false;                ///< avatars were checked against themselves
  Absence absent = Absence::kGone;  ///< of several takes: outside their own times
  double tolerance = 1e-9;
  Backend backend = Backend::kAuto;  ///< as asked for; RunRecord::backend is the one that did it
  bool certify = true;               ///< false: the image-space answer
  GlOptions gl;                      ///< as asked for
  CudaOptions cuda;                  ///< as asked for
  int threads = 1;
  std::string tree_cache;  ///< folder that trees are kept in; empty: none
  bool fail_on_contact = false;
  std::optional<std::string> out;  ///< none: no report was asked for

  /// How many takes there are, and take i of them.
  [[nodiscard]] std::size_t takes() const { return 1 + others.size(); }
  [[nodiscard]] const ReportTake& take(std::size_t i) const {
    return i == 0 ? *this : others[i - 1];
  }
};

/// One of several avatars.
struct AvatarRecord {
  std::string motion;  ///< its file, as given
  std::string name;    ///< of its model
  std::vector<std::string> links;
  std::int64_t frames = 0;  ///< frames of the motion, all of them
  double frame_time = 0.0;
  double unit_metres = 1.0;
};

/// The time line that several takes are on.
struct TimeLineRecord {
  std::uint64_t instants = 0;
  double from = 0.0;  ///< seconds
  double to = 0.0;
};

/// The first line. Where there are several takes, frames, frame_time, unit_metres and links are
/// those of the first.
struct RunRecord {
  std::string backend;
  std::string device;
  bool certified = true;  ///< false: only sampled poses were looked at, or certify was left out
  std::vector<InputRecord> inputs;
  ReportOptions options;
  std::int64_t frames = 0;  ///< frames of the motion, all of them
  double frame_time = 0.0;
  double unit_metres = 1.0;
  std::vector<std::string> links;
  std::uint64_t objects = 0;
  std::uint64_t triangles = 0;
  std::vector<AvatarRecord> avatars;  ///< of several takes; empty where there is one
  std::optional<TimeLineRecord> time_line = std::nullopt;  ///< of several takes
};

/// What the last line counts.
struct Tally {
  std::int64_t steps = 0;  ///< of all avatars
  std::int64_t contacts = 0;
  std::int64_t hit = 0;
  std::int64_t graze = 0;
  std::int64_t overlap = 0;
  std::int64_t limited =
      0;  ///< grazes at which an iteration limit was reached; counted in `graze` too
};

/// Stage and milliseconds, in order.
using Milliseconds = std::vector<std::pair<std::string, double>>;

/// What contact lines call things: names of every avatar's links and of the environment's objects,
/// in order.
struct ReportNames {
  std::vector<std::vector<std::string>> links;  ///< per avatar
  std::vector<std::string> objects;
};
std::vector<std::string> link_names(const Avatar& avatar);
std::vector<std::string> object_names(const Environment& environment);

/// Lines without their newline. `touched`: the object's name, or that of the other link.
std::string run_line(const RunRecord& run);
std::string contact_line(const Step& step, const Contact& contact, int avatar,
                         std::string_view link, std::string_view touched);
std::string clearance_line(const Step& step, double metres, int avatar, std::string_view link);

/// Turns the answers of a check into lines, in order, and counts them.
class ReportWriter {
 public:
  /// Takes one line with its newline; false: it could not be written.
  using Sink = std::function<bool(std::string_view)>;

  /// keep: of episodes().
  explicit ReportWriter(ReportNames names, Sink sink,
                        EpisodeTracker::Keep keep = EpisodeTracker::Keep::kAll);
  /// Of one avatar.
  ReportWriter(std::vector<std::string> links, std::vector<std::string> objects, Sink sink,
               EpisodeTracker::Keep keep = EpisodeTracker::Keep::kAll);

  bool run(const RunRecord& run);
  /// The next step of the avatar that the report names: its contact lines, then its clearance lines
  /// if there are any. Reports come in order of (step, avatar).
  bool step(const Step& step, const StepReport& report);
  /// fallback: why a device was given up on the way (Detector::fallback()); empty if it was not.
  bool summary(const Milliseconds& milliseconds, std::string_view fallback = {});

  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] const EpisodeTracker& episodes() const { return episodes_; }
  [[nodiscard]] std::string hash() const { return hash_.hex(); }
  /// The line of the earliest contact: least step, then least toc (upper end, lower end), then
  /// avatar, link, object or other. Empty if nothing was touched.
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  bool write(std::string line);
  void count(const Contact& contact);
  [[nodiscard]] const std::string& touched(const Contact& contact) const;
  void keep_first(const Step& step, const Contact& contact, const std::string& line);

  ReportNames names_;
  Sink sink_;
  Tally tally_;
  EpisodeTracker episodes_;
  Fnv1a64 hash_;
  std::string first_;
  std::array<std::int64_t, 2> first_frames_{};
  std::array<double, 2> first_toc_{};
};

}  // namespace tocsin::io
