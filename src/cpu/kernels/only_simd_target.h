// The SIMD targets that this build and this processor have.
#pragma once

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tocsin::cpu {

/// One of Highway's targets.
struct SimdTarget {
  std::int64_t id = 0;
  std::string name;  ///< "AVX2"
};

/// Best first.
inline std::vector<SimdTarget> simd_targets() {
  std::vector<SimdTarget> out;
  for (const std::int64_t id : hwy::SupportedAndGeneratedTargets())
    out.push_back({id, hwy::TargetName(id)});
  return out;
}

/// As long as it exists, the whole process uses one target; afterwards the best. Precondition:
/// nothing uses the kernels while it is made or destroyed.
class OnlySimdTarget {
 public:
  /// id: of simd_targets(); 0: the best.
  explicit OnlySimdTarget(std::int64_t id) { choose(id); }
  ~OnlySimdTarget() { choose(0); }
  OnlySimdTarget(const OnlySimdTarget&) = delete;
  OnlySimdTarget& operator=(const OnlySimdTarget&) = delete;

 private:
  static void choose(std::int64_t id) {
    hwy::SetSupportedTargetsForTest(id);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

}  // namespace tocsin::cpu
