// A .glb taken apart by nothing but the specification: Khronos, glTF 2.0, sections 3 and 4.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace tocsin::test {

/// Its two chunks; expects what the specification demands of the container and of every accessor.
struct GlbParts {
  nlohmann::json json;
  std::string binary;

  explicit GlbParts(const std::string& bytes) {
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(number_at(bytes, 4), 2U);
    EXPECT_EQ(number_at(bytes, 8), bytes.size());
    const std::size_t json_size = number_at(bytes, 12);
    EXPECT_EQ(json_size % 4, 0U);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    json = nlohmann::json::parse(bytes.substr(20, json_size));
    const std::size_t size = number_at(bytes, 20 + json_size);
    EXPECT_EQ(size % 4, 0U);
    EXPECT_EQ(bytes.substr(24 + json_size, 4), std::string("BIN\0", 4));
    EXPECT_EQ(28 + json_size + size, bytes.size());
    binary = bytes.substr(28 + json_size);
    EXPECT_EQ(json["asset"]["version"], "2.0");
    const std::size_t stated = json["buffers"][0]["byteLength"];
    EXPECT_LE(stated, binary.size());
    EXPECT_LT(binary.size() - stated, 4U);  // padding
    EXPECT_EQ(json["buffers"].size(), 1U);
  }

  static std::uint32_t number_at(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  }

  static std::size_t width_of(const nlohmann::json& accessor) {
    const std::string type = accessor["type"];
    return type == "SCALAR" ? 1 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 0;
  }

  [[nodiscard]] std::vector<double> accessor(std::size_t index) const {
    const nlohmann::json& a = json["accessors"][index];
    const nlohmann::json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    const std::size_t width = width_of(a);
    EXPECT_GT(width, 0U);
    const std::size_t count = a["count"].get<std::size_t>() * width;
    EXPECT_GT(count, 0U);
    const std::size_t offset = view["byteOffset"];
    EXPECT_EQ(offset % 4, 0U);
    EXPECT_EQ(view["byteLength"].get<std::size_t>(), 4 * count);
    EXPECT_FALSE(view.contains("byteStride"));
    EXPECT_LE(offset + 4 * count, json["buffers"][0]["byteLength"].get<std::size_t>());
    const int component = a["componentType"];
    EXPECT_TRUE(component == 5126 || component == 5125) << component;
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i) {
      const char* const at = binary.data() + offset + 4 * i;
      float real = 0;
      std::uint32_t whole = 0;
      std::memcpy(&real, at, 4);
      std::memcpy(&whole, at, 4);
      out.push_back(component == 5126 ? static_cast<double>(real) : whole);
    }
    return out;
  }

  /// Expects that min and max are there, and are those of the data.
  void expect_bounds(std::size_t index) const {
    const nlohmann::json& a = json["accessors"][index];
    ASSERT_TRUE(a.contains("min") && a.contains("max")) << index;
    const std::vector<double> data = accessor(index);
    const std::size_t width = width_of(a);
    ASSERT_EQ(a["min"].size(), width);
    for (std::size_t c = 0; c < width; ++c) {
      double low = data[c];
      double high = data[c];
      for (std::size_t i = c; i < data.size(); i += width) {
        low = std::min(low, data[i]);
        high = std::max(high, data[i]);
      }
      EXPECT_EQ(a["min"][c].get<double>(), low);
      EXPECT_EQ(a["max"][c].get<double>(), high);
    }
  }

  void expect_mesh(const nlohmann::json& mesh) const {
    for (const nlohmann::json& primitive : mesh["primitives"]) {
      const std::size_t positions = primitive["attributes"]["POSITION"];
      expect_bounds(positions);
      const std::size_t vertices = json["accessors"][positions]["count"];
      if (primitive["attributes"].contains("NORMAL")) {
        const auto normals = accessor(primitive["attributes"]["NORMAL"]);
        EXPECT_EQ(normals.size(), 3 * vertices);
        for (std::size_t i = 0; i < normals.size(); i += 3) {
          const double square = normals[i] * normals[i] + normals[i + 1] * normals[i + 1] +
                                normals[i + 2] * normals[i + 2];
          EXPECT_NEAR(square, 1.0, 1e-4);
        }
      }
      const std::size_t indices = primitive["indices"];
      EXPECT_EQ(json["accessors"][indices]["count"].get<std::size_t>() % 3, 0U);
      for (const double i : accessor(indices)) EXPECT_LT(i, static_cast<double>(vertices));
      EXPECT_LT(primitive["material"].get<std::size_t>(), json["materials"].size());
    }
  }

  void expect_animation() const {
    const nlohmann::json& animation = json["animations"][0];
    std::set<std::pair<std::size_t, std::string>> targets;
    for (const nlohmann::json& channel : animation["channels"]) {
      const nlohmann::json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
      const std::size_t input = sampler["input"];
      expect_bounds(input);
      const auto times = accessor(input);
      EXPECT_GE(times.front(), 0.0);
      for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GT(times[i], times[i - 1]);
      const std::string path = channel["target"]["path"];
      const std::size_t node = channel["target"]["node"];
      EXPECT_LT(node, json["nodes"].size());
      EXPECT_TRUE(targets.emplace(node, path).second) << "two channels of one target";
      const std::size_t width = path == "rotation" ? 4 : 3;
      const auto values = accessor(sampler["output"]);
      EXPECT_EQ(values.size(), width * times.size());
      for (std::size_t i = 0; width == 4 && i < values.size(); i += 4) {
        double square = 0.0;
        for (std::size_t k = 0; k < 4; ++k) square += values[i + k] * values[i + k];
        EXPECT_NEAR(square, 1.0, 1e-5);
      }
      // Readers that do not look for the shorter way take it, too.
      for (std::size_t i = 4; width == 4 && sampler["interpolation"] == "LINEAR"; i += 4) {
        if (i >= values.size()) break;
        double cosine = 0.0;
        for (std::size_t k = 0; k < 4; ++k) cosine += values[i + k] * values[i + k - 4];
        EXPECT_GE(cosine, 0.0) << i;
      }
    }
  }

  /// Every node is a child once, or a root of the scene; names are distinct.
  void expect_tree() const {
    std::vector<int> seen(json["nodes"].size(), 0);
    for (const std::size_t root : json["scenes"][0]["nodes"]) ++seen[root];
    std::set<std::string> names;
    for (const nlohmann::json& node : json["nodes"]) {
      EXPECT_TRUE(names.insert(node["name"]).second) << node["name"];
      if (node.contains("children")) {
        for (const std::size_t child : node["children"]) ++seen[child];
      }
      if (node.contains("mesh")) {
        EXPECT_LT(node["mesh"].get<std::size_t>(), json["meshes"].size());
      }
    }
    for (const int times : seen) EXPECT_EQ(times, 1);
  }

  /// Every mesh and every material is used.
  void expect_all_used() const {
    std::set<std::size_t> meshes;
    std::set<std::size_t> materials;
    for (const nlohmann::json& node : json["nodes"]) {
      if (node.contains("mesh")) meshes.insert(node["mesh"].get<std::size_t>());
    }
    for (const nlohmann::json& mesh : json["meshes"]) {
      materials.insert(mesh["primitives"][0]["material"].get<std::size_t>());
    }
    EXPECT_EQ(meshes.size(), json["meshes"].size());
    EXPECT_EQ(materials.size(), json["materials"].size());
  }

  /// All of the above.
  void expect_sound() const {
    expect_all_used();
    for (std::size_t i = 0; i < json["accessors"].size(); ++i) (void)accessor(i);
    for (const nlohmann::json& mesh : json["meshes"]) expect_mesh(mesh);
    if (json.contains("animations")) expect_animation();
    expect_tree();
  }

  /// The index of the node of that name; -1: there is none.
  [[nodiscard]] int node(const std::string& name) const {
    for (std::size_t i = 0; i < json["nodes"].size(); ++i) {
      if (json["nodes"][i]["name"] == name) return static_cast<int>(i);
    }
    return -1;
  }
  /// Times and values of a node's channel; empty: it has none.
  [[nodiscard]] std::pair<std::vector<double>, std::vector<double>> channel(
      int node, const std::string& path) const {
    const nlohmann::json& animation = json["animations"][0];
    for (const nlohmann::json& c : animation["channels"]) {
      if (c["target"]["node"] != node || c["target"]["path"] != path) continue;
      const nlohmann::json& sampler = animation["samplers"][c["sampler"].get<std::size_t>()];
      return {accessor(sampler["input"]), accessor(sampler["output"])};
    }
    return {};
  }
};

}  // namespace tocsin::test
