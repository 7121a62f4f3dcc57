// Which pairs of a scene are looked at. Paper 003, Table 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::detect {

/// Commands in the order in which they were given: of all that match a pair the latest counts.
/// Pairs that none matches are active.
class PairRules {
 public:
  /// Errors (kUsage): a pattern without ':'.
  Status add(std::string_view pattern, bool active);
  /// Two objects, by numbers that no other object has had.
  void add(std::uint64_t a, std::uint64_t b, bool active);
  /// Forgets commands about an object that is gone.
  void forget(std::uint64_t object);

  [[nodiscard]] bool none() const { return patterns_.empty() && pairs_.empty(); }
  /// A link, and an object.
  [[nodiscard]] bool active(const std::string& link, const std::string& object) const;
  struct Party {
    std::uint64_t number = 0;
    const std::string& name;
  };
  /// Two objects.
  [[nodiscard]] bool active(const Party& a, const Party& b) const;

 private:
  struct Pattern {
    std::string first;
    std::string second;
    std::uint64_t order = 0;
    bool active = false;
  };
  struct Command {
    std::uint64_t order = 0;
    bool active = false;
  };
  /// Of those later than `after`: the last that matches, either way round or not.
  [[nodiscard]] const Pattern* last_match(const std::string& a, const std::string& b,
                                          bool either_way, std::uint64_t after) const;

  std::uint64_t order_ = 0;
  std::vector<Pattern> patterns_;
  /// Per object the others, the lower number first.
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, Command>> pairs_;
};

}  // namespace tocsin::detect
