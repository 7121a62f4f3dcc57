#include "selftest/scenes/wave.h"

#include <cmath>

namespace tocsin::selftest {

std::vector<Vec3f> wave(const Environment& room, std::size_t version) {
  constexpr float kReach = 0.05F;  // metres
  std::vector<Vec3f> out(room.vertices().begin(), room.vertices().end());
  const auto t = static_cast<float>(version);
  for (Vec3f& v : out) {
    const Vec3f by{std::sin(2.1F * v.y + 0.7F * t), std::sin(1.7F * v.x + 1.3F * v.z + 0.9F * t),
                   std::sin(2.6F * v.x + 0.8F * t)};
    v = {v.x + kReach * by.x, v.y + kReach * by.y, v.z + kReach * by.z};
  }
  return out;
}

}  // namespace tocsin::selftest
