// Which pairs of a link and an object are looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin {

namespace detail {
class PairFilter;
}
namespace detect {
class SceneView;
}

/// Which (link, object) pairs are looked at. All of them, unless switched off.
class ActivePairs {
 public:
  ActivePairs() = default;
  /// Switches off every pair that matches a pattern `LINK:OBJECT`, two shell globs
  /// (`*foot:Floor*`); the first ':' separates them. Errors (kUsage): a pattern without ':'.
  static Result<ActivePairs> ignoring(const Avatar& avatar, const Environment& environment,
                                      std::span<const std::string> patterns);
  /// Those pairs of an avatar's links and an environment's objects, by their indices, for which
  /// `wanted` is true.
  static ActivePairs where(const Avatar& avatar, const Environment& environment,
                           const std::function<bool(std::int32_t, std::uint32_t)>& wanted);
  [[nodiscard]] bool active(std::int32_t link, std::uint32_t object) const {
    return (off_.empty() || off_[static_cast<std::size_t>(link) * objects_ + object] == 0) &&
           (filter_ == nullptr || passes(link, object));
  }
  /// True if nothing is switched off.
  [[nodiscard]] bool all() const { return off_.empty() && filter_ == nullptr; }
  /// True if these are pairs of so many links and objects, or nothing is switched off.
  [[nodiscard]] bool fits(std::size_t links, std::size_t objects) const {
    return off_.empty() || (objects == objects_ && off_.size() == links * objects + 1);
  }
  /// The same for an environment. Those made for a snapshot of a scene (tocsin/scene.h) fit others
  /// of it as long as no object was added or replaced in between.
  [[nodiscard]] bool fits(std::size_t links, const Environment& environment) const;
  /// How many pairs each pattern switched off, in the order given; 0 hints at a typing error.
  [[nodiscard]] std::span<const std::uint64_t> matches() const { return matches_; }

 private:
  friend class detect::SceneView;
  [[nodiscard]] bool passes(std::int32_t link, std::uint32_t object) const;
  void begin(const Avatar& avatar, const Environment& environment);

  std::size_t objects_ = 0;
  std::uint64_t layout_ = 0;  ///< of a scene: how its objects are numbered; 0: of a room
  std::vector<std::uint8_t> off_;
  std::vector<std::uint64_t> matches_;
  std::shared_ptr<const detail::PairFilter> filter_;  ///< a scene's own rules, or null
};

}  // namespace tocsin
