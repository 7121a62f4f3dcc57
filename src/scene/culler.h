// A culler throws away triangles that provably stay clear of a link during a step.
#pragma once

#include <cstdint>
#include <string>

#include "scene/candidates.h"
#include "scene/swept_link.h"

namespace tocsin::scene {

/// What culling costs. Paper 001, section 3.2: T = Nv Cv + Np Cp + Nu Cu.
struct CullCounters {
  std::uint64_t volume_tests = 0;     ///< Nv: pairs of bounding volumes tested for overlap
  std::uint64_t primitive_tests = 0;  ///< triangles looked at in leaves
  std::uint64_t updates = 0;          ///< Nu: bounding volumes made for moving links
};

/// Immutable after construction and safe to share between threads.
class Culler {
 public:
  Culler() = default;
  Culler(const Culler&) = delete;
  Culler& operator=(const Culler&) = delete;
  virtual ~Culler() = default;

  /// Appends to `candidates` the environment's triangles that the link may touch, each once, in any
  /// order. May keep too much; must never drop a triangle that certify would not call free. Adds to
  /// `counters`.
  virtual void cull(const SweptLink& link, Candidates& candidates,
                    CullCounters& counters) const = 0;

  /// "cpu", ...: the report's "backend"; and what it runs on.
  [[nodiscard]] virtual std::string backend() const = 0;
  [[nodiscard]] virtual std::string device() const = 0;
};

}  // namespace tocsin::scene
