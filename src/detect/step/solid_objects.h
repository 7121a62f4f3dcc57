// Which objects of a room are solid for a detector: the closed ones, but for those that its options
// call surfaces. docs/exact.md, "Solids".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene/instance/instances.h"
#include "scene/solid/solids.h"
#include "tocsin/environment.h"

namespace tocsin::detect {

/// Immutable and safe to share between threads.
class SolidObjects {
 public:
  /// `surfaces`: shell globs of objects' names. If one is "*" the room is not looked at. Throws
  /// std::bad_alloc.
  SolidObjects(const Environment& environment, std::span<const std::string> surfaces);

  [[nodiscard]] bool none() const {
    return solids_ == nullptr && (instances_ == nullptr || instances_->solids() == 0);
  }
  [[nodiscard]] bool is_solid(std::uint32_t object) const {
    if (instances_ != nullptr) return (*instances_)[object].solid;
    return solids_ != nullptr && solids_->solid(object) && surface_[object] == 0;
  }
  /// Calls f(object) for each solid object that holds p (scene::Solid::holds), in order.
  template <class F>
  void for_each_around(const Vec3& p, const F& f) const {
    for_each_around(
        p, [](std::uint32_t /*object*/) { return true; }, f);
  }
  /// Of those that are wanted(object), which is asked before.
  template <class Wanted, class F>
  void for_each_around(const Vec3& p, const Wanted& wanted, const F& f) const {
    if (instances_ != nullptr) instances_->for_each_around(p, wanted, f);
    if (solids_ == nullptr) return;
    solids_->for_each_around(environment_, p, [&](std::uint32_t object) {
      if (surface_[object] == 0 && wanted(object)) f(object);
    });
  }
  /// True if the object is solid and holds p.
  [[nodiscard]] bool holds(std::uint32_t object, const Vec3& p) const;

 private:
  Environment environment_;
  const scene::Solids* solids_ = nullptr;  ///< the environment's; null: no object is solid
  std::vector<std::uint8_t> surface_;      ///< per object
  /// Of a scene, whose objects say themselves whether they are solid; else null.
  const scene::Instances* instances_ = nullptr;
};

}  // namespace tocsin::detect
