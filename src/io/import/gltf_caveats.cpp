#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "io/gltf/gltf_json.h"
#include "io/import/room_caveats.h"

namespace tocsin::io {
namespace {

using Json = nlohmann::json;

/// The extension whose positions are integers.
constexpr std::string_view kQuantization = "KHR_mesh_quantization";

/// Extensions that move no vertex, or that assimp reads (Draco, unless it was built without: then
/// it says so).
constexpr std::string_view kHarmless[] = {
    "KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_",
    "KHR_lights_",    "EXT_lights_",  "KHR_xmp",      "KHR_draco_mesh_compression",
};

/// The member of that name if it is a list, else an empty one.
const Json& list(const Json& object, const char* name) {
  static const Json kNone = Json::array();
  const Json* const found = member(object, name);
  return found != nullptr && found->is_array() ? *found : kNone;
}

std::string_view text(const Json* value) {
  if (value == nullptr || !value->is_string()) return {};
  return value->get_ref<const std::string&>();
}

/// The entry of `entries` that `index` refers to, or null.
const Json* entry(const Json& entries, const Json* index) {
  if (index == nullptr || !index->is_number_unsigned()) return nullptr;
  const auto i = index->get<std::size_t>();
  return i < entries.size() ? &entries[i] : nullptr;
}

/// `node "Chair"`, or `node 7` if it has no name.
std::string label(const char* what, const Json& object, std::size_t number) {
  const std::string_view name = text(member(object, "name"));
  return name.empty() ? fmt::format("{} {}", what, number)
                      : fmt::format("{} {}", what, base::in_quotes(name));
}

std::string component_name(double type) {
  if (type == 5120 || type == 5121) return "8-bit integers";
  if (type == 5122 || type == 5123) return "16-bit integers";
  if (type == 5125) return "32-bit integers";
  return fmt::format("numbers of type {}", type);
}

/// Empty, or why assimp cannot read the positions. Whatever is missing it misses, too.
std::string position_fault(const Json& accessor) {
  if (member(accessor, "sparse") != nullptr) {
    return "sparse positions in a file with Draco, which assimp may read wrongly; write the file "
           "without either";
  }
  const Json* const component = member(accessor, "componentType");
  if (component != nullptr && component->is_number() && component->get<double>() != kGltfFloat) {
    return fmt::format(
        "positions as {}, which assimp takes for floats; write them as floats, e.g. gltfpack -noq",
        component_name(component->get<double>()));
  }
  const std::string_view type = text(member(accessor, "type"));
  if (!type.empty() && type != "VEC3") {
    return fmt::format("positions of type {}, not VEC3", base::in_quotes(type));
  }
  return {};
}

class Inspector {
 public:
  Inspector(const Json& top, bool by_assimp) : top_(top), by_assimp_(by_assimp) {}

  /// Empty, or what must be refused. The more telling ones first.
  std::string fault() const {
    const Json& meshes = list(top_, "meshes");
    for (std::size_t i = 0; by_assimp_ && i < meshes.size(); ++i) {
      std::string cause = mesh_fault(meshes[i]);
      if (!cause.empty()) return fmt::format("{}, {}", label("mesh", meshes[i], i), cause);
    }
    const Json& nodes = list(top_, "nodes");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Json* const extensions = member(nodes[i], "extensions");
      if (extensions != nullptr && member(*extensions, "EXT_mesh_gpu_instancing") != nullptr) {
        return fmt::format(
            "{}: instances (EXT_mesh_gpu_instancing), which are not read; "
            "write a node for each",
            label("node", nodes[i], i));
      }
    }
    return extension_fault();
  }

  std::vector<std::string> warnings() const {
    Found skinned;
    Found morphed;
    const Json& nodes = list(top_, "nodes");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Json* const mesh = entry(list(top_, "meshes"), member(nodes[i], "mesh"));
      if (mesh == nullptr) continue;
      if (member(nodes[i], "skin") != nullptr) skinned.add(nodes[i], i);
      const bool own = member(nodes[i], "weights") != nullptr;
      if (has_weight(own ? nodes[i] : *mesh)) morphed.add(nodes[i], i);
    }
    std::vector<std::string> out;
    skinned.report(out, "with a skin: read at the node's own place, not posed by its joints");
    morphed.report(out, "with morph targets that weigh something: read without them");
    return out;
  }

 private:
  /// Nodes that share a caveat.
  struct Found {
    std::size_t count = 0;
    std::string first;

    void add(const Json& node, std::size_t number) {
      if (count++ == 0) first = label("node", node, number);
    }
    void report(std::vector<std::string>& out, std::string_view what) const {
      if (count == 0) return;
      out.push_back(
          fmt::format("{} mesh{} {} (first: {})", count, count == 1 ? "" : "es", what, first));
    }
  };

  static bool has_weight(const Json& owner) {
    for (const Json& weight : list(owner, "weights")) {
      if (weight.is_number() && weight.get<double>() != 0.0) return true;
    }
    return false;
  }

  std::string mesh_fault(const Json& mesh) const {
    const Json& primitives = list(mesh, "primitives");
    for (std::size_t i = 0; i < primitives.size(); ++i) {
      const Json* const attributes = member(primitives[i], "attributes");
      std::string cause = attributes == nullptr ? std::string() : positions_of(*attributes);
      if (!cause.empty()) return fmt::format("primitive {}: {}", i, cause);
      const Json& targets = list(primitives[i], "targets");
      for (std::size_t k = 0; k < targets.size(); ++k) {
        cause = positions_of(targets[k]);
        if (!cause.empty()) return fmt::format("primitive {}, morph target {}: {}", i, k, cause);
      }
    }
    return {};
  }

  std::string positions_of(const Json& attributes) const {
    const Json* const accessor = entry(list(top_, "accessors"), member(attributes, "POSITION"));
    return accessor == nullptr ? std::string() : position_fault(*accessor);
  }

  std::string extension_fault() const {
    for (const Json& required : list(top_, "extensionsRequired")) {
      const std::string_view name = text(&required);
      bool known = !required.is_string() || (!by_assimp_ && name == kQuantization);
      for (const std::string_view harmless : kHarmless) known |= name.starts_with(harmless);
      if (known) continue;
      return fmt::format("needs the extension {}, which is not read; write the file without it{}",
                         base::in_quotes(name),
                         name == "EXT_meshopt_compression" || name == kQuantization
                             ? ", e.g. gltfpack -noq without -c"
                             : "");
    }
    return {};
  }

  const Json& top_;
  bool by_assimp_;
};

}  // namespace

Result<RoomCaveats> gltf_caveats(const Json& top, bool by_assimp) {
  const Inspector inspector(top, by_assimp);
  if (std::string fault = inspector.fault(); !fault.empty()) {
    return {ErrorCode::kInput, std::move(fault)};
  }
  return RoomCaveats{inspector.warnings()};
}

}  // namespace tocsin::io
