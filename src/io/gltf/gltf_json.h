// Looking things up in the JSON of a glTF file.
#pragma once

#include <nlohmann/json.hpp>

namespace tocsin::io {

/// The componentType of floats, as glTF has it.
inline constexpr int kGltfFloat = 5126;

/// The member of that name; null if there is none, or if it is no object.
inline const nlohmann::json* member(const nlohmann::json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(name);
  return at == object.end() ? nullptr : &*at;
}

}  // namespace tocsin::io
