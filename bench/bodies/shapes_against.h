// bench_shapes beside other libraries: two bodies, the same steps, what each says and what it
// costs.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "selftest/scenes/moving_meshes.h"
#include "shared/timing.h"

namespace tocsin::bench {

struct AgainstScene {
  std::string name;
  selftest::TwoBodies bodies;
  bool convex = false;
};
std::vector<AgainstScene> against_scenes(bool quick);

/// One library on one scene. Microseconds a step.
struct AgainstRow {
  std::string scene;
  std::size_t triangles = 0;  ///< of one body
  std::string who;
  std::size_t steps = 0;  ///< looked at; fewer where a library's time ran out
  Figures times;
  double most = 0.0;
  std::size_t touching = 0;
  std::size_t missed = 0;  ///< steps with a proved touch of which it says that there is none
  std::size_t late = 0;    ///< touches that it finds later than kLate after the proved bracket
  std::size_t untrue = 0;  ///< touches of which it is proved that there are none
};

/// Our own row, then a row for each library that is there.
std::vector<AgainstRow> compare(const AgainstScene& scene, bool quick);

std::string text_of(const std::vector<AgainstRow>& rows);
nlohmann::ordered_json json_of(const std::vector<AgainstRow>& rows);

}  // namespace tocsin::bench
