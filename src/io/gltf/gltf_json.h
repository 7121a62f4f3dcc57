// Looking things up in the JSON of a glTF file.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "io/import/affine.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// The componentType of floats, as glTF has it.
inline constexpr int kGltfFloat = 5126;

/// What is wrong with a file, without its name; ends the reading. It leaves no reader.
class GltfFault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Parts>
[[noreturn]] void gltf_fail(fmt::format_string<Parts...> text, Parts&&... parts) {
  throw GltfFault(fmt::format(text, std::forward<Parts>(parts)...));
}

/// The member of that name; null if there is none, or if it is no object.
inline const nlohmann::json* member(const nlohmann::json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(name);
  return at == object.end() ? nullptr : &*at;
}

/// A number that is an index; nothing if it is none.
std::optional<std::size_t> gltf_index(const nlohmann::json* value);

/// A string, or `otherwise` if there is none or it is empty.
std::string gltf_text(const nlohmann::json& object, const char* name, std::string otherwise);

/// The entries of a list at the top of the file; none if it is not there.
std::size_t gltf_length(const nlohmann::json& top, const char* list);

/// The entry of a list at the top of the file that `reference` means: an index or, in glTF 1.0,
/// where the list is an object, a name. Null if it does not exist.
const nlohmann::json* gltf_entry(const nlohmann::json& top, const char* list,
                                 const nlohmann::json* reference);

/// The same for the member `name` of `owner`. Throws GltfFault ("where: its name does not exist").
const nlohmann::json& gltf_referred(const nlohmann::json& top, const char* list,
                                    const nlohmann::json& owner, const char* name,
                                    const std::string& where);

/// A node's transform as three parts: first scaled, then turned (unit quaternion), then moved.
struct GltfTransform {
  Vec3 translation;
  Quat rotation;
  Vec3 scale{1.0, 1.0, 1.0};
};

/// The `translation`, `rotation` and `scale` of a node, in the file's own doubles; parts that are
/// missing are the identity. Nothing if one of them is not what the format asks for, or if the
/// quaternion's length is off 1 by 1e-3 or more.
std::optional<GltfTransform> gltf_transform(const nlohmann::json& node);

/// A node's transform in its parent, in the file's own doubles: `matrix`, or of its parts. Nothing
/// if it is not affine, or as gltf_transform().
std::optional<Affine> gltf_local(const nlohmann::json& node);

}  // namespace tocsin::io
