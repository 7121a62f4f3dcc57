// A report: the results of a check as JSON lines ("tocsin.report.v1"). docs/report.schema.json is
// its schema, docs/command-line.md describes it for people.
//
// Lines come in order of step, avatar, link; of one link, objects first, then other links. Episodes
// follow them, then the summary. Every
// number is the shortest decimal that reads back as the same double; no field depends on the
// locale. Lengths in metres, times in seconds.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/input_files.h"
#include "io/report/check_options.h"
#include "io/report/episodes.h"
#include "tocsin/avatar.h"
#include "tocsin/detector_options.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"
#include "tocsin/step_report.h"
#include "tocsin/time_line.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// FNV-1a, 64 bits (Fowler, Noll, Vo): the report's hash. It finds accidental changes; it is no
/// signature.
class Fnv1a64 {
 public:
  void update(std::string_view bytes);
  [[nodiscard]] std::uint64_t value() const { return value_; }
  /// Sixteen lower-case hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
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
  std::string choice = {};  ///< why this backend; empty: it was named, and the line says nothing
  bool certified = true;    ///< false: only sampled poses were checked, or certify was left out
  InputLog inputs;
  CheckOptions options;     ///< as run: everything "auto" is decided
  std::int64_t frames = 0;  ///< frames of the motion, all of them
  double frame_time = 0.0;
  double unit_metres = 1.0;
  std::vector<std::string> links;
  std::uint64_t objects = 0;
  std::uint64_t triangles = 0;
  std::vector<AvatarRecord> avatars;  ///< of several takes; empty where there is one
  std::optional<TimeLineRecord> time_line = std::nullopt;  ///< of several takes
  /// What the report tells beside contacts, in the words below: what is missing of it was removed.
  /// Empty for live sessions and before 0.2.0.
  std::vector<std::string> tells;
};

/// Words of RunRecord::tells.
inline constexpr std::string_view kTellsEpisodes = "episodes";  ///< each, with its deepest moment
inline constexpr std::string_view kTellsNearest = "nearest";    ///< to each link

/// The counts of the last line.
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

/// Names in contact lines: those of every avatar's links and of the environment's objects, in
/// order.
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
std::string near_line(const NearPair& pair, std::string_view link, std::string_view thing);
std::string distance_line(const FrameDistance& distance, std::string_view link,
                          std::string_view object);
/// `thing`: the name of nearest.thing, if there is one.
std::string nearest_line(const NearestToLink& nearest, std::string_view link,
                         std::string_view thing);
std::string episode_line(const Episode& episode, std::string_view link, std::string_view touched);

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

  /// Names of objects that came since (a room that changes), numbered from object_count() on.
  void add_objects(std::vector<std::string> names);
  [[nodiscard]] std::size_t object_count() const { return names_.objects.size(); }

  bool run(const RunRecord& run);
  /// The next step of the avatar that the report names: its contact lines, then its clearance lines
  /// if there are any. Reports come in order of (step, avatar).
  bool step(const Step& step, const StepReport& report);
  /// Lines of episodes: those of episodes().sorted(), with what was found out about them.
  bool write_episodes(std::span<const Episode> episodes);
  bool write_near(std::span<const NearPair> pairs);
  bool write_nearest(std::span<const NearestToLink> links);
  bool write_distances(std::span<const FrameDistance> distances);
  /// The episodes in order of first touch, if they are kept, then the summary.
  bool summary(const Milliseconds& milliseconds);
  /// The summary alone.
  /// fallback: why a device failed during the check (Detector::fallback()); empty if none did.
  bool write_summary(const Milliseconds& milliseconds, std::string_view fallback);

  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] const EpisodeTracker& episodes() const { return episodes_; }
  [[nodiscard]] std::string hash() const { return hash_.hex(); }
  /// The line of the earliest contact: least step, then least toc (lower end, upper end), then
  /// avatar, link, object or other. Empty if nothing was touched.
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  bool write(std::string line);
  void count(const Contact& contact);
  [[nodiscard]] const std::string& link(int avatar, std::int32_t link) const;
  [[nodiscard]] const std::string& touched(const Touched& thing) const;
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
