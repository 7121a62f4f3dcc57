// A culler throws away triangles that provably stay clear of a link during a step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/swept_link.h"

namespace tocsin::scene {

/// Immutable after construction and safe to share between threads.
class Culler {
 public:
  Culler() = default;
  Culler(const Culler&) = delete;
  Culler& operator=(const Culler&) = delete;
  virtual ~Culler() = default;

  /// Appends to `candidates` the indices of the environment's triangles that the link may touch,
  /// each once, in any order. May keep too much; must never drop a triangle that certify would not
  /// call free.
  virtual void cull(const SweptLink& link, std::vector<std::uint32_t>& candidates) const = 0;

  /// "cpu", ...: the report's "backend"; and what it runs on.
  [[nodiscard]] virtual std::string backend() const = 0;
  [[nodiscard]] virtual std::string device() const = 0;
};

}  // namespace tocsin::scene
