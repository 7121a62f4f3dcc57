// How option values are read from text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/exit_status.h"
#include "io/report/check_options.h"
#include "make/make.h"

namespace tocsin::app {

/// What a file holds.
enum class FileKind : std::uint8_t { kMotion, kRoom };

using io::CheckOptions;
using io::FrameRange;
using io::Take;

/// The functions below throw this on bad text; main() turns it into its exit status. It never
/// leaves the command line's floor.
struct UsageError {
  std::string message;
  std::string command = "tocsin";  ///< the message's prefix: "tocsin check"
  ExitStatus status = kWrongUsage;
};

/// The parts between the separators, empty ones too; at least one.
std::vector<std::string_view> split(std::string_view text, char separator);
/// A whole decimal number that is finite. Throws UsageError naming `option`.
double parse_number(std::string_view option, std::string_view text);
/// The same, and within [low, high]; `condition` says so in words ("above 0").
double parse_number_in(std::string_view option, std::string_view text, double low, double high,
                       std::string_view condition);
/// A length in metres: a number, with m, cm, mm, in or ft behind it if wanted ("2cm"). "2cm" is the
/// same double as "0.02". Throws UsageError naming `option`.
double parse_length(std::string_view option, std::string_view text);
/// The same, and within [low, high] metres.
double parse_length_in(std::string_view option, std::string_view text, double low, double high,
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
/// `X,Y,Z[,YAW]`: lengths, degrees (also "90deg").
Placement parse_placement(std::string_view option, std::string_view text);
/// `JOINT=MESH[@x,y,z,qw,qx,qy,qz]`: metres, and a quaternion of length 1.
HeldMesh parse_held(std::string_view option, std::string_view text);
/// `NAME=MESH[:MOTION]`: MOTION ends in .poses or .csv.
BodySpec parse_body(std::string_view option, std::string_view text);
/// `[A]:[B][:STRIDE]`.
FrameRange parse_frames(std::string_view option, std::string_view text);

}  // namespace tocsin::app
