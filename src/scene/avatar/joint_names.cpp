#include "scene/avatar/joint_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <numeric>

#include "base/lower_case.h"
#include "base/quoted.h"

namespace tocsin::scene {
namespace {

/// Longer names are not compared. That bounds the cost, and such names are not typed by hand.
constexpr std::size_t kMaxCompared = 64;
/// Joints named in a message: enough for a body with all its fingers and face, not for a hostile
/// file.
constexpr std::size_t kMaxListed = 250;

/// Levenshtein distance: insertions, deletions and replacements that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

constexpr char kIndexMark = '\x1f';

/// The joint of an indexed_name(), or -1.
int indexed_joint(std::string_view name, std::size_t joints) {
  if (name.empty() || name.front() != kIndexMark) return -1;
  int index = -1;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), index);
  const bool whole = error == std::errc() && end == name.data() + name.size();
  return whole && index >= 0 && static_cast<std::size_t>(index) < joints ? index : -1;
}

}  // namespace

std::string indexed_name(int joint) { return kIndexMark + std::to_string(joint); }

std::string folded_joint_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return base::lower(std::string(colon == std::string_view::npos ? name : name.substr(colon + 1)));
}

JointNames::JointNames(const Skeleton& skeleton) {
  names_.reserve(skeleton.joints().size());
  folded_.reserve(skeleton.joints().size());
  for (const Joint& joint : skeleton.joints()) {
    names_.push_back(joint.name);
    folded_.push_back(folded_joint_name(joint.name));
    const int index = static_cast<int>(names_.size()) - 1;
    by_name_.try_emplace(names_.back(), index);
    by_folded_.try_emplace(folded_.back(), index);
  }
}

int JointNames::find(std::span<const std::string> names) const {
  for (const std::string& name : names) {
    if (const int joint = indexed_joint(name, names_.size()); joint >= 0) return joint;
    if (const auto it = by_name_.find(name); it != by_name_.end()) return it->second;
    if (const auto it = by_folded_.find(folded_joint_name(name)); it != by_folded_.end()) {
      return it->second;
    }
  }
  return -1;
}

std::string JointNames::closest(std::string_view name) const {
  const std::string wanted = folded_joint_name(name);
  if (wanted.empty() || wanted.size() > kMaxCompared) return {};
  // A third of the letters may differ: "LeftArm" suggests "LArm", but not "RightLeg".
  std::size_t best = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::string found;
  for (std::size_t i = 0; i < std::min(names_.size(), kMaxListed); ++i) {
    if (folded_[i].size() > kMaxCompared) continue;
    const std::size_t distance = edit_distance(wanted, folded_[i]);
    if (distance >= best) continue;
    best = distance;
    found = names_[i];
  }
  return found;
}

std::string JointNames::listing(std::string_view indent, std::size_t width) const {
  std::string out;
  std::string line(indent);
  const std::size_t shown = std::min(names_.size(), kMaxListed);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string word = base::escaped(names_[i]) + (i + 1 < names_.size() ? "," : "");
    const bool first = line.size() == indent.size();
    if (!first && line.size() + 1 + word.size() > width) {
      out += line + '\n';
      line = indent;
    }
    if (line.size() > indent.size()) line += ' ';
    line += word;
  }
  if (shown < names_.size()) line += fmt::format(" ... and {} more", names_.size() - shown);
  return out + line;
}

}  // namespace tocsin::scene
