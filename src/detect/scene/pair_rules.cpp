#include "detect/scene/pair_rules.h"

#include <algorithm>
#include <utility>

#include "detect/crowd/name_patterns.h"

namespace tocsin::detect {
Status PairRules::add(std::string_view pattern, bool active) {
  auto globs = split_pattern(
      std::string(pattern), "LINK:OBJECT or OBJECT:OBJECT, two shell globs such as 'crate*:wall*'");
  if (!globs) return globs.error();
  NamePattern& both = globs.value();
  // The same pattern again: the earlier command can no longer count.
  std::erase_if(patterns_,
                [&](const Pattern& p) { return p.first == both.first && p.second == both.second; });
  patterns_.push_back({std::move(both.first), std::move(both.second), ++order_, active});
  return Nothing{};
}

void PairRules::add(std::uint64_t a, std::uint64_t b, bool active) {
  const auto [low, high] = std::minmax(a, b);
  pairs_[low][high] = {++order_, active};
}

void PairRules::forget(std::uint64_t object) {
  pairs_.erase(object);
  for (auto& [low, others] : pairs_) others.erase(object);
}

const PairRules::Pattern* PairRules::last_match(const std::string& a, const std::string& b,
                                                bool either_way, std::uint64_t after) const {
  for (auto p = patterns_.rbegin(); p != patterns_.rend() && p->order > after; ++p) {
    if (matches(p->first, a) && matches(p->second, b)) return &*p;
    if (either_way && matches(p->first, b) && matches(p->second, a)) return &*p;
  }
  return nullptr;
}

bool PairRules::active(const std::string& link, const std::string& object) const {
  const Pattern* const last = last_match(link, object, false, 0);
  return last == nullptr || last->active;
}

bool PairRules::active(const Party& a, const Party& b) const {
  Command latest{0, true};
  const auto [low, high] = std::minmax(a.number, b.number);
  if (const auto of = pairs_.find(low); of != pairs_.end()) {
    if (const auto found = of->second.find(high); found != of->second.end()) {
      latest = found->second;
    }
  }
  const Pattern* const later = last_match(a.name, b.name, true, latest.order);
  return later == nullptr ? latest.active : later->active;
}

}  // namespace tocsin::detect
