#include "tocsin/active_pairs.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "detect/crowd/name_patterns.h"
#include "detect/scene/pair_filter.h"
#include "scene/instance/instances.h"

namespace tocsin {

namespace {

/// Objects of different layouts may be as many, and are others.
std::uint64_t layout_of(const Environment& environment) {
  const scene::Instances* const of_scene = scene::instances_of(environment);
  return of_scene != nullptr ? of_scene->layout() : 0;
}

}  // namespace

/// All pairs on.
void ActivePairs::begin(const Avatar& avatar, const Environment& environment) {
  objects_ = environment.objects().size();
  layout_ = layout_of(environment);
  off_.assign(avatar.links().size() * objects_ + 1, 0);  // never empty: empty means "all active"
}

ActivePairs ActivePairs::where(const Avatar& avatar, const Environment& environment,
                               const std::function<bool(std::int32_t, std::uint32_t)>& wanted) {
  ActivePairs out;
  out.begin(avatar, environment);
  for (std::size_t i = 0; i + 1 < out.off_.size(); ++i) {
    const auto link = static_cast<std::int32_t>(i / out.objects_);
    out.off_[i] = wanted(link, static_cast<std::uint32_t>(i % out.objects_)) ? 0 : 1;
  }
  return out;
}

Result<ActivePairs> ActivePairs::ignoring(const Avatar& avatar, const Environment& environment,
                                          std::span<const std::string> patterns) {
  ActivePairs out;
  if (patterns.empty()) return out;
  const std::span<const Link> links = avatar.links();
  const std::span<const Object> objects = environment.objects();
  out.begin(avatar, environment);
  for (const std::string& pattern : patterns) {
    auto globs =
        detect::split_pattern(pattern, "LINK:OBJECT, two shell globs such as '*foot:Floor*'");
    if (!globs) return globs.error();
    const auto link_on =
        detect::matching(globs.value().first, links.size(),
                         [&](std::size_t i) -> const std::string& { return links[i].name; });
    const auto object_on =
        detect::matching(globs.value().second, objects.size(),
                         [&](std::size_t i) -> const std::string& { return objects[i].name; });
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      for (std::size_t j = 0; j < objects.size(); ++j) {
        if (link_on[i] == 0 || object_on[j] == 0) continue;
        out.off_[i * objects.size() + j] = 1;
        ++count;
      }
    }
    out.matches_.push_back(count);
  }
  return out;
}

bool ActivePairs::fits(std::size_t links, const Environment& environment) const {
  if (off_.empty()) return true;
  return layout_ == layout_of(environment) && fits(links, environment.objects().size());
}

bool ActivePairs::passes(std::int32_t link, std::uint32_t object) const {
  return filter_->active(link, object);
}

}  // namespace tocsin
