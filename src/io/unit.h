// Units of length, and the guess which of them a motion file is in: people are between 1.2 and 2.2
// m tall.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::io {

struct NamedUnit {
  std::string_view name;  ///< as on the command line: "m", "cm", "mm", "in", "cmu"
  double metres = 1.0;    ///< one of it
};

/// Metres. The rest pose of a person, arms down or out, from toe to top of the head, captured or
/// drawn: from a child of eight to the tallest adults. The range's ends are a factor 1.83 apart,
/// and any two of the units at least 2.2, so at most one fits; a wider range could make two fit.
inline constexpr double kMinRestHeight = 1.2;
inline constexpr double kMaxRestHeight = 2.2;

/// The units in which a length, given in the file's unit, lies between two numbers of metres.
std::vector<NamedUnit> units_between(double length, double least, double most);

/// The units in which a rest height, given in the file's unit, lies between the two. Never fails:
/// for `tocsin info`.
std::vector<NamedUnit> fitting_units(double rest_height);

/// "15 m (m), 0.15 m (cm), ...": a length read in each unit, for people.
std::string heights_in_units(double length);

/// A unit and why it was chosen.
struct UnitChoice {
  double metres = 1.0;
  std::string reason;        ///< "as told", "rest height 1.45 m in cmu"
  std::string warning = {};  ///< what to tell the user, if the evidence is weak; or empty
};

/// The unit of the option, or else the only unit that fits. Errors (kInput, without a file name):
/// none or two fit; (kUsage) the option is not finite and positive.
Result<UnitChoice> choose_unit(std::optional<double> told_metres, double rest_height);

/// A unit as on the command line: a name or a number of metres; none for "auto". Errors (kUsage).
struct UnitOption {
  std::optional<double> metres;
};
Result<UnitOption> parse_unit(std::string_view text);

}  // namespace tocsin::io
