#include "base/unique_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>

#include "base/quoted.h"

namespace tocsin::base {

std::vector<Renamed> make_distinct(const std::vector<std::string*>& names) {
  std::unordered_set<std::string> used;
  used.reserve(names.size());
  for (const std::string* name : names) used.insert(*name);

  std::vector<Renamed> renames;
  if (used.size() == names.size()) return renames;
  // How often a name has come so far, and so which number to try next. It only ever grows, so that
  // many equal names cost linear time.
  std::unordered_map<std::string, std::size_t> count;
  for (std::string* name : names) {
    std::size_t& n = ++count[*name];
    if (n == 1) continue;
    std::string fresh = fmt::format("{}@{}", *name, n);
    while (!used.insert(fresh).second) fresh = fmt::format("{}@{}", *name, ++n);
    renames.push_back({*name, fresh});
    *name = std::move(fresh);
  }
  return renames;
}

std::string describe_renames(const std::vector<Renamed>& renames, std::string_view what) {
  if (renames.empty()) return {};
  constexpr std::size_t kShown = 5;  // enough to see the pattern; a file may hold millions
  std::string text =
      fmt::format("{} names that repeat were made distinct ({}):", what, renames.size());
  for (std::size_t i = 0; i < std::min(kShown, renames.size()); ++i) {
    text += fmt::format("{} {} is now {}", i == 0 ? "" : ",", in_quotes(renames[i].from),
                        in_quotes(renames[i].to));
  }
  if (renames.size() > kShown) text += ", ...";
  return text;
}

}  // namespace tocsin::base
