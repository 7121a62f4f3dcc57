// glTF files with skeletons and animations, put together by hand for tests; and joints in the
// world.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "io/room_files.h"
#include "tocsin/motion.h"

namespace tocsin::test {

/// One channel of an animation.
struct Channel {
  int node = 0;
  std::string path;  ///< "translation", "rotation" (x y z w), "scale"
  std::vector<float> times;
  std::vector<float> values;
  std::string interpolation = "LINEAR";
};

/// Collects a file's buffer, and its accessors and animations as JSON.
class GltfParts {
 public:
  /// Appends an animation; an empty name: none is written.
  void animation(const std::string& name, const std::vector<Channel>& channels,
                 const std::string& more = "") {
    std::string samplers;
    std::string list;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const Channel& channel = channels[i];
      const int input = floats(channel.times, "SCALAR");
      const int output = floats(channel.values, channel.path == "rotation" ? "VEC4" : "VEC3");
      const std::string comma = i == 0 ? "" : ",";
      samplers += comma + R"({"input":)" + std::to_string(input) + R"(,"output":)" +
                  std::to_string(output) + R"(,"interpolation":")" + channel.interpolation + "\"}";
      list += comma + R"({"sampler":)" + std::to_string(i) + R"(,"target":{"node":)" +
              std::to_string(channel.node) + R"(,"path":")" + channel.path + "\"}}";
    }
    animations_ += (animations_.empty() ? "" : ",") + std::string("{") +
                   (name.empty() ? "" : R"("name":")" + name + "\",") + R"("samplers":[)" +
                   samplers + R"(],"channels":[)" + list + "]" + more + "}";
  }

  /// The whole document. `nodes`, `skins` and `roots` are JSON without the brackets; skins may be
  /// empty. Mesh 0 exists.
  [[nodiscard]] std::string json(const std::string& nodes, const std::string& skins,
                                 const std::string& roots, const std::string& uri = "") {
    const int positions = floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[)" + roots +
           R"(]}],"nodes":[)" + nodes + "]" + (skins.empty() ? "" : R"(,"skins":[)" + skins + "]") +
           (animations_.empty() ? "" : R"(,"animations":[)" + animations_ + "]") +
           R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":)" + std::to_string(positions) +
           R"(}}]}],"buffers":[{"byteLength":)" + std::to_string(bytes.size()) +
           (uri.empty() ? "" : R"(,"uri":")" + uri + "\"") + R"(}],"bufferViews":[)" + views_ +
           R"(],"accessors":[)" + accessors_ + "]}";
  }

  std::string bytes;

 private:
  int floats(const std::vector<float>& values, const std::string& type) {
    const std::size_t each = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
    const std::string comma = views_.empty() ? "" : ",";
    views_ += comma + R"({"buffer":0,"byteOffset":)" + std::to_string(bytes.size()) +
              R"(,"byteLength":)" + std::to_string(4 * values.size()) + "}";
    accessors_ += comma + R"({"bufferView":)" + std::to_string(count_) +
                  R"(,"componentType":5126,"count":)" + std::to_string(values.size() / each) +
                  R"(,"type":")" + type + "\"}";
    for (const float value : values) bytes += f32({value});
    return count_++;
  }

  std::string views_;
  std::string accessors_;
  std::string animations_;
  int count_ = 0;
};

inline constexpr float kHalf = 0.70710678F;  ///< sin 45 degrees

/// Where all joints are at a frame, by naive composition.
inline std::vector<Vec3> joints_at(const Motion& motion, std::int64_t frame) {
  struct Place {
    std::array<std::array<double, 3>, 3> r{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    std::array<double, 3> t{0, 0, 0};
  };
  std::vector<Place> world;
  std::vector<Vec3> out;
  for (int i = 0; i < motion.skeleton().size(); ++i) {
    const Joint& joint = motion.skeleton().joints()[static_cast<std::size_t>(i)];
    const Transform& local = motion.pose(frame)[static_cast<std::size_t>(i)];
    const auto& [w, x, y, z] = local.rotation;
    const std::array<std::array<double, 3>, 3> m{
        {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
         {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
         {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
    const std::array<double, 3> t{local.translation.x, local.translation.y, local.translation.z};
    const Place parent = joint.parent < 0 ? Place{} : world[static_cast<std::size_t>(joint.parent)];
    Place place;
    for (std::size_t a = 0; a < 3; ++a) {
      place.t[a] = parent.t[a];
      for (std::size_t b = 0; b < 3; ++b) {
        place.t[a] += parent.r[a][b] * t[b];
        place.r[a][b] = 0;
        for (std::size_t c = 0; c < 3; ++c) place.r[a][b] += parent.r[a][c] * m[c][b];
      }
    }
    world.push_back(place);
    out.push_back({place.t[0], place.t[1], place.t[2]});
  }
  return out;
}

inline void expect_near(const Vec3& a, const Vec3& b, double tolerance, const std::string& what) {
  EXPECT_NEAR(a.x, b.x, tolerance) << what;
  EXPECT_NEAR(a.y, b.y, tolerance) << what;
  EXPECT_NEAR(a.z, b.z, tolerance) << what;
}

inline std::vector<std::string> joint_names(const Motion& motion) {
  std::vector<std::string> out;
  for (const Joint& joint : motion.skeleton().joints()) out.push_back(joint.name);
  return out;
}

inline bool warns(const Motion& motion, const std::string& part) {
  for (const std::string& warning : motion.source().warnings) {
    if (warning.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace tocsin::test
