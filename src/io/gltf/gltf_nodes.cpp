#include "io/gltf/gltf_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/packed.h"
#include "base/quoted.h"
#include "io/gltf/glb.h"
#include "io/gltf/gltf_json.h"
#include "io/nodes/named_nodes.h"

namespace tocsin::io {
namespace {

/// Collects nodes[i].children and passes over everything else.
class NodeCollector {
 public:
  std::vector<std::vector<std::size_t>> children;
  bool version_1 = false;  ///< "nodes" is an object: glTF 1.0

  // nlohmann's SAX interface.
  bool null() { return true; }
  bool boolean(bool /*value*/) { return true; }
  bool number_integer(nlohmann::json::number_integer_t /*value*/) { return true; }
  bool number_unsigned(nlohmann::json::number_unsigned_t value) {
    if (depth_ == 4 && in_children_ && !children.empty()) children.back().push_back(value);
    return true;
  }
  bool number_float(double /*value*/, const std::string& /*token*/) { return true; }
  bool string(std::string& /*value*/) { return true; }
  bool binary(nlohmann::json::binary_t& /*value*/) { return true; }
  bool key(std::string& name) {
    if (depth_ == 1) in_nodes_ = name == "nodes";
    if (depth_ == 3) in_children_ = in_nodes_ && name == "children";
    return true;
  }
  bool start_object(std::size_t /*size*/) {
    if (depth_ == 1 && in_nodes_) version_1 = true;
    if (depth_ == 2 && in_nodes_) children.emplace_back();
    ++depth_;
    if (depth_ == 3) in_children_ = false;
    return true;
  }
  bool start_array(std::size_t /*size*/) {
    ++depth_;
    return true;
  }
  bool end_object() { return --depth_ >= 0; }
  bool end_array() { return --depth_ >= 0; }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const std::exception& /*error*/) {
    return false;
  }

 private:
  int depth_ = 0;  ///< 1: in the root object; 2: in "nodes"; 3: in a node; 4: in its "children"
  bool in_nodes_ = false;
  bool in_children_ = false;
};

/// Depth-first, without recursion. `height[i]`: levels at and below node i; 0 while it is not
/// known.
std::string depth_fault(const std::vector<std::vector<std::size_t>>& children, int max_depth) {
  std::vector<int> height(children.size(), 0);
  std::vector<char> open(children.size(), 0);
  struct Visit {
    std::size_t node;
    std::size_t next;
  };
  for (std::size_t root = 0; root < children.size(); ++root) {
    std::vector<Visit> stack;
    if (height[root] == 0) stack.push_back({root, 0});
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      open[node] = 1;
      if (next == children[node].size()) {
        int below = 0;
        for (const std::size_t child : children[node]) {
          if (child < height.size()) below = std::max(below, height[child]);
        }
        height[node] = below + 1;
        if (height[node] > max_depth)
          return fmt::format("nodes nested more than {} deep", max_depth);
        open[node] = 0;
        stack.pop_back();
        continue;
      }
      const std::size_t child = children[node][next++];
      if (child >= children.size()) continue;  // the importer says so
      if (open[child] != 0) return fmt::format("node {} lies below itself", child);
      if (height[child] == 0) stack.push_back({child, 0});
    }
  }
  return {};
}

}  // namespace

std::string_view gltf_json(std::string_view bytes) {
  constexpr std::size_t kJsonAt = kGlbHead + kGlbChunkHead;
  if (!bytes.starts_with(kGlbMagic) || bytes.size() < kJsonAt) return bytes;
  return bytes.substr(kJsonAt, base::get_packed(bytes.data() + kGlbHead));
}

std::string gltf_with_json(std::string_view bytes, std::string json) {
  if (!bytes.starts_with(kGlbMagic)) return json;
  constexpr std::size_t kHeads = kGlbHead + kGlbChunkHead;
  const std::size_t old_end = std::min(bytes.size(), kHeads + gltf_json(bytes).size());
  const std::string_view rest = bytes.substr(old_end);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string out(bytes.substr(0, 8));  // the magic and the version
  out.reserve(kHeads + json.size() + rest.size());
  base::append_packed(out, static_cast<std::uint32_t>(kHeads + json.size() + rest.size()));
  base::append_packed(out, static_cast<std::uint32_t>(json.size()));
  out += "JSON";
  out += json;
  out += rest;
  return out;
}

std::string gltf_node_fault(std::string_view json, int max_depth) {
  NodeCollector collector;
  try {
    nlohmann::json::sax_parse(json.begin(), json.end(), &collector);
  } catch (const std::exception&) {
    return {};  // out of memory: the importer needs more than this
  }
  if (collector.version_1) return {};
  return depth_fault(collector.children, max_depth);
}

Result<NamedNodes> named_gltf_nodes(std::string_view bytes) {
  try {
    const std::string_view json = gltf_json(bytes);
    nlohmann::json top = nlohmann::json::parse(json.begin(), json.end());
    NamedNodes out;
    for (std::size_t i = 0; i < gltf_length(top, "nodes"); ++i) {
      nlohmann::json& node = top["nodes"][i];
      NamedNode named;
      named.name = gltf_text(node, "name", fmt::format("nodes[{}]", i));
      const std::optional<Affine> local = gltf_local(node);
      if (!local) {
        return {ErrorCode::kInput, fmt::format("node {}: its transform is not affine, or its "
                                               "rotation is no unit quaternion",
                                               base::in_quotes(named.name))};
      }
      named.local = *local;
      node["name"] = numbered_node(i);
      out.nodes.push_back(std::move(named));
    }
    out.for_assimp =
        gltf_with_json(bytes, top.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return out;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory"};
  } catch (const std::exception& fault) {  // the parser's, which shows bytes of the file
    return {ErrorCode::kInput, base::escaped(fault.what(), 500)};
  }
}

}  // namespace tocsin::io
