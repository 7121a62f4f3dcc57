// Makes a list of names distinct, so that a name in a report means one thing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tocsin::base {

/// A name as it was, and as it is now.
struct Renamed {
  std::string from;
  std::string to;
};

/// Renames every repeated name: the first `Floor` stays, later ones become `Floor@2`, `Floor@3`,
/// ...; a number that some other name already uses is passed over. Returns what was renamed, in
/// order.
std::vector<Renamed> make_distinct(const std::vector<std::string*>& names);

/// One line for a person, naming the first few: `object names that repeat were made distinct (2):
/// ...`. Empty for an empty list. `what` is what the names belong to.
std::string describe_renames(const std::vector<Renamed>& renames, std::string_view what);

}  // namespace tocsin::base
