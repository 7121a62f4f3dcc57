// A query about two hulls, in the form that core takes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/query/certify_hulls.h"
#include "oracle/hulls/prove_hulls.h"

namespace tocsin::oracle::test {

/// A query as certify_hulls wants it. Holds pointers into `query`, which must outlive it.
class HullInput {
 public:
  explicit HullInput(const HullQuery& query);

  core::FramePair frames;
  core::Hull first;
  core::Hull second;

  [[nodiscard]] core::Certificate certify(double tolerance, double stop_after) const;
  [[nodiscard]] double eta() const;

 private:
  std::array<std::vector<std::int32_t>, 2> chains_;
};

}  // namespace tocsin::oracle::test
