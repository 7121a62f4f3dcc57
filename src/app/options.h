// What `tocsin check` was asked to do, and how its option values are read from text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/io.h"
#include "tocsin/make.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/time_line.h"
#include "tocsin/types.h"

namespace tocsin::app {

/// `--frames [A]:[B][:STRIDE]`.
struct FrameRange {
  std::int64_t first = 0;
  std::int64_t last = -1;  ///< inclusive; -1: the motion's last
  std::int64_t stride = 1;
};

/// What a file holds.
enum class FileKind : std::uint8_t { kMotion, kRoom };

/// A take: how it is read, placed and given a body.
struct TakeOptions {
  std::string motion;
  MotionOptions reading;
  std::string avatar = "auto";
  RadiusScale radii;
  Placement place;
  FrameRange frames;
  double start = 0.0;  ///< of several takes: seconds on the time line at which its frame 0 is
};

/// Everything a check needs to know. design/interfaces.md and docs/command-line.md name the
/// options. Itself it is the first take; most commands know no other.
struct CheckOptions : TakeOptions {
  std::vector<TakeOptions> others;  ///< the takes after the first, in order
  Absence absent = Absence::kGone;  ///< of several takes: outside their own times
  bool self = false;                ///< avatars are checked against themselves
  bool ignore_rest = false;         ///< ... but for links that overlap in the rest pose
  std::vector<std::string> environments;
  EnvironmentOptions room;  ///< how the rooms are read
  InBetween in_between = InBetween::kScrew;
  double margin = 0.0;  ///< metres
  std::vector<std::string> ignore;
  Contacts contacts = Contacts::kPairs;
  bool clearance = false;
  bool sampled = false;
  double tolerance = 1e-9;  ///< step time
  Backend backend = Backend::kAuto;
  bool certify = true;
  GlOptions gl;
  CudaOptions cuda;
  int threads = 0;                 ///< 0: all
  std::string tree_cache;          ///< folder that keeps rooms' trees; empty: none
  std::optional<std::string> out;  ///< none: a table for people; "-": standard output
  bool fail_on_contact = false;
  /// True where a report is checked again: "auto" means one link per bone then, as it was resolved.
  bool resolved = false;

  /// How many takes there are, and take i of them.
  [[nodiscard]] std::size_t takes() const { return 1 + others.size(); }
  [[nodiscard]] const TakeOptions& take(std::size_t i) const {
    return i == 0 ? *this : others[i - 1];
  }
};

/// The functions below throw this on bad text; main() turns it into exit status 2. It never leaves
/// the command line's floor.
struct UsageError {
  std::string message;
};

/// The parts between the separators, empty ones too; at least one.
std::vector<std::string_view> split(std::string_view text, char separator);
/// A whole decimal number that is finite. Throws UsageError naming `option`.
double parse_number(std::string_view option, std::string_view text);
/// The same, and within [low, high]; `condition` says so in words ("above 0").
double parse_number_in(std::string_view option, std::string_view text, double low, double high,
                       std::string_view condition);
/// A whole number within [low, high].
std::int64_t parse_whole(std::string_view option, std::string_view text, std::int64_t low,
                         std::int64_t high);
/// `m`, `cm`, `mm`, `in`, `cmu`, a number of metres above 0, or `auto` (none).
std::optional<double> parse_unit(std::string_view option, std::string_view text);
/// `none`, `auto`, or a factor above 0.
RadiusScale parse_radius_scale(std::string_view option, std::string_view text);
/// `motion`, `room`, or `auto` (none).
std::optional<FileKind> parse_kind(std::string_view option, std::string_view text);
/// A whole number from 0 to 2^63 - 1.
std::uint64_t parse_seed(std::string_view option, std::string_view text);
/// A whole number from 1 to 10^15, with k for thousands or M for millions behind it if wanted.
std::uint64_t parse_amount(std::string_view option, std::string_view text);
/// `walk`, `reach`, `kick`, `cartwheel`.
Performance parse_performance(std::string_view option, std::string_view text);
std::string_view name_of(Performance kind);
/// `WxH`: whole numbers within [least, most].
std::pair<int, int> parse_size(std::string_view option, std::string_view text, int least, int most);
/// `X,Y,Z[,YAW]`: metres, degrees.
Placement parse_placement(std::string_view option, std::string_view text);
/// `[A]:[B][:STRIDE]`.
FrameRange parse_frames(std::string_view option, std::string_view text);

}  // namespace tocsin::app
