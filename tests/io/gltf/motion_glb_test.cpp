// Motions written as GLB: read back by our reader, and looked into with nothing but the
// specification.
#include "io/gltf/motion_glb.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "io/gltf/glb.h"
#include "io/import/skinned_files.h"
#include "io/import/skinned_motion.h"
#include "support/data.h"
#include "tocsin/io.h"
#include "tocsin/version.h"

namespace tocsin::io::motion_glb_test {
namespace {

using test::expect_near;
using test::joints_at;
using test::RoomFolder;

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

/// A GLB taken apart by the specification; asserts what it demands.
struct Glb {
  nlohmann::json json;
  std::string binary;

  explicit Glb(const std::string& bytes) {
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(number_at(bytes, 4), 2U);
    EXPECT_EQ(number_at(bytes, 8), bytes.size());
    const std::size_t json_size = number_at(bytes, 12);
    EXPECT_EQ(json_size % 4, 0U);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    json = nlohmann::json::parse(bytes.substr(20, json_size));
    if (20 + json_size == bytes.size()) return;
    const std::size_t size = number_at(bytes, 20 + json_size);
    EXPECT_EQ(size % 4, 0U);
    EXPECT_EQ(bytes.substr(24 + json_size, 4), std::string("BIN\0", 4));
    EXPECT_EQ(28 + json_size + size, bytes.size());
    binary = bytes.substr(28 + json_size);
  }

  [[nodiscard]] std::vector<double> accessor(std::size_t index) const {
    const nlohmann::json& a = json["accessors"][index];
    const nlohmann::json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    const int component = a["componentType"];
    const std::size_t size = component == 5123 ? 2 : 4;
    const std::string type = a["type"];
    const std::size_t width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 16;
    const std::size_t count = a["count"].get<std::size_t>() * width;
    const auto offset = view["byteOffset"].get<std::size_t>();
    EXPECT_EQ(offset % 4, 0U);
    EXPECT_EQ(view["byteLength"].get<std::size_t>(), count * size);
    EXPECT_LE(offset + count * size, json["buffers"][0]["byteLength"].get<std::size_t>());
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i) {
      const char* const at = binary.data() + offset + i * size;
      if (component == 5126) {
        float value = 0;
        std::memcpy(&value, at, 4);
        out.push_back(static_cast<double>(value));
      } else {
        std::uint32_t value = 0;
        std::memcpy(&value, at, size);
        out.push_back(value);
      }
    }
    if (a.contains("min")) {
      for (std::size_t c = 0; c < width; ++c) {
        double low = out[c];
        double high = out[c];
        for (std::size_t i = c; i < out.size(); i += width) {
          low = std::min(low, out[i]);
          high = std::max(high, out[i]);
        }
        EXPECT_EQ(a["min"][c].get<double>(), low);
        EXPECT_EQ(a["max"][c].get<double>(), high);
      }
    }
    return out;
  }
};

/// A forest of joints with turned rest poses; every third joint's translation moves.
Motion random_motion(int joints, int frames, double frame_time, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto rotation = [&] {
    Quat q{uniform(random), uniform(random), uniform(random), uniform(random)};
    const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return Quat{q.w / n, q.x / n, q.y / n, q.z / n};
  };
  const auto offset = [&] {
    return Vec3{0.4 * uniform(random), 0.4 * uniform(random), 0.4 * uniform(random)};
  };
  // Depth first, as every format has them; at most 12 deep, as people are: every level adds the
  // rounding of its rotation.
  std::vector<Joint> list;
  std::vector<int> depth;
  for (int i = 0; i < joints; ++i) {
    int parent = i - 1;
    while (parent >= 0 &&
           (depth[static_cast<std::size_t>(parent)] >= 12 || uniform(random) > 0.3)) {
      parent = list[static_cast<std::size_t>(parent)].parent;
    }
    depth.push_back(parent < 0 ? 1 : depth[static_cast<std::size_t>(parent)] + 1);
    list.push_back(
        {"joint " + std::to_string(i) + " \"\xc3\xa4\"", parent, {rotation(), offset()}});
  }
  std::vector<Transform> poses;
  for (int k = 0; k < frames; ++k) {
    for (int i = 0; i < joints; ++i) {
      const Vec3 still = list[static_cast<std::size_t>(i)].rest.translation;
      poses.push_back({rotation(), i % 3 == 0 ? offset() : still});
    }
  }
  Result<Skeleton> skeleton = Skeleton::create(std::move(list));
  Result<Motion> motion = Motion::create(std::move(skeleton).value(), frame_time, std::move(poses));
  EXPECT_TRUE(motion.ok()) << motion.error().message;
  return std::move(motion).value();
}

void expect_same(const Motion& a, const Motion& b) {
  ASSERT_EQ(a.skeleton().size(), b.skeleton().size());
  for (std::size_t i = 0; i < a.skeleton().joints().size(); ++i) {
    EXPECT_EQ(a.skeleton().joints()[i].name, b.skeleton().joints()[i].name);
    EXPECT_EQ(a.skeleton().joints()[i].parent, b.skeleton().joints()[i].parent);
  }
  ASSERT_EQ(a.frame_count(), b.frame_count());
  EXPECT_EQ(a.frame_time(), b.frame_time());
  double worst = 0.0;
  for (std::int64_t k = 0; k < a.frame_count(); ++k) {
    const std::vector<Vec3> p = joints_at(a, k);
    const std::vector<Vec3> q = joints_at(b, k);
    for (std::size_t i = 0; i < p.size(); ++i) {
      worst = std::max({worst, std::fabs(p[i].x - q[i].x), std::fabs(p[i].y - q[i].y),
                        std::fabs(p[i].z - q[i].z)});
    }
  }
  EXPECT_LT(worst, 1e-6);
  const std::vector<Vec3> p = a.skeleton().rest_positions();
  const std::vector<Vec3> q = b.skeleton().rest_positions();
  for (std::size_t i = 0; i < p.size(); ++i) expect_near(p[i], q[i], 1e-6, "at rest");
}

TEST(MotionGlb, ComesBackAsItWas) {
  const RoomFolder folder;
  unsigned seed = 1;
  for (const auto& [joints, frames] : {std::pair{1, 2}, {2, 1}, {7, 5}, {40, 60}, {300, 3}}) {
    for (const double frame_time : {1.0 / 120.0, 0.0083333, 0.0417083750417, 1.0}) {
      const Motion motion = random_motion(joints, frames, frame_time, seed++);
      const auto file = folder.write("m.glb", "");
      const Status written = write_motion_glb(motion, file);
      ASSERT_TRUE(written.ok()) << written.error().message;
      const Result<Motion> back = read_skinned_motion(file, {});
      ASSERT_TRUE(back.ok()) << back.error().message;
      expect_same(motion, *back);
      EXPECT_TRUE(back->source().warnings.empty()) << back->source().warnings.front();
      EXPECT_TRUE(back->source().rate_reason.empty());
      EXPECT_TRUE(back->source().clip.empty());
    }
  }
}

TEST(MotionGlb, ARecordedTakeComesBackAsItWas) {
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  const Result<Motion> take = tocsin::load_motion(test::data_path("motions/cmu_bvh/01_01.bvh"));
  ASSERT_TRUE(take.ok()) << take.error().message;
  const RoomFolder folder;
  const auto file = folder.write("m.glb", "");
  ASSERT_TRUE(write_motion_glb(*take, file).ok());
  const Result<Motion> back = read_skinned_motion(file, {});
  ASSERT_TRUE(back.ok()) << back.error().message;
  expect_same(*take, *back);
  const Result<MotionContents> list = list_motions(file);
  ASSERT_EQ(list->clips.size(), 1U);
  EXPECT_EQ(list->clips[0].name, "01_01");
  EXPECT_EQ(list->clips[0].keys, 2752);
}

TEST(MotionGlb, IsWhatTheSpecificationDemands) {
  const Motion motion = random_motion(11, 7, 0.25, 99);
  const RoomFolder folder;
  const auto file = folder.write("m.glb", "");
  ASSERT_TRUE(write_motion_glb(motion, file).ok());
  const Glb glb(bytes_of(file));
  const nlohmann::json& json = glb.json;
  EXPECT_EQ(json["asset"]["version"], "2.0");
  EXPECT_EQ(json["asset"]["generator"], std::string("Tocsin ") + tocsin::kVersion);
  for (std::size_t i = 0; i < json["accessors"].size(); ++i) EXPECT_FALSE(glb.accessor(i).empty());

  const nlohmann::json& primitive = json["meshes"][0]["primitives"][0];
  const nlohmann::json& attributes = primitive["attributes"];
  const std::vector<double> positions = glb.accessor(attributes["POSITION"]);
  const std::vector<double> joints = glb.accessor(attributes["JOINTS_0"]);
  const std::vector<double> weights = glb.accessor(attributes["WEIGHTS_0"]);
  const std::vector<double> indices = glb.accessor(primitive["indices"]);
  ASSERT_TRUE(json["accessors"][attributes["POSITION"].get<std::size_t>()].contains("min"));
  ASSERT_EQ(joints.size() / 4, positions.size() / 3);
  ASSERT_EQ(weights.size(), joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    EXPECT_LT(joints[i], 11.0);
    EXPECT_EQ(weights[i], i % 4 == 0 ? 1.0 : 0.0);
  }
  for (const double index : indices) EXPECT_LT(index, static_cast<double>(positions.size() / 3));
  const auto target = [&](const nlohmann::json& accessor) {
    const nlohmann::json& a = json["accessors"][accessor.get<std::size_t>()];
    return json["bufferViews"][a["bufferView"].get<std::size_t>()].value("target", 0);
  };
  EXPECT_EQ(target(attributes["POSITION"]), 34962);
  EXPECT_EQ(target(primitive["indices"]), 34963);

  // Every closed octahedron has its outside outside: its volume by the divergence theorem.
  for (std::size_t bone = 0; bone + 24 <= indices.size(); bone += 24) {
    double volume = 0.0;
    for (std::size_t i = bone; i < bone + 24; i += 3) {
      const auto corner = [&](std::size_t k) {
        const auto v = 3 * static_cast<std::size_t>(indices[i + k]);
        return std::array<double, 3>{positions[v], positions[v + 1], positions[v + 2]};
      };
      const auto a = corner(0);
      const auto b = corner(1);
      const auto c = corner(2);
      volume += a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    EXPECT_GT(volume, 0.0);
  }

  // The inverse bind matrices take the joints' rest places to the origin.
  const std::vector<double> binds =
      glb.accessor(json["skins"][0]["inverseBindMatrices"].get<std::size_t>());
  const std::vector<Vec3> rest = motion.skeleton().rest_positions();
  ASSERT_EQ(binds.size(), 16 * rest.size());
  for (std::size_t j = 0; j < rest.size(); ++j) {
    const double* const m = binds.data() + 16 * j;
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_NEAR(
          m[row] * rest[j].x + m[4 + row] * rest[j].y + m[8 + row] * rest[j].z + m[12 + row], 0.0,
          1e-6);
      EXPECT_EQ(m[4 * row + 3], 0.0);
    }
    EXPECT_EQ(m[15], 1.0);
  }

  const nlohmann::json& animation = json["animations"][0];
  EXPECT_EQ(animation["name"], "m");
  int turned = 0;
  int moved = 0;
  for (const nlohmann::json& channel : animation["channels"]) {
    const nlohmann::json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
    const std::vector<double> times = glb.accessor(sampler["input"]);
    EXPECT_EQ(times, (std::vector<double>{0, 0.25, 0.5, 0.75, 1, 1.25, 1.5}));
    const std::vector<double> values = glb.accessor(sampler["output"]);
    if (channel["target"]["path"] == "rotation") {
      ++turned;
      for (std::size_t i = 4; i < values.size(); i += 4) {
        double cosine = 0.0;
        for (std::size_t c = 0; c < 4; ++c) cosine += values[i + c] * values[i + c - 4];
        EXPECT_GE(cosine, 0.0);
      }
    } else {
      ++moved;
      EXPECT_EQ(channel["target"]["node"].get<int>() % 3, 0);
    }
  }
  EXPECT_EQ(turned, 11);
  EXPECT_EQ(moved, 4);
}

TEST(MotionGlb, WhatCannotBeWritten) {
  const RoomFolder folder;
  const auto file = folder.write("old.glb", "old");
  EXPECT_EQ(write_motion_glb(Motion(), file).error().code, ErrorCode::kInput);
  EXPECT_EQ(bytes_of(file), "old");
  const Status nowhere =
      write_motion_glb(random_motion(1, 1, 1.0, 5), file.parent_path() / "no" / "such.glb");
  EXPECT_EQ(nowhere.error().code, ErrorCode::kResource);
}

TEST(GlbWriter, PadsAndCounts) {
  const RoomFolder folder;
  const auto file = folder.write("x.glb", "");
  for (const std::size_t size : std::vector<std::size_t>{0, 1, 2, 3, 4, 70001}) {
    const std::string binary(size, '\7');
    const std::string json = R"({"asset":{"version":"2.0"},"n":)" + std::to_string(size) + "}";
    GlbWriter writer;
    ASSERT_TRUE(writer.open(file, json, size).ok());
    ASSERT_TRUE(writer.write(std::string_view(binary).substr(0, size / 2)).ok());
    ASSERT_TRUE(writer.write(std::string_view(binary).substr(size / 2)).ok());
    ASSERT_TRUE(writer.finish().ok());
    const Glb glb(bytes_of(file));
    EXPECT_EQ(glb.json["n"], size);
    EXPECT_EQ(glb.binary.substr(0, size), binary);
    EXPECT_EQ(glb.binary.substr(size), std::string(glb.binary.size() - size, '\0'));
    EXPECT_EQ(glb.binary.size(), (size + 3) / 4 * 4);
  }
  GlbWriter writer;
  EXPECT_EQ(writer.open(file, "{}", std::uint64_t{1} << 32U).error().code, ErrorCode::kInput);
  EXPECT_EQ(writer.open(file, "{}", 0xFFFFFFFFFFFFFFFFU).error().code, ErrorCode::kInput);
}

TEST(GlbWriter, LeavesNothingHalfWritten) {
  const RoomFolder folder;
  const auto file = folder.write("x.glb", "old");
  {
    GlbWriter writer;
    ASSERT_TRUE(writer.open(file, "{}", 100).ok());
    ASSERT_TRUE(writer.write("abc").ok());
  }
  EXPECT_EQ(bytes_of(file), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1);
}

}  // namespace
}  // namespace tocsin::io::motion_glb_test
