#include "io/gltf/gltf_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/packed.h"
#include "base/quoted.h"
#include "core/vector/vec.h"
#include "io/gltf/glb.h"
#include "io/gltf/gltf_json.h"
#include "io/gltf/gltf_nodes.h"
#include "io/import/rigid.h"

namespace tocsin::io {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kNamePrefix = "node#";

/// What is further from a unit quaternion than a careless rounding is left to assimp.
constexpr double kQuaternionTolerance = 1e-3;

/// What is wrong with the file; ends the reading.
class GltfFault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Parts>
[[noreturn]] void fail(fmt::format_string<Parts...> text, Parts&&... parts) {
  throw GltfFault(fmt::format(text, std::forward<Parts>(parts)...));
}

/// The entries of a list at the top of the file; none if it is not there.
std::size_t length(const Json& top, const char* list) {
  const Json* const found = member(top, list);
  return found != nullptr && found->is_array() ? found->size() : 0;
}

std::optional<std::size_t> index(const Json* value) {
  if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
  return value->get<std::size_t>();
}

std::string text_or(const Json& object, const char* name, std::string otherwise) {
  const Json* const value = member(object, name);
  if (value == nullptr || !value->is_string()) return otherwise;
  std::string found = value->get<std::string>();
  return found.empty() ? otherwise : found;
}

/// An entry of a list at the top of the file. `owner` refers to it by its member `name`.
const Json& referred(const Json& top, const char* list, const Json& owner, const char* name,
                     const std::string& where) {
  const std::optional<std::size_t> i = index(member(owner, name));
  if (!i || *i >= length(top, list)) fail("{}: its {} does not exist", where, name);
  return top[list][*i];
}

/// The numbers of a list of exactly that many; `otherwise` if there is none. Nothing if it is not.
template <std::size_t count>
std::optional<std::array<double, count>> numbers(const Json& object, const char* name,
                                                 const std::array<double, count>& otherwise) {
  const Json* const list = member(object, name);
  if (list == nullptr) return otherwise;
  if (!list->is_array() || list->size() != count) return std::nullopt;
  std::array<double, count> out{};
  for (std::size_t i = 0; i < count; ++i) {
    if (!(*list)[i].is_number()) return std::nullopt;
    out[i] = (*list)[i].get<double>();
  }
  return out;
}

/// A node's transform: `matrix` by columns, or T R S.
std::optional<Affine> local_of(const Json& node) {
  if (member(node, "matrix") != nullptr) {
    const auto m = numbers<16>(node, "matrix", {});
    if (!m || (*m)[3] != 0.0 || (*m)[7] != 0.0 || (*m)[11] != 0.0 || (*m)[15] != 1.0) {
      return std::nullopt;
    }
    Affine out;
    for (std::size_t i = 0; i < 3; ++i) out.linear.row[i] = {(*m)[i], (*m)[4 + i], (*m)[8 + i]};
    out.origin = {(*m)[12], (*m)[13], (*m)[14]};
    return out;
  }
  const auto t = numbers<3>(node, "translation", {0, 0, 0});
  const auto r = numbers<4>(node, "rotation", {0, 0, 0, 1});
  const auto s = numbers<3>(node, "scale", {1, 1, 1});
  if (!t || !r || !s) return std::nullopt;
  const Quat q{(*r)[3], (*r)[0], (*r)[1], (*r)[2]};
  if (!(std::fabs(core::norm(q) - 1.0) < kQuaternionTolerance)) return std::nullopt;
  return compose({(*t)[0], (*t)[1], (*t)[2]}, core::normalized(q), {(*s)[0], (*s)[1], (*s)[2]});
}

/// Puts a GLB together again, with other JSON. `json` is a view into `bytes` for a .gltf.
std::string with_json(std::string_view bytes, std::string json) {
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

class GltfReader {
 public:
  explicit GltfReader(Json& top) : top_(top) {}

  GltfMotion read() {
    read_nodes();
    read_skins();
    for (std::size_t i = 0; i < length(top_, "animations"); ++i) read_clip(i);
    // assimp would decode all of it, and does not survive every skin.
    for (const char* what : {"meshes", "materials", "textures", "images", "samplers", "skins",
                             "cameras", "extensions", "extensionsUsed", "extensionsRequired"}) {
      top_.erase(what);
    }
    return std::move(out_);
  }

 private:
  void read_nodes() {
    for (std::size_t i = 0; i < length(top_, "nodes"); ++i) {
      Json& node = top_["nodes"][i];
      if (!node.is_object()) fail("node {} is not an object", i);
      const Json* const extensions = member(node, "extensions");
      const bool light =
          extensions != nullptr && member(*extensions, "KHR_lights_punctual") != nullptr;
      const bool visible =
          light || member(node, "mesh") != nullptr || member(node, "camera") != nullptr;
      out_.nodes.push_back(
          {text_or(node, "name", fmt::format("node {}", i)), visible, local_of(node)});
      for (const char* what : {"mesh", "skin", "camera", "extensions", "extras"}) node.erase(what);
      node["name"] = GltfMotion::name_of(i);
    }
  }

  void read_skins() {
    for (std::size_t i = 0; i < length(top_, "skins"); ++i) {
      const Json& skin = top_["skins"][i];
      SceneSkin out{text_or(skin, "name", fmt::format("skin {}", i)), {}};
      const Json* const joints = member(skin, "joints");
      if (joints != nullptr && joints->is_array()) {
        for (const Json& joint : *joints) {
          const std::optional<std::size_t> node = index(&joint);
          if (!node || *node >= out_.nodes.size()) {
            fail("skin {}: a joint that does not exist", base::in_quotes(out.name));
          }
          out.joints.push_back(static_cast<int>(*node));
        }
      }
      out_.skins.push_back(std::move(out));
    }
  }

  void read_clip(std::size_t number) {
    Json& animation = top_["animations"][number];
    if (!animation.is_object()) fail("animation {} is not an object", number);
    GltfClip clip;
    clip.name = text_or(animation, "name", fmt::format("clip {}", number));
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
  bool read_channel(const Json& animation, const Json& channel, GltfClip& clip) const {
    const Json* const target = member(channel, "target");
    if (target == nullptr) return false;
    const std::string path = text_or(*target, "path", "");
    const std::optional<std::size_t> node = index(member(*target, "node"));
    if (!node) return false;
    TrackPath part = TrackPath::kTranslation;
    if (path == "rotation") {
      part = TrackPath::kRotation;
    } else if (path == "scale") {
      part = TrackPath::kScale;
    } else if (path != "translation") {
      return false;
    }
    const std::string where =
        fmt::format("clip {}, channel {}", base::in_quotes(clip.name), clip.channels.size());
    if (*node >= out_.nodes.size()) fail("{}: its node does not exist", where);
    const Json& sampler = referred(animation, "samplers", channel, "sampler", where);
    const std::string between_name = text_or(sampler, "interpolation", "LINEAR");
    KeyInterpolation between = KeyInterpolation::kLinear;
    if (between_name == "STEP") between = KeyInterpolation::kStep;
    if (between_name == "CUBICSPLINE") between = KeyInterpolation::kCubic;
    check_sampler(sampler, part, between, where);
    if (!clip.channels.emplace(std::pair(*node, part), between).second) {
      fail("{}: moves the {} of node {} again", where, path,
           base::in_quotes(out_.nodes[*node].name));
    }
    return true;
  }

  /// assimp takes what it is given for floats, and as many outputs as there are inputs.
  void check_sampler(const Json& sampler, TrackPath path, KeyInterpolation between,
                     const std::string& where) const {
    const Json& input = referred(top_, "accessors", sampler, "input", where);
    const Json& output = referred(top_, "accessors", sampler, "output", where);
    for (const Json* const accessor : {&input, &output}) {
      if (index(member(*accessor, "componentType")) != std::size_t{kGltfFloat}) {
        fail("{}: its keys are not floats, which is not read", where);
      }
      check_view(*accessor, where);
    }
    const bool rotation = path == TrackPath::kRotation;
    if (text_or(input, "type", "") != "SCALAR" ||
        text_or(output, "type", "") != (rotation ? "VEC4" : "VEC3")) {
      fail("{}: its keys have the wrong type", where);
    }
    const std::optional<std::size_t> times = index(member(input, "count"));
    const std::optional<std::size_t> values = index(member(output, "count"));
    const std::size_t each = between == KeyInterpolation::kCubic ? 3 : 1;
    if (!times || !values || *values / each != *times || *values % each != 0) {
      fail("{}: the numbers of its times and values do not go together", where);
    }
  }

  void check_view(const Json& accessor, const std::string& where) const {
    if (member(accessor, "bufferView") == nullptr) return;
    const Json& view = referred(top_, "bufferViews", accessor, "bufferView", where);
    const Json* const extensions = member(view, "extensions");
    if (extensions != nullptr && member(*extensions, "EXT_meshopt_compression") != nullptr) {
      fail("{}: its keys are compressed (EXT_meshopt_compression), which is not read", where);
    }
  }

  Json& top_;
  GltfMotion out_;
};

}  // namespace

std::string GltfMotion::name_of(std::size_t node) { return fmt::format("{}{}", kNamePrefix, node); }

std::size_t GltfMotion::node_of(std::string_view name) const {
  if (!name.starts_with(kNamePrefix)) return nodes.size();
  name.remove_prefix(kNamePrefix.size());
  std::size_t node = nodes.size();
  std::from_chars(name.data(), name.data() + name.size(), node);
  return std::min(node, nodes.size());
}

Result<GltfMotion> prepare_gltf(const AssimpFile& file) {
  try {
    const std::string_view json = gltf_json(file.bytes);
    Json top = Json::parse(json.begin(), json.end());
    GltfMotion out = GltfReader(top).read();
    out.for_assimp =
        with_json(file.bytes, top.dump(-1, ' ', false, Json::error_handler_t::replace));
    return out;
  } catch (const GltfFault& fault) {
    return {ErrorCode::kInput, fmt::format("{}: {}", file.name, fault.what())};
  } catch (const std::exception& fault) {  // the parser's, which shows bytes of the file
    return {ErrorCode::kInput, fmt::format("{}: {}", file.name, base::escaped(fault.what(), 500))};
  }
}

}  // namespace tocsin::io
