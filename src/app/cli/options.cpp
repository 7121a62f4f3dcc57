#include "app/cli/options.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/json_text.h"
#include "io/unit.h"

namespace tocsin::app {
namespace {

using base::printable;

constexpr std::int64_t kGreatestFrame = std::int64_t{1} << 53U;

/// Leading blanks and one '+' are harmless in a number; from_chars takes neither.
std::string_view without_plus(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

template <class Number>
bool read_all(std::string_view text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && !text.empty();
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t at = text.find(separator);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

double parse_number(std::string_view option, std::string_view text) {
  double value = 0.0;
  if (!read_all(without_plus(text), value)) {
    throw UsageError{fmt::format("{}: expected a number, found \"{}\"", option, printable(text))};
  }
  if (!std::isfinite(value)) {
    throw UsageError{fmt::format("{}: \"{}\" is not a finite number", option, printable(text))};
  }
  return value;
}

double parse_number_in(std::string_view option, std::string_view text, double low, double high,
                       std::string_view condition) {
  const double value = parse_number(option, text);
  if (!(value >= low && value <= high)) {
    throw UsageError{
        fmt::format("{}: expected a number {}, found {}", option, condition, printable(text))};
  }
  return value;
}

namespace {

/// A unit of lengths: 10^decimal metres, times factor.
struct LengthUnit {
  std::string_view name;
  int decimal = 0;
  double factor = 1.0;
};
// The longer names first: "m" ends them, too.
constexpr std::array<LengthUnit, 5> kLengthUnits{
    {{"cm", -2}, {"mm", -3}, {"m"}, {"in", 0, 0.0254}, {"ft", 0, 0.3048}}};

/// "2.5e1" and -2 -> "2.5e-1": the decimal point moves in the text, so that nothing is rounded
/// twice. A text that is no number stays none.
std::string with_exponent(std::string_view number, int shift) {
  if (shift == 0) return std::string(number);
  const std::size_t e = number.find_first_of("eE");
  int exponent = 0;
  if (e != std::string_view::npos && !read_all(without_plus(number.substr(e + 1)), exponent)) {
    return std::string(number);
  }
  return fmt::format("{}e{}", number.substr(0, e), exponent + shift);
}

std::string_view without_end(std::string_view text, std::size_t size) {
  text.remove_suffix(size);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The unit behind a number; null if there is none.
const LengthUnit* unit_at_end(std::string_view text) {
  for (const LengthUnit& unit : kLengthUnits) {
    if (text.size() > unit.name.size() && text.ends_with(unit.name)) return &unit;
  }
  return nullptr;
}

}  // namespace

double parse_length(std::string_view option, std::string_view text) {
  const LengthUnit* const unit = unit_at_end(text);
  const std::string number =
      unit == nullptr ? std::string(text)
                      : with_exponent(without_end(text, unit->name.size()), unit->decimal);
  double value = 0.0;
  if (!read_all(without_plus(number), value)) {
    throw UsageError{fmt::format(
        "{}: expected a number of metres, or one with a unit (m, cm, mm, in, ft), found \"{}\"",
        option, printable(text))};
  }
  if (unit != nullptr) value *= unit->factor;
  if (!std::isfinite(value)) {
    throw UsageError{fmt::format("{}: \"{}\" is not a finite number", option, printable(text))};
  }
  return value;
}

double parse_length_in(std::string_view option, std::string_view text, double low, double high,
                       std::string_view condition) {
  const double value = parse_length(option, text);
  if (!(value >= low && value <= high)) {
    throw UsageError{
        fmt::format("{}: expected a number {}, found {}", option, condition, printable(text))};
  }
  return value;
}

std::int64_t parse_whole(std::string_view option, std::string_view text, std::int64_t low,
                         std::int64_t high) {
  std::int64_t value = 0;
  if (!read_all(without_plus(text), value) || value < low || value > high) {
    throw UsageError{fmt::format("{}: expected a whole number from {} to {}, found \"{}\"", option,
                                 low, high, printable(text))};
  }
  return value;
}

std::optional<double> parse_unit(std::string_view option, std::string_view text) {
  const auto unit = io::parse_unit(text);
  if (!unit) throw UsageError{fmt::format("{}: {}", option, unit.error().message)};
  return unit->metres;
}

RadiusScale parse_radius_scale(std::string_view option, std::string_view text) {
  if (text == "none") return {};
  if (text == "auto") return {.automatic = true};
  double factor = 0.0;
  if (!read_all(without_plus(text), factor) || !std::isfinite(factor) || !(factor > 0.0)) {
    throw UsageError{fmt::format("{}: expected none, auto or a factor above 0, found \"{}\"",
                                 option, printable(text))};
  }
  return {.factor = factor};
}

std::optional<FileKind> parse_kind(std::string_view option, std::string_view text) {
  if (text == "auto") return std::nullopt;
  if (text == "motion") return FileKind::kMotion;
  if (text == "room") return FileKind::kRoom;
  throw UsageError{
      fmt::format("{}: expected motion, room or auto, found \"{}\"", option, printable(text))};
}

std::uint64_t parse_seed(std::string_view option, std::string_view text) {
  return static_cast<std::uint64_t>(
      parse_whole(option, text, 0, std::numeric_limits<std::int64_t>::max()));
}

std::uint64_t parse_amount(std::string_view option, std::string_view text) {
  constexpr std::int64_t kMostAmount = 1'000'000'000'000'000;
  std::int64_t unit = 1;
  std::string_view digits = text;
  if (text.ends_with('k')) unit = 1'000;
  if (text.ends_with('M')) unit = 1'000'000;
  if (unit > 1) digits.remove_suffix(1);
  std::int64_t value = 0;
  if (!read_all(without_plus(digits), value) || value < 1 || value > kMostAmount / unit) {
    throw UsageError{fmt::format("{}: expected a number such as 50000, 50k or 2M, found \"{}\"",
                                 option, printable(text))};
  }
  return static_cast<std::uint64_t>(value * unit);
}

namespace {

constexpr std::array<std::pair<Performance, std::string_view>, 6> kPerformances{
    {{Performance::kWalk, "walk"},
     {Performance::kReach, "reach"},
     {Performance::kKick, "kick"},
     {Performance::kCartwheel, "cartwheel"},
     {Performance::kSwing, "swing"},
     {Performance::kDoor, "door"}}};

}  // namespace

Performance parse_performance(std::string_view option, std::string_view text) {
  for (const auto& [kind, name] : kPerformances) {
    if (text == name) return kind;
  }
  throw UsageError{
      fmt::format("{}: expected walk, reach, kick, cartwheel, swing or door, found \"{}\"", option,
                  printable(text))};
}

std::string_view name_of(Performance kind) {
  for (const auto& [candidate, name] : kPerformances) {
    if (candidate == kind) return name;
  }
  return {};
}

std::pair<int, int> parse_size(std::string_view option, std::string_view text, int least,
                               int most) {
  const auto parts = split(text, 'x');
  int size[2] = {0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    const bool sound = parts.size() == 2 && read_all(without_plus(parts[i]), size[i]);
    if (sound && size[i] >= least && size[i] <= most) continue;
    throw UsageError{fmt::format("{}: expected WIDTHxHEIGHT, each from {} to {}, found \"{}\"",
                                 option, least, most, printable(text))};
  }
  return {size[0], size[1]};
}

Placement parse_placement(std::string_view option, std::string_view text) {
  const auto parts = split(text, ',');
  if (parts.size() != 3 && parts.size() != 4) {
    throw UsageError{fmt::format("{}: expected X,Y,Z or X,Y,Z,YAW (metres, degrees), found \"{}\"",
                                 option, printable(text))};
  }
  Placement place;
  place.translation = {parse_length(option, parts[0]), parse_length(option, parts[1]),
                       parse_length(option, parts[2])};
  if (parts.size() == 4) {
    constexpr std::string_view kDegrees = "deg";
    const bool says_so = parts[3].ends_with(kDegrees);
    place.yaw_degrees =
        parse_number(option, says_so ? without_end(parts[3], kDegrees.size()) : parts[3]);
  }
  return place;
}

namespace {

/// What is before and behind the first '='. Throws UsageError.
std::pair<std::string, std::string_view> parse_named(std::string_view option, std::string_view text,
                                                     std::string_view form) {
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) {
    throw UsageError{fmt::format("{}: expected {}, found \"{}\"", option, form, printable(text))};
  }
  return {std::string(text.substr(0, at)), text.substr(at + 1)};
}

Transform parse_held_place(std::string_view option, std::string_view text) {
  const auto parts = split(text, ',');
  if (parts.size() != 7) {
    throw UsageError{fmt::format("{}: expected x,y,z,qw,qx,qy,qz behind the @, found \"{}\"",
                                 option, printable(text))};
  }
  std::array<double, 7> n{};
  for (std::size_t i = 0; i < 7; ++i) {
    n[i] = i < 3 ? parse_length(option, parts[i]) : parse_number(option, parts[i]);
  }
  const double length = std::sqrt(n[3] * n[3] + n[4] * n[4] + n[5] * n[5] + n[6] * n[6]);
  if (!(std::fabs(length - 1.0) <= 1e-3)) {
    throw UsageError{fmt::format("{}: qw,qx,qy,qz must have length 1, has {}, in \"{}\"", option,
                                 length, printable(text))};
  }
  return {{n[3], n[4], n[5], n[6]}, {n[0], n[1], n[2]}};
}

}  // namespace

HeldMesh parse_held(std::string_view option, std::string_view text) {
  auto [joint, mesh] = parse_named(option, text, "JOINT=MESH[@x,y,z,qw,qx,qy,qz]");
  HeldMesh out;
  out.joint = std::move(joint);
  // A name of a file may hold an @, too: numbers and commas follow this one.
  const std::size_t at = mesh.rfind('@');
  if (at != std::string_view::npos && mesh.find(',', at) != std::string_view::npos) {
    out.place = parse_held_place(option, mesh.substr(at + 1));
    mesh = mesh.substr(0, at);
  }
  if (mesh.empty()) throw UsageError{fmt::format("{}: names no mesh", option)};
  out.mesh = mesh;
  return out;
}

BodySpec parse_body(std::string_view option, std::string_view text) {
  auto [name, mesh] = parse_named(option, text, "NAME=MESH[:MOTION]");
  if (name.find(':') != std::string::npos) {
    throw UsageError{
        fmt::format("{}: a name has no ':', which --ignore LINK:OBJECT puts between two "
                    "names; found \"{}\"",
                    option, printable(name))};
  }
  BodySpec out;
  out.name = std::move(name);
  if (const std::size_t at = mesh.rfind(':'); at != std::string_view::npos) {
    out.motion = mesh.substr(at + 1);
    mesh = mesh.substr(0, at);
    if (!out.motion.ends_with(".poses") && !out.motion.ends_with(".csv")) {
      throw UsageError{fmt::format("{}: a body's motion is a .poses or .csv, found \"{}\"", option,
                                   printable(out.motion))};
    }
  }
  if (mesh.empty()) throw UsageError{fmt::format("{}: names no mesh", option)};
  out.mesh = mesh;
  return out;
}

FrameRange parse_frames(std::string_view option, std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() != 2 && parts.size() != 3) {
    throw UsageError{
        fmt::format("{}: expected [A]:[B][:STRIDE], as in 1: or 0:99 or ::4, found \"{}\"", option,
                    printable(text))};
  }
  const auto part = [option](std::string_view name) { return fmt::format("{}: {}", option, name); };
  FrameRange range;
  if (!parts[0].empty()) range.first = parse_whole(part("A"), parts[0], 0, kGreatestFrame);
  if (!parts[1].empty()) range.last = parse_whole(part("B"), parts[1], 0, kGreatestFrame);
  if (parts.size() == 3) range.stride = parse_whole(part("STRIDE"), parts[2], 1, kGreatestFrame);
  return range;
}

}  // namespace tocsin::app
