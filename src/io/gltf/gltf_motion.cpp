#include "io/gltf/gltf_motion.h"

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/quoted.h"
#include "io/gltf/gltf_json.h"
#include "io/gltf/gltf_nodes.h"
#include "io/nodes/named_nodes.h"

namespace tocsin::io {
namespace {

using Json = nlohmann::json;

class GltfReader {
 public:
  explicit GltfReader(Json& top) : top_(top) {}

  GltfMotion read() {
    const Json* const nodes = member(top_, "nodes");
    if (nodes != nullptr && nodes->is_object()) {
      gltf_fail("glTF 1.0, of which only rooms are read; write it as glTF 2.0");
    }
    read_nodes();
    read_skins();
    for (std::size_t i = 0; i < gltf_length(top_, "animations"); ++i) read_clip(i);
    // assimp would decode all of it, and does not survive every skin.
    for (const char* what : {"meshes", "materials", "textures", "images", "samplers", "skins",
                             "cameras", "extensions", "extensionsUsed", "extensionsRequired"}) {
      top_.erase(what);
    }
    return std::move(out_);
  }

 private:
  void read_nodes() {
    for (std::size_t i = 0; i < gltf_length(top_, "nodes"); ++i) {
      Json& node = top_["nodes"][i];
      if (!node.is_object()) gltf_fail("node {} is not an object", i);
      const Json* const extensions = member(node, "extensions");
      const bool light =
          extensions != nullptr && member(*extensions, "KHR_lights_punctual") != nullptr;
      const bool mesh = member(node, "mesh") != nullptr;
      const bool visible = light || mesh || member(node, "camera") != nullptr;
      const bool has_matrix = member(node, "matrix") != nullptr;
      out_.nodes.push_back({gltf_text(node, "name", fmt::format("node {}", i)), visible, mesh,
                            gltf_local(node), has_matrix ? std::nullopt : gltf_transform(node)});
      for (const char* what : {"mesh", "skin", "camera", "extensions", "extras"}) node.erase(what);
      node["name"] = numbered_node(i);
    }
  }

  void read_skins() {
    for (std::size_t i = 0; i < gltf_length(top_, "skins"); ++i) {
      const Json& skin = top_["skins"][i];
      SceneSkin out{gltf_text(skin, "name", fmt::format("skin {}", i)), {}};
      const Json* const joints = member(skin, "joints");
      if (joints != nullptr && joints->is_array()) {
        for (const Json& joint : *joints) {
          const std::optional<std::size_t> node = gltf_index(&joint);
          if (!node || *node >= out_.nodes.size()) {
            gltf_fail("skin {}: a joint that does not exist", base::in_quotes(out.name));
          }
          out.joints.push_back(static_cast<int>(*node));
        }
      }
      out_.skins.push_back(std::move(out));
    }
  }

  void read_clip(std::size_t number) {
    Json& animation = top_["animations"][number];
    if (!animation.is_object()) gltf_fail("animation {} is not an object", number);
    GltfClip clip;
    clip.name = gltf_text(animation, "name", fmt::format("clip {}", number));
    if (const Json* const extras = member(animation, "extras")) {
      const Json* const frame_time = member(*extras, "frame_time");
      if (frame_time != nullptr && frame_time->is_number()) {
        clip.frame_time = frame_time->get<double>();
      }
    }
    Json kept = Json::array();
    if (const Json* const channels = member(animation, "channels"); channels != nullptr) {
      for (const Json& channel : *channels) {
        if (read_channel(animation, channel, clip)) kept.push_back(channel);
      }
    }
    animation["channels"] = std::move(kept);
    out_.clips.push_back(std::move(clip));
  }

  /// False if the channel moves no node: it is for morph targets, or for what extensions add.
  bool read_channel(const Json& animation, const Json& channel, GltfClip& clip) {
    const Json* const target = member(channel, "target");
    if (target == nullptr) return false;
    const std::string path = gltf_text(*target, "path", "");
    const std::optional<std::size_t> node = gltf_index(member(*target, "node"));
    if (!node) return false;
    TrackPath part = TrackPath::kTranslation;
    if (path == "rotation") {
      part = TrackPath::kRotation;
    } else if (path == "scale") {
      part = TrackPath::kScale;
    } else if (path != "translation") {
      if (path == "weights") ++out_.morph_channels;
      return false;
    }
    const std::string where =
        fmt::format("clip {}, channel {}", base::in_quotes(clip.name), clip.channels.size());
    if (*node >= out_.nodes.size()) gltf_fail("{}: its node does not exist", where);
    const Json& sampler = gltf_referred(animation, "samplers", channel, "sampler", where);
    const std::string between_name = gltf_text(sampler, "interpolation", "LINEAR");
    KeyInterpolation between = KeyInterpolation::kLinear;
    if (between_name == "STEP") between = KeyInterpolation::kStep;
    if (between_name == "CUBICSPLINE") between = KeyInterpolation::kCubic;
    check_sampler(sampler, part, between, where);
    if (!clip.channels.emplace(std::pair(*node, part), between).second) {
      gltf_fail("{}: moves the {} of node {} again", where, path,
                base::in_quotes(out_.nodes[*node].name));
    }
    return true;
  }

  /// assimp takes what it is given for floats, and as many outputs as there are inputs.
  void check_sampler(const Json& sampler, TrackPath path, KeyInterpolation between,
                     const std::string& where) const {
    const Json& input = gltf_referred(top_, "accessors", sampler, "input", where);
    const Json& output = gltf_referred(top_, "accessors", sampler, "output", where);
    for (const Json* const accessor : {&input, &output}) {
      if (gltf_index(member(*accessor, "componentType")) != std::size_t{kGltfFloat}) {
        gltf_fail("{}: its keys are not floats, which is not read", where);
      }
      check_view(*accessor, where);
    }
    const bool rotation = path == TrackPath::kRotation;
    if (gltf_text(input, "type", "") != "SCALAR" ||
        gltf_text(output, "type", "") != (rotation ? "VEC4" : "VEC3")) {
      gltf_fail("{}: its keys have the wrong type", where);
    }
    const std::optional<std::size_t> times = gltf_index(member(input, "count"));
    const std::optional<std::size_t> values = gltf_index(member(output, "count"));
    const std::size_t each = between == KeyInterpolation::kCubic ? 3 : 1;
    if (!times || !values || *values / each != *times || *values % each != 0) {
      gltf_fail("{}: the numbers of its times and values do not go together", where);
    }
  }

  void check_view(const Json& accessor, const std::string& where) const {
    if (member(accessor, "bufferView") == nullptr) return;
    const Json& view = gltf_referred(top_, "bufferViews", accessor, "bufferView", where);
    const Json* const extensions = member(view, "extensions");
    if (extensions != nullptr && member(*extensions, "EXT_meshopt_compression") != nullptr) {
      gltf_fail("{}: its keys are compressed (EXT_meshopt_compression), which is not read", where);
    }
  }

  Json& top_;
  GltfMotion out_;
};

}  // namespace

Result<GltfMotion> prepare_gltf(const AssimpFile& file) {
  try {
    const std::string_view json = gltf_json(file.bytes);
    Json top = Json::parse(json.begin(), json.end());
    GltfMotion out = GltfReader(top).read();
    out.for_assimp =
        gltf_with_json(file.bytes, top.dump(-1, ' ', false, Json::error_handler_t::replace));
    return out;
  } catch (const GltfFault& fault) {
    return {ErrorCode::kInput, fmt::format("{}: {}", file.name, fault.what())};
  } catch (const std::exception& fault) {  // the parser's, which shows bytes of the file
    return {ErrorCode::kInput, fmt::format("{}: {}", file.name, base::escaped(fault.what(), 500))};
  }
}

}  // namespace tocsin::io
