#include "io/unit.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "base/text_scanner.h"

namespace tocsin::io {
namespace {

constexpr std::array<NamedUnit, 5> kNamedUnits{{
    {"m", 1.0},
    {"cm", 0.01},
    {"mm", 0.001},
    {"in", 0.0254},
    {"cmu", 0.0254 / 0.45},
}};

}  // namespace

std::vector<NamedUnit> units_between(double length, double least, double most) {
  std::vector<NamedUnit> fitting;
  for (const NamedUnit& unit : kNamedUnits) {
    const double metres = length * unit.metres;
    if (metres >= least && metres <= most) fitting.push_back(unit);
  }
  return fitting;
}

std::vector<NamedUnit> fitting_units(double rest_height) {
  return units_between(rest_height, kMinRestHeight, kMaxRestHeight);
}

std::string heights_in_units(double length) {
  std::string text;
  for (const NamedUnit& unit : kNamedUnits) {
    text +=
        fmt::format("{}{:.3g} m ({})", text.empty() ? "" : ", ", length * unit.metres, unit.name);
  }
  return text;
}

Result<UnitChoice> choose_unit(std::optional<double> told_metres, double rest_height) {
  if (told_metres) {
    if (!std::isfinite(*told_metres) || *told_metres <= 0.0) {
      return {
          ErrorCode::kUsage,
          fmt::format("a motion unit of {} m makes no sense; it must be finite and greater than 0",
                      *told_metres)};
    }
    return UnitChoice{*told_metres, "as told"};
  }
  const std::vector<NamedUnit> fitting = fitting_units(rest_height);
  if (fitting.size() == 1) {
    const NamedUnit& unit = fitting.front();
    return UnitChoice{unit.metres, fmt::format("rest height {:.2f} m in {}",
                                               rest_height * unit.metres, unit.name)};
  }
  return {
      ErrorCode::kInput,
      fmt::format(
          "cannot tell the unit of length: the rest skeleton is {:.6g} units high, which is {}; {} "
          "between {} and {} m. Say which with --motion-unit",
          rest_height, heights_in_units(rest_height),
          fitting.empty() ? "none lies" : "more than one lies", kMinRestHeight, kMaxRestHeight)};
}

Result<UnitOption> parse_unit(std::string_view text) {
  if (text == "auto") return UnitOption{};
  for (const NamedUnit& unit : kNamedUnits) {
    if (text == unit.name) return UnitOption{unit.metres};
  }
  base::TextScanner scanner(text);
  const std::optional<double> metres = scanner.number();
  if (!metres || !scanner.at_end() || *metres <= 0.0) {
    return {
        ErrorCode::kUsage,
        fmt::format(
            "unknown unit {}: use m, cm, mm, in, cmu, auto, or a number of metres greater than 0",
            base::in_quotes(text))};
  }
  return UnitOption{*metres};
}

}  // namespace tocsin::io
